import { setImmediate as nextTurn } from 'node:timers/promises';

import { enqueue } from '@bellhop/jobs';
import {
  type AskedPushRequests,
  MAX_PUSH_REQUESTS,
  type PushPayload,
  type TokenKind,
} from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type { Realm } from '../../engine/caller.ts';
import { recordPushStatus } from '../realms/record-push-status.ts';
import { announceRealms } from './announce-realms.ts';
import { type BouncerFailure, failureOf } from './bouncer-failure.ts';
import { endDevices } from './end-devices.ts';
import type * as queries from './queries.ts';

export interface DeviceNotification {
  readonly device: queries.ActiveDevice;
  readonly payload: PushPayload;
}
interface NotificationOptions {
  /** `alert`: the phone shows it at once. `background`: the phone may wait. */
  readonly urgency: 'alert' | 'background';
  readonly signal?: AbortSignal;
}
/** The number of devices that still exist, or why the request to the bouncer failed. */
export type NotificationResult =
  | { readonly remaining: number }
  | { readonly failure: BouncerFailure };

/** Encryptions between which other work of the process goes on: each takes about 0.2 ms. */
const ENCRYPTED_AT_ONCE = 25;
/** The sizes to which payloads are padded, in bytes. */
const PADDED_SIZES = [256, 512, 1024, 2048, 2900];

/**
 * Sends payloads through the bouncer, at most MAX_PUSH_REQUESTS, each encrypted for its device. Ends
 * devices that the bouncer reports as dead. If the bouncer refuses the request, the halves are sent
 * alone, so that one notification fails no other. Do not call it in a transaction: it may take 15 s.
 */
export async function notifyDevices(
  app: App,
  realm: Realm,
  notifications: readonly DeviceNotification[],
  options: NotificationOptions,
): Promise<NotificationResult> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('No push bouncer is configured');
  if (notifications.length > MAX_PUSH_REQUESTS) throw new Error('Too many notifications at once');
  const devices = notifications.map(({ device }) => device);
  try {
    const response = await bouncer.push.notify(
      {
        realm_uuid: realm.uuid,
        push_requests: await requestsFor(app, notifications, options),
      },
      options.signal ? { signal: options.signal } : {},
    );
    for (const outcome of response.outcomes)
      if (!['accepted', 'queued', 'dead'].includes(outcome.outcome))
        app.log.warn(outcome, 'push bouncer: a notification cannot be delivered');
    const dead = devices.filter((device) =>
      response.delete_device_ids.includes(device.bouncer_device_id),
    );
    await app.change(realm, async (change) => {
      await endDevices(change, realm, dead);
      await recordPushStatus(change, { id: realm.id, ...response.realm_push_status });
    });
    return { remaining: devices.length - dead.length };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'refused' && notifications.length > 1)
      return notifyHalves(app, realm, notifications, options);
    await recordRejection(app, realm, failure);
    return { failure };
  }
}

async function notifyHalves(
  app: App,
  realm: Realm,
  notifications: readonly DeviceNotification[],
  options: NotificationOptions,
): Promise<NotificationResult> {
  const middle = Math.ceil(notifications.length / 2);
  let remaining = 0;
  for (const half of [notifications.slice(0, middle), notifications.slice(middle)]) {
    const result = await notifyDevices(app, realm, half, options);
    if ('remaining' in result) remaining += result.remaining;
    else if (result.failure.kind !== 'refused') return result;
    else
      app.log.error(
        { device_ids: half.map(({ device }) => device.id), reason: result.failure.reason },
        'push bouncer: a notification was refused',
      );
  }
  return { remaining };
}

async function requestsFor(
  { config }: App,
  notifications: readonly DeviceNotification[],
  { urgency }: NotificationOptions,
) {
  const requests: AskedPushRequests[TokenKind][] = [];
  for (const [at, { device, payload }] of notifications.entries()) {
    if (at % ENCRYPTED_AT_ONCE === ENCRYPTED_AT_ONCE - 1) await nextTurn();
    const { bouncer_device_id, token_kind, push_account_id, push_public_key } = device;
    const sizes = config.padsPushes ? PADDED_SIZES : [];
    const encrypted_data = payloadCipher.encrypt(payload, push_public_key, { sizes });
    requests.push(
      requestMakers[token_kind]({
        device_id: bouncer_device_id,
        payload: { push_account_id, encrypted_data },
        urgency,
      }),
    );
  }
  return requests;
}

interface EncryptedNotification {
  readonly device_id: number;
  readonly payload: { readonly push_account_id: bigint; readonly encrypted_data: string };
  readonly urgency: NotificationOptions['urgency'];
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
