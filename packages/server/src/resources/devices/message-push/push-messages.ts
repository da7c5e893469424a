import { enqueueAll } from '@bellhop/jobs';
import type { PushTrigger, UserGroupId, UserId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import {
  MAX_USERS_PER_JOB,
  messagePush,
  type MessagePush,
} from '../../../model/devices/message-push/message-push-jobs.ts';
import type { RenderedMessage } from '../../../model/messages/message.ts';
import { MENTION_FLAGS } from '../../../model/messages/read/flags.ts';
import {
  type Candidate,
  decideNotifications,
  IDLE_CHECK_SECONDS,
  type NotifyingMessage,
} from '../../../model/notifications/decide-notifications.ts';
import { listenersOf } from '../../../model/notifications/queries.ts';

interface PushedMessage extends NotifyingMessage {
  readonly mentioned_group_ids: readonly number[];
}

interface SendContext {
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

type PushChange = Pick<Change, 'db' | 'nowMs'>;

/** Adds the pushes of messages that are being sent. No query in a realm without push devices. */
export async function pushMessages(
  change: PushChange,
  messages: readonly RenderedMessage[],
): Promise<void> {
  const [first] = messages;
  if (!first?.request.realm.has_push_devices) return;
  const { realm } = first.request;
  const listening = await listenersOf(
    change.db,
    { realm: realm.id, medium: 'push' },
    messages.map(({ row, recipients }) => ({
      channel_id: row.channel_id,
      topic: row.topic,
      isForAll: (recipients.common & MENTION_FLAGS) !== 0,
    })),
  );
  const candidates = messages.flatMap(({ row, content, recipients }, at) => {
    const message = { ...row, mentioned_group_ids: content.mentioned_group_ids };
    const users = new Set([...recipients.flags.keys(), ...(listening[at] ?? [])]);
    return [...users].map((user_id) => {
      const flags = recipients.flags.get(user_id) ?? recipients.common;
      return { message, user_id, flags };
    });
  });
  await pushTo(change, first.request, candidates);
}

/** Enqueues the pushes to the candidates who are to be notified: one job each, in one statement. */
export async function pushTo(
  { db, nowMs }: PushChange,
  { realm, now }: SendContext,
  candidates: readonly Candidate<PushedMessage>[],
): Promise<void> {
  if (!realm.has_push_devices) return;
  const decided = await decideNotifications(db, { medium: 'push', realm, now }, candidates);
  const groups = Map.groupBy(
    decided,
    ({ message, waitsForIdle }) => `${message.id} ${waitsForIdle}`,
  );
  const event_ms = nowMs();
  const jobs = [...groups.values()].flatMap((group) =>
    jobsFor({ realm_id: realm.id, event_ms }, group),
  );
  await enqueueAll(db, messagePush, jobs);
}

interface DecidedPush {
  readonly message: PushedMessage;
  readonly user_id: UserId;
  readonly trigger: PushTrigger;
  readonly waitsForIdle: boolean;
}

/** The jobs of one message. */
function jobsFor(
  event: Pick<MessagePush, 'realm_id' | 'event_ms'>,
  pushes: readonly DecidedPush[],
) {
  const [first] = pushes;
  if (!first) return [];
  const { message, waitsForIdle: waits } = first;
  const jobs: { payload: MessagePush; delayMs?: number }[] = [];
  for (let at = 0; at < pushes.length; at += MAX_USERS_PER_JOB) {
    const some = pushes.slice(at, at + MAX_USERS_PER_JOB);
    jobs.push({
      payload: {
        ...event,
        message_id: message.id,
        user_ids: some.map(({ user_id }) => user_id),
        triggers: some.map(({ trigger }) => trigger),
        mentioned_group_ids: message.mentioned_group_ids as UserGroupId[],
        waits_for_idle: waits,
      },
      ...(waits ? { delayMs: IDLE_CHECK_SECONDS * 1000 } : {}),
    });
  }
  return jobs;
}
