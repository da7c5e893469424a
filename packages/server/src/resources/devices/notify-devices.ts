import { enqueue } from '@bellhop/jobs';
import type { AskedPushRequests, PushPayload, TokenKind } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type { Realm } from '../../engine/caller.ts';
import { recordPushStatus } from '../realms/record-push-status.ts';
import { announceRealms } from './announce-realms.ts';
import { type BouncerTrouble, troubleOf } from './bouncer-trouble.ts';
import * as queries from './queries.ts';

interface Notification {
  readonly devices: readonly queries.ActiveDevice[];
  readonly payload: PushPayload;
  /** `alert`: the phone shows it at once. `background`: the phone may wait. */
  readonly urgency: 'alert' | 'background';
}
/** The number of devices left, or why the bouncer rejected the notification. */
type Notified = { readonly living: number } | { readonly trouble: BouncerTrouble };

/**
 * Sends a payload through the bouncer, encrypted for each device. Removes devices that the bouncer
 * reports as dead. Do not call it in a transaction: it may take 15 s.
 */
export async function notifyDevices(
  app: App,
  realm: Realm,
  notification: Notification,
): Promise<Notified> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('No push bouncer is configured');
  const { devices } = notification;
  try {
    const answer = await bouncer.push.notify({
      realm_uuid: realm.uuid,
      push_requests: devices.map((device) => requestFor(device, notification)),
    });
    const dead = devices.filter((device) =>
      answer.delete_device_ids.includes(device.bouncer_device_id),
    );
    await app.change(realm, async (change) => {
      await queries.remove(change.db, realm.id, dead);
      await recordPushStatus(change, { id: realm.id, ...answer.realm_push_status });
    });
    return { living: devices.length - dead.length };
  } catch (error) {
    const trouble = troubleOf(error);
    await recordRefusal(app, realm, trouble);
    return { trouble };
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

/** A rejected realm cannot push until the bouncer says otherwise. */
async function recordRefusal(app: App, { id }: Realm, { code }: BouncerTrouble): Promise<void> {
  const isMissing = code === 'MISSING_REMOTE_REALM';
  if (!isMissing && code !== 'PUSH_NOTIFICATIONS_DISALLOWED') return;
  await app.change({ id }, async (change) => {
    await recordPushStatus(change, { id, can_push: false, expected_end_timestamp: null });
    if (isMissing) await enqueue(change.db, announceRealms, {}, { dedupe: 'soon' });
  });
}
