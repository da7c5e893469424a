import { done, job } from '@bellhop/jobs';
import {
  MAX_PUSH_BYTES,
  MAX_PUSH_REQUESTS,
  MAX_REMOVED_MESSAGES,
  type MessageId,
  type PushPayload,
  type UserId,
} from '@bellhop/protocol';

import type { App } from '../../../engine/app.ts';
import type { Realm } from '../../../engine/caller.ts';
import { logFailure, retryAfter } from '../bouncer-failure.ts';
import { type DeviceNotification, notifyDevices } from '../notify-devices.ts';
import { pushRemoval, type PushRemoval, pushRetrySchedule } from './message-push-jobs.ts';
import * as queries from './queries.ts';

/** Tells the phones of users to show messages no longer. A repeated attempt changes nothing there. */
export const sendPushRemoval = job<PushRemoval, App>({
  ...pushRemoval,
  retry: pushRetrySchedule,
  timeoutMs: 70_000,
  async run({ realm_id, removed }, app, { signal }) {
    const realm = await app.realms.byId(realm_id);
    if (!app.bouncer || !realm.is_active) return done();
    const users = removed.map(({ user_id }) => user_id);
    const devices = await queries.devicesOf(app.db.kysely, realm_id, users);
    const owned = Map.groupBy(devices, ({ user_id }) => user_id);
    const notifications: DeviceNotification[] = removed.flatMap(({ user_id, message_ids }) => {
      const own = owned.get(user_id);
      if (!own) return [];
      return removalPayloads({ realm, user_id }, message_ids).flatMap((payload) =>
        own.map((device) => ({ device, payload })),
      );
    });
    for (let at = 0; at < notifications.length; at += MAX_PUSH_REQUESTS) {
      const batch = notifications.slice(at, at + MAX_PUSH_REQUESTS);
      const result = await notifyDevices(app, realm, batch, { urgency: 'background', signal });
      if (!('failure' in result)) continue;
      logFailure(app, result.failure, 'a push could not be removed');
      if (result.failure.kind !== 'refused') return retryAfter(result.failure);
    }
    return done();
  },
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
