import { enqueueAll } from '@bellhop/jobs';
import type { ChannelId, MessageId, PushTrigger, UserGroupId, UserId } from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import type { RenderedMessage } from '../../messages/message.ts';
import { flagBits } from '../../messages/read/flags.ts';
import { mutingEach } from '../../muted-users/queries.ts';
import { settingsOfUser } from '../../users/user-settings.ts';
import { isOnline } from './is-online.ts';
import { MAX_USERS_PER_JOB, messagePush, type MessagePush } from './message-push-jobs.ts';
import { decidePush } from './push-trigger.ts';
import * as queries from './queries.ts';

/** Seconds after which a push that waits looks again: an abandoned event queue has expired by then. */
const IDLE_CHECK_SECONDS = 640;

interface NotifyingMessage {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly mentioned_group_ids: readonly number[];
}

/** A message and a user who may have to be notified of it. */
interface Candidate {
  readonly message: NotifyingMessage;
  readonly user_id: UserId;
  readonly flags: number;
}

interface SendContext {
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Adds the pushes of messages that are being sent. No query in a realm without push devices. */
export async function pushMessages(db: Tx, messages: readonly RenderedMessage[]): Promise<void> {
  const [first] = messages;
  if (!first?.request.realm.has_push_devices) return;
  const candidates = messages.flatMap(({ row, content, recipients, flags }) => {
    const message = { ...row, mentioned_group_ids: content.mentioned_group_ids };
    return recipients.map((user_id, at) => ({ message, user_id, flags: flags[at] ?? 0 }));
  });
  await pushTo(db, first.request, candidates);
}

/** Adds pushes to those of the candidates whom `decidePush` selects: one statement adds all jobs. */
export async function pushTo(
  db: Tx,
  { realm, now }: SendContext,
  candidates: readonly Candidate[],
): Promise<void> {
  if (!realm.has_push_devices) return;
  const unread = candidates.filter(
    ({ message, user_id, flags }) => user_id !== message.sender_id && (flags & flagBits.read) === 0,
  );
  if (unread.length === 0) return;
  const found = await queries.deviceOwners(db, realm.id, [
    ...new Set(unread.map(({ user_id }) => user_id)),
  ]);
  if (found.length === 0) return;
  const owners = new Map(found.map((owner) => [owner.id, owner]));
  const owned = unread.filter(({ user_id }) => owners.has(user_id));
  const inChannels = owned.flatMap(({ message: { channel_id, topic }, user_id }) =>
    channel_id === null ? [] : [{ user_id, channel_id, topic }],
  );
  const senders = [...new Set(owned.map(({ message }) => message.sender_id))];
  const [preferences, { rows: muting }] = await Promise.all([
    inChannels.length === 0 ? [] : queries.topicPreferences(db, realm.id, inChannels),
    mutingEach(realm.id, senders).execute(db),
  ]);
  const mutes = new Set(muting.map(({ at, user_id }) => `${user_id} ${senders[at]}`));
  const nextPreferences = preferences.values();
  const decided = owned.flatMap((candidate) => {
    const { message, user_id, flags } = candidate;
    const owner = owners.get(user_id);
    const topic = message.channel_id === null ? undefined : nextPreferences.next().value;
    // A channel message of which the user is no longer a subscriber.
    if (!owner || (message.channel_id !== null && !topic)) return [];
    const decision = decidePush({
      flags,
      topic,
      isSender: user_id === message.sender_id,
      hasMutedSender: mutes.has(`${user_id} ${message.sender_id}`),
      isBot: owner.is_bot,
      isActive: owner.is_active,
      isOnline: isOnline(owner, { realm, now }),
      settings: settingsOfUser({ settings: owner.settings, timezone: '' }),
    });
    if (!decision) return [];
    const { trigger, waitsForIdle: waits } = decision;
    return [{ message, user_id, trigger, waits }];
  });
  const groups = Map.groupBy(decided, ({ message, waits }) => `${message.id} ${waits}`);
  const jobs = [...groups.values()].flatMap((group) => jobsFor({ realm, now }, group));
  await enqueueAll(db, messagePush, jobs);
}

interface DecidedPush {
  readonly message: NotifyingMessage;
  readonly user_id: UserId;
  readonly trigger: PushTrigger;
  readonly waits: boolean;
}

/** The jobs of one message. */
function jobsFor({ realm, now }: SendContext, pushes: readonly DecidedPush[]) {
  const [first] = pushes;
  if (!first) return [];
  const { message, waits } = first;
  const jobs: { payload: MessagePush; runAt?: Date }[] = [];
  const event_ms = Date.now();
  for (let at = 0; at < pushes.length; at += MAX_USERS_PER_JOB) {
    const some = pushes.slice(at, at + MAX_USERS_PER_JOB);
    jobs.push({
      payload: {
        realm_id: realm.id,
        message_id: message.id,
        user_ids: some.map(({ user_id }) => user_id),
        triggers: some.map(({ trigger }) => trigger),
        event_ms,
        mentioned_group_ids: message.mentioned_group_ids as UserGroupId[],
        waits_for_idle: waits,
      },
      ...(waits ? { runAt: new Date((now + IDLE_CHECK_SECONDS) * 1000) } : {}),
    });
  }
  return jobs;
}
