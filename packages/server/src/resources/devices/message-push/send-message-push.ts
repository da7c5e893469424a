import { done } from '@bellhop/jobs';
import type { RealmId, UserId } from '@bellhop/protocol';

import type { JobApp } from '../../../engine/app.ts';
import type { Change, Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { job } from '../../../engine/job.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { activeDevices } from '../../../model/devices/active-devices.ts';
import { retryAfter } from '../../../model/devices/bouncer-failure.ts';
import {
  messagePush,
  type MessagePush,
  pushRetrySchedule,
} from '../../../model/devices/message-push/message-push-jobs.ts';
import * as queries from '../../../model/devices/message-push/queries.ts';
import * as requests from '../../../model/devices/push-request-queries.ts';
import * as messages from '../../../model/messages/queries.ts';
import { flagBits } from '../../../model/messages/read/flags.ts';
import { isOnline } from '../../../model/notifications/is-online.ts';
import { notifiableUsers } from '../../../model/notifications/queries.ts';
import * as userGroups from '../../../model/user-groups/queries.ts';
import { hiddenFrom } from '../../../model/users/access.ts';
import * as users from '../../../model/users/queries.ts';
import { type JobNotification, notificationId, notifyOnce } from '../notify-once.ts';
import { type MessageForPush, messagePayload } from './message-payload.ts';
import { removePushes } from './withdraw-pushes.ts';

/**
 * Pushes a message to the devices of some recipients: those who have not read it, may still read it and
 * have not been sent it by another job.
 */
export const sendMessagePush = job<MessagePush>({
  ...messagePush,
  retry: pushRetrySchedule,
  timeoutMs: 70_000,
  async run(payload, app, { jobId, signal }) {
    const { realm_id } = payload;
    const realm = await app.realms.byId(realm_id);
    const write = (tx: Tx) => endOf({ db: tx, nowMs: app.nowMs }, realm_id, jobId);
    if (!app.bouncer || !realm.is_active) return done({ write });
    const notifications = await notificationsOf(app, realm, payload, jobId);
    const failure = await notifyOnce(app, realm, notifications, { jobId, signal });
    if (failure) return retryAfter(failure);
    return done({ write });
  },
  onDead: (db, { jobId, payload: { realm_id } }, { nowMs }) =>
    endOf({ db, nowMs }, realm_id, jobId),
});

/** Removes the message from the phones of those who have read it while the job ran. */
async function endOf(
  change: Pick<Change, 'db' | 'nowMs'>,
  realm: RealmId,
  jobId: string,
): Promise<void> {
  const { db } = change;
  await requests.removeOfJob(db, { realm_id: realm, job_id: jobId });
  await removePushes(change, realm, await queries.endPushes(db, { realm, jobId }));
}

interface UserNotification extends JobNotification {
  readonly user_id: UserId;
}

/** The notifications of a message for all devices of its recipients. */
async function notificationsOf(
  app: JobApp,
  realm: Realm,
  push: MessagePush,
  jobId: string,
): Promise<readonly UserNotification[]> {
  const { kysely: db } = app.db;
  const { message_id: message, user_ids, triggers, waits_for_idle, event_ms = null } = push;
  const job_ms = app.nowMs();
  const recipients = await claimed(app, realm, push, jobId);
  if (recipients.length === 0) return [];
  const row = await messages.byId(db, realm.id, message);
  const sender = row && (await users.byId(db, realm.id, row.sender_id));
  if (!sender) return [];
  const ids = recipients.map(({ user_id }) => user_id);
  const devices = await activeDevices(db, realm.id, { users: ids });
  const hidden = await hiddenFrom(db, realm, { viewers: ids, users: [sender.id] });
  const groups = await mentionedGroups(app, realm, push);
  const content: MessageForPush = { realm, row, sender, text: plainText(row.rendered_content) };
  const owned = Map.groupBy(devices, ({ user_id }) => user_id);
  return recipients.flatMap(({ user_id, flags }) => {
    const trigger = triggers?.[user_ids.indexOf(user_id)] ?? null;
    const isMention = trigger === null || trigger === 'mentioned';
    const byGroup = (flags & flagBits.mentioned) === 0 && (flags & flagBits.group_mentioned) !== 0;
    const reader = {
      user_id,
      isSenderHidden: hidden.has(user_id),
      group: isMention && byGroup ? groups.get(user_id) : undefined,
    };
    const own = owned.get(user_id) ?? [];
    const cause = { trigger, waited_for_idle: waits_for_idle, event_ms, job_ms };
    return own.map((device) => ({
      id: notificationId(device),
      user_id,
      device,
      payload: messagePayload(content, { ...reader, form: device.form }),
      cause,
    }));
  });
}

/** The recipients to push to now. */
async function claimed(
  app: JobApp,
  realm: Realm,
  { message_id: message, user_ids, waits_for_idle }: MessagePush,
  jobId: string,
): Promise<readonly queries.PushRecipient[]> {
  const now = app.now();
  const idle = waits_for_idle
    ? (await notifiableUsers(app.db.kysely, realm.id, { ids: user_ids, hasDevice: true }))
        .filter((user) => !isOnline(user, { realm, now }))
        .map(({ id }) => id)
    : user_ids;
  if (idle.length === 0) return [];
  return app.change(realm, ({ db }) =>
    queries.claimPushes(db, { realm: realm.id, message, users: idle, jobId }),
  );
}

/** For each user, the smallest of the mentioned groups that they are in. */
async function mentionedGroups(
  { db }: JobApp,
  { id: realm }: Realm,
  { mentioned_group_ids: ids }: MessagePush,
): Promise<ReadonlyMap<UserId, { readonly id: number; readonly name: string }>> {
  if (ids.length === 0) return new Map();
  const smallest = await userGroups.smallestGroups(db.kysely, realm, ids);
  const named = await userGroups.named(db.kysely, realm, ids);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return new Map(
    [...smallest].map(([user_id, id]) => [user_id, { id, name: names.get(id) ?? '' }]),
  );
}
