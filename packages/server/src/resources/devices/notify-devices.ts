import { enqueue } from '@bellhop/jobs';
import type { AskedPushRequests, PushPayload, TokenKind } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type { Realm } from '../../engine/caller.ts';
import { recordPushStatus } from '../realms/record-push-status.ts';
import { announceRealms } from './announce-realms.ts';
import { type BouncerFailure, failureOf } from './bouncer-failure.ts';
import * as queries from './queries.ts';

interface Notification {
  readonly devices: readonly queries.ActiveDevice[];
  readonly payload: PushPayload;
  /** `alert`: the phone shows it at once. `background`: the phone may wait. */
  readonly urgency: 'alert' | 'background';
}
/** The number of devices that still exist, or why the request to the bouncer failed. */
type NotificationResult = { readonly remaining: number } | { readonly failure: BouncerFailure };

/**
 * Sends a payload through the bouncer, encrypted for each device. Removes devices that the bouncer
 * reports as dead. Do not call it in a transaction: it may take 15 s.
 */
export async function notifyDevices(
  app: App,
  realm: Realm,
  notification: Notification,
): Promise<NotificationResult> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('No push bouncer is configured');
  const { devices } = notification;
  try {
    const response = await bouncer.push.notify({
      realm_uuid: realm.uuid,
      push_requests: devices.map((device) => requestFor(device, notification)),
    });
    for (const outcome of response.outcomes)
      if (!['accepted', 'queued', 'dead'].includes(outcome.outcome))
        app.log.warn(outcome, 'push bouncer: a notification cannot be delivered');
    const dead = devices.filter((device) =>
      response.delete_device_ids.includes(device.bouncer_device_id),
    );
    await app.change(realm, async (change) => {
      await queries.remove(change.db, realm.id, dead);
      await recordPushStatus(change, { id: realm.id, ...response.realm_push_status });
    });
    return { remaining: devices.length - dead.length };
  } catch (error) {
    const failure = failureOf(error);
    await recordRejection(app, realm, failure);
    return { failure };
  }
}

function requestFor(device: queries.ActiveDevice, { payload, urgency }: Notification) {
  const { bouncer_device_id, token_kind, push_account_id, push_public_key } = device;
  return requestMakers[token_kind]({
    device_id: bouncer_device_id,
    payload: {
      push_account_id,
      encrypted_data: payloadCipher.encrypt(payload, push_public_key),
    },
    urgency,
  });
}

interface EncryptedNotification {
  readonly device_id: number;
  readonly payload: { readonly push_account_id: bigint; readonly encrypted_data: string };
  readonly urgency: Notification['urgency'];
}

const requestMakers: {
  [K in TokenKind]: (notification: EncryptedNotification) => AskedPushRequests[K];
} = {
  fcm: ({ device_id, payload, urgency }) => ({
    device_id,
    fcm_priority: urgency === 'alert' ? 'high' : 'normal',
    payload,
  }),
  apns: ({ device_id, payload, urgency }) => ({
    device_id,
    http_headers: { apns_priority: urgency === 'alert' ? 10 : 5, apns_push_type: urgency },
    // iOS shows the alert only if the app cannot replace it with the decrypted text.
    payload: { ...payload, aps: { 'mutable-content': 1, alert: { title: 'New notification' } } },
  }),
};

/** Stores that the realm cannot push, if the bouncer rejects the realm; announces a realm unknown to it. */
async function recordRejection(app: App, { id }: Realm, { code }: BouncerFailure): Promise<void> {
  const isMissing = code === 'MISSING_REMOTE_REALM';
  if (!isMissing && code !== 'PUSH_NOTIFICATIONS_DISALLOWED') return;
  await app.change({ id }, async (change) => {
    await recordPushStatus(change, { id, can_push: false, expected_end_timestamp: null });
    if (isMissing) await enqueue(change.db, announceRealms, {}, { dedupe: 'soon' });
  });
}
