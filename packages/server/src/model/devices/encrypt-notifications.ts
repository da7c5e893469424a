import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PushPayload } from '@bellhop/protocol';
import {
  OVERHEAD_BYTES,
  payloadCipher,
  SECRETBOX_OVERHEAD_BYTES,
  secretboxCipher,
} from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type { ActiveDevice } from './active-devices.ts';
import { type BouncerRequest, requestFor } from './request-for.ts';
import type { Encryption, PushCause } from './traces/push-facts.ts';

export interface DeviceNotification {
  readonly device: ActiveDevice;
  readonly payload: PushPayload;
  readonly cause: PushCause;
}

export interface EncryptedNotification extends DeviceNotification {
  readonly request: BouncerRequest;
  readonly encryption: Encryption;
}

/** Encryptions between which other work of the process goes on: each takes about 0.2 ms. */
const ENCRYPTED_AT_ONCE = 25;
/** The sizes to which payloads are padded, in bytes. */
const PADDED_SIZES = [256, 512, 1024, 2048, 2900];

const ciphers = {
  account: { cipher: payloadCipher, overhead: OVERHEAD_BYTES },
  token: { cipher: secretboxCipher, overhead: SECRETBOX_OVERHEAD_BYTES },
};

/** Encrypts each payload for its device. Each call has another result. */
export async function encryptNotifications<N extends DeviceNotification>(
  { config, secrets, now, nowMs }: Pick<App, 'config' | 'secrets' | 'now' | 'nowMs'>,
  notifications: readonly N[],
): Promise<(N & EncryptedNotification)[]> {
  const sizes = config.padsPushes ? PADDED_SIZES : [];
  const encrypted: (N & EncryptedNotification)[] = [];
  for (const [at, notification] of notifications.entries()) {
    if (at % ENCRYPTED_AT_ONCE === ENCRYPTED_AT_ONCE - 1) await nextTurn();
    const { device, payload } = notification;
    const { cipher, overhead } = ciphers[device.form];
    const key = device.form === 'token' ? secrets.open(device.push_key) : device.push_public_key;
    const encrypted_data = cipher.encrypt(payload, key, { sizes });
    const parts = { device, key, payload, encrypted_data, now: now() };
    const request = requestFor(device.token_kind, parts);
    const encryption = {
      encrypted_ms: nowMs(),
      plaintext_bytes: Buffer.byteLength(JSON.stringify(payload)),
      padded_bytes: Buffer.byteLength(encrypted_data, 'base64') - overhead,
    };
    encrypted.push({ ...notification, request, encryption });
  }
  return encrypted;
}
