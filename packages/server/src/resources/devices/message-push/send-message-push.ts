import { done, job } from '@bellhop/jobs';
import { MAX_PUSH_REQUESTS, type MessageId, type UserId } from '@bellhop/protocol';

import type { App } from '../../../engine/app.ts';
import type { Realm } from '../../../engine/caller.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import * as messages from '../../messages/queries.ts';
import { flagBits } from '../../messages/read/flags.ts';
import * as userGroups from '../../user-groups/queries.ts';
import { hiddenFrom } from '../../users/access.ts';
import * as users from '../../users/queries.ts';
import { type BouncerFailure, logFailure, retryAfter } from '../bouncer-failure.ts';
import { type DeviceNotification, notifyDevices } from '../notify-devices.ts';
import { isOnline } from './is-online.ts';
import { type MessageForPush, messagePayload } from './message-payload.ts';
import { messagePush, type MessagePush, pushRetrySchedule } from './message-push-jobs.ts';
import * as queries from './queries.ts';

/**
 * Pushes a message to the devices of some recipients: those who have not read it, may still read it and
 * have not been sent it by an earlier attempt.
 */
export const sendMessagePush = job<MessagePush, App>({
  ...messagePush,
  retry: pushRetrySchedule,
  timeoutMs: 70_000,
  async run(payload, app, { signal }) {
    const realm = await app.realms.byId(payload.realm_id);
    if (!app.bouncer || !realm.is_active) return done();
    for (const batch of await notificationsOf(app, realm, payload)) {
      const failure = await send(app, realm, { batch, message: payload.message_id, signal });
      if (failure) return retryAfter(failure);
    }
    return done();
  },
});

interface PushBatch {
  readonly users: readonly UserId[];
  readonly notifications: readonly DeviceNotification[];
}

/** Sends a batch and records that it is sent. Returns why it has to be sent again. */
async function send(
  app: App,
  realm: Realm,
  { batch, message, signal }: { batch: PushBatch; message: MessageId; signal: AbortSignal },
): Promise<BouncerFailure | undefined> {
  const { notifications, users: reached } = batch;
  const result = await notifyDevices(app, realm, notifications, { urgency: 'alert', signal });
  const failure = 'failure' in result ? result.failure : undefined;
  if (failure) logFailure(app, failure, 'a message could not be pushed');
  // Refused for its content: the same content would be refused again.
  if (failure && failure.kind !== 'refused') return failure;
  await app.change(realm, ({ db }) =>
    queries.markSent(db, { realm: realm.id, message, users: reached }),
  );
  return undefined;
}

/** The notifications of a message, in batches with all devices of a user in one of them. */
async function notificationsOf(
  app: App,
  realm: Realm,
  push: MessagePush,
): Promise<readonly PushBatch[]> {
  const { kysely: db } = app.db;
  const { message_id: message } = push;
  const recipients = await claimed(app, realm, push);
  if (recipients.length === 0) return [];
  const row = await messages.byId(db, realm.id, message);
  const sender = row && (await users.byId(db, realm.id, row.sender_id));
  if (!sender) return [];
  const ids = recipients.map(({ user_id }) => user_id);
  const devices = await queries.devicesOf(db, realm.id, ids);
  const hidden = await hiddenFrom(db, realm, { viewers: ids, users: [sender.id] });
  const groups = await mentionedGroups(app, realm, push);
  const content: MessageForPush = { realm, row, sender, text: plainText(row.rendered_content) };
  const owned = Map.groupBy(devices, ({ user_id }) => user_id);
  const notifications = recipients.map(({ user_id, flags }) => {
    const byGroup = (flags & flagBits.mentioned) === 0 && (flags & flagBits.group_mentioned) !== 0;
    const payload = messagePayload(content, {
      user_id,
      isSenderHidden: hidden.has(user_id),
      group: byGroup ? groups.get(user_id) : undefined,
    });
    return {
      user_id,
      notifications: (owned.get(user_id) ?? [])
        .slice(-MAX_PUSH_REQUESTS)
        .map((device) => ({ device, payload })),
    };
  });
  return batches(notifications.filter((one) => one.notifications.length > 0));
}

/** The recipients to push to now. */
async function claimed(
  app: App,
  realm: Realm,
  { message_id: message, user_ids, waits_for_idle }: MessagePush,
): Promise<readonly queries.PushRecipient[]> {
  const now = app.now();
  const idle = waits_for_idle
    ? (await queries.deviceOwners(app.db.kysely, realm.id, user_ids))
        .filter((owner) => !isOnline(owner, { realm, now }))
        .map(({ id }) => id)
    : user_ids;
  if (idle.length === 0) return [];
  return app.change(realm, ({ db }) =>
    queries.claimPushes(db, { realm: realm.id, message, users: idle }),
  );
}

/** By user, the smallest of the mentioned groups that they are in. */
async function mentionedGroups(
  { db }: App,
  { id: realm }: Realm,
  { mentioned_group_ids: ids }: MessagePush,
): Promise<ReadonlyMap<UserId, { readonly id: number; readonly name: string }>> {
  if (ids.length === 0) return new Map();
  const members = await userGroups.membersOf(db.kysely, realm, ids);
  const named = await userGroups.named(db.kysely, realm, ids);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const bySize = [...Map.groupBy(members, ({ group_id }) => group_id)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return new Map(
    bySize.flatMap(([id, all]) =>
      all.map(({ user_id }) => [user_id, { id, name: names.get(id) ?? '' }] as const),
    ),
  );
}

interface UserNotifications {
  readonly user_id: UserId;
  readonly notifications: readonly DeviceNotification[];
}

function batches(all: readonly UserNotifications[]): PushBatch[] {
  const result: { users: UserId[]; notifications: DeviceNotification[] }[] = [];
  for (const { user_id, notifications } of all) {
    const current = result.at(-1);
    if (current && current.notifications.length + notifications.length <= MAX_PUSH_REQUESTS) {
      current.users.push(user_id);
      current.notifications.push(...notifications);
    } else result.push({ users: [user_id], notifications: [...notifications] });
  }
  return result;
}
