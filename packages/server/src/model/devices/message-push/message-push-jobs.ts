import { MessageId, PushTrigger, RealmId, UserGroupId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

const MessagePush = z.object({
  realm_id: RealmId,
  message_id: MessageId,
  user_ids: z.array(UserId),
  /** The groups that the message mentions. */
  mentioned_group_ids: z.array(UserGroupId),
  /** Push only to users who are idle when the job runs. */
  waits_for_idle: z.boolean(),
  /** When it was decided, UNIX milliseconds. Jobs of older versions have neither this nor triggers. */
  event_ms: z.int().optional(),
  /** Why it is pushed, for each of user_ids. */
  triggers: z.array(PushTrigger).optional(),
});
/** A message to push to some of its recipients. */
export type MessagePush = z.output<typeof MessagePush>;

const PushRemoval = z.object({
  realm_id: RealmId,
  removed: z.array(z.object({ user_id: UserId, message_ids: z.array(MessageId) })),
  /** See the same field of messages. */
  event_ms: z.int().optional(),
});
/** Messages that the phones of users must show no longer. */
export type PushRemoval = z.output<typeof PushRemoval>;

const lane = 'pushes';

/** The jobs without their work: sending messages adds them, and their work reads messages. */
export const messagePush = { name: 'push_message', lane, payload: MessagePush };
export const pushRemoval = { name: 'remove_pushes', lane, payload: PushRemoval };

/** Users of one job: with a few devices each, they fill one request to the bouncer. */
export const MAX_USERS_PER_JOB = 100;

/** Seconds between attempts, a day in all: pushes survive an outage of the bouncer. */
export const pushRetrySchedule = [2, 5, 15, 60, 300, ...Array<number>(95).fill(900)];
