import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type AskedPushRequests,
  MAX_TTL,
  type PushPayload,
  type TokenKind,
} from '@bellhop/protocol';
import { OVERHEAD_BYTES, payloadCipher } from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type * as queries from './queries.ts';
import type { Encryption, PushCause } from './traces/push-facts.ts';

export interface DeviceNotification {
  readonly device: queries.ActiveDevice;
  readonly payload: PushPayload;
  readonly cause: PushCause;
}
/** `alert`: the phone shows it at once. `background`: the phone may wait. */
export type Urgency = 'alert' | 'background';

/** An item of `push_requests`. */
export type BouncerRequest = AskedPushRequests[TokenKind];

export interface EncryptedNotification extends DeviceNotification {
  readonly request: BouncerRequest;
  readonly encryption: Encryption;
}

/** Encryptions between which other work of the process goes on: each takes about 0.2 ms. */
const ENCRYPTED_AT_ONCE = 25;
/** The sizes to which payloads are padded, in bytes. */
const PADDED_SIZES = [256, 512, 1024, 2048, 2900];

/** Encrypts each payload for its device. Each call has another result. */
export async function encryptNotifications<N extends DeviceNotification>(
  { config }: Pick<App, 'config'>,
  notifications: readonly N[],
  urgency: Urgency,
): Promise<(N & EncryptedNotification)[]> {
  const sizes = config.padsPushes ? PADDED_SIZES : [];
  const encrypted: (N & EncryptedNotification)[] = [];
  for (const [at, notification] of notifications.entries()) {
    if (at % ENCRYPTED_AT_ONCE === ENCRYPTED_AT_ONCE - 1) await nextTurn();
    const { device, payload } = notification;
    const { bouncer_device_id, token_kind, push_account_id, push_public_key } = device;
    const encrypted_data = payloadCipher.encrypt(payload, push_public_key, { sizes });
    const request = requestMakers[token_kind]({
      device_id: bouncer_device_id,
      payload: { push_account_id, encrypted_data },
      urgency,
    });
    const encryption = {
      encrypted_ms: Date.now(),
      plaintext_bytes: Buffer.byteLength(JSON.stringify(payload)),
      padded_bytes: Buffer.byteLength(encrypted_data, 'base64') - OVERHEAD_BYTES,
    };
    encrypted.push({ ...notification, request, encryption });
  }
  return encrypted;
}

interface RequestParts {
  readonly device_id: number;
  readonly payload: { readonly push_account_id: bigint; readonly encrypted_data: string };
  readonly urgency: Urgency;
}

const requestMakers: { [K in TokenKind]: (parts: RequestParts) => AskedPushRequests[K] } = {
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
  webpush: ({ device_id, payload, urgency }) => ({
    device_id,
    webpush_headers: { ttl: MAX_TTL, urgency: urgency === 'alert' ? 'high' : 'normal' },
    payload,
  }),
};
