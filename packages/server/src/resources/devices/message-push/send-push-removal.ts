import { done } from '@bellhop/jobs';
import {
  MAX_PUSH_BYTES,
  MAX_REMOVED_MESSAGES,
  type MessageId,
  type PushPayload,
  type UserId,
} from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { job } from '../../../engine/job.ts';
import { activeDevices } from '../../../model/devices/active-devices.ts';
import { retryAfter } from '../../../model/devices/bouncer-failure.ts';
import {
  pushRemoval,
  type PushRemoval,
  pushRetrySchedule,
} from '../../../model/devices/message-push/message-push-jobs.ts';
import * as requests from '../../../model/devices/push-request-queries.ts';
import { type JobNotification, notificationId, notifyOnce } from '../notify-once.ts';

/** Tells the phones of users to show messages no longer. */
export const sendPushRemoval = job<PushRemoval>({
  ...pushRemoval,
  retry: pushRetrySchedule,
  timeoutMs: 70_000,
  async run({ realm_id, removed, event_ms = null }, app, { jobId, signal }) {
    const realm = await app.realms.byId(realm_id);
    const write = (tx: Tx) => requests.removeOfJob(tx, { realm_id, job_id: jobId });
    if (!app.bouncer || !realm.is_active) return done({ write });
    const cause = { trigger: null, waited_for_idle: false, event_ms, job_ms: app.nowMs() };
    const users = removed.map(({ user_id }) => user_id);
    const devices = await activeDevices(app.db.kysely, realm_id, { users });
    const owned = Map.groupBy(devices, ({ user_id }) => user_id);
    const notifications: JobNotification[] = removed.flatMap(({ user_id, message_ids }) => {
      const own = owned.get(user_id);
      if (!own) return [];
      return removalPayloads({ realm, user_id }, message_ids).flatMap((payload, at) =>
        own.map((device) => ({ id: `${notificationId(device)}.${at}`, device, payload, cause })),
      );
    });
    const failure = await notifyOnce(app, realm, notifications, { jobId, signal });
    if (failure) return retryAfter(failure);
    return done({ write });
  },
  onDead: (tx, { jobId: job_id, payload: { realm_id } }) =>
    requests.removeOfJob(tx, { realm_id, job_id }),
});

type RemovalPayload = Extract<PushPayload, { type: 'remove' }>;

/** Payloads that name all the messages, each at most MAX_PUSH_BYTES and MAX_REMOVED_MESSAGES; newest first. */
export function removalPayloads(
  { realm, user_id }: { readonly realm: Pick<Realm, 'url' | 'name'>; readonly user_id: UserId },
  message_ids: readonly MessageId[],
): RemovalPayload[] {
  const common = { realm_url: realm.url, realm_name: realm.name, user_id };
  const empty = { ...common, type: 'remove' as const, message_ids: [] };
  const room = MAX_PUSH_BYTES - Buffer.byteLength(JSON.stringify(empty));
  const payloads: RemovalPayload[] = [];
  let ids: number[] = [];
  let bytes = 0;
  for (const id of message_ids.toSorted((a, b) => b - a)) {
    const size = String(id).length + 1;
    if (ids.length === 0 || ids.length === MAX_REMOVED_MESSAGES || bytes + size > room) {
      ids = [];
      bytes = 0;
      payloads.push({ ...empty, message_ids: ids });
    }
    ids.push(id);
    bytes += size;
  }
  return payloads;
}
