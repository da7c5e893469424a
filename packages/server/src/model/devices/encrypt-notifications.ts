import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PushPayload } from '@bellhop/protocol';
import { OVERHEAD_BYTES, payloadCipher } from '@bellhop/push-crypto';

import type { App } from '../../engine/app.ts';
import type * as queries from './queries.ts';
import { type BouncerRequest, requestFor } from './request-for.ts';
import type { Encryption, PushCause } from './traces/push-facts.ts';

export interface DeviceNotification {
  readonly device: queries.ActiveDevice;
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

/** Encrypts each payload for its device. Each call has another result. */
export async function encryptNotifications<N extends DeviceNotification>(
  { config, now, nowMs }: Pick<App, 'config' | 'now' | 'nowMs'>,
  notifications: readonly N[],
): Promise<(N & EncryptedNotification)[]> {
  const sizes = config.padsPushes ? PADDED_SIZES : [];
  const encrypted: (N & EncryptedNotification)[] = [];
  for (const [at, notification] of notifications.entries()) {
    if (at % ENCRYPTED_AT_ONCE === ENCRYPTED_AT_ONCE - 1) await nextTurn();
    const { device, payload } = notification;
    const encrypted_data = payloadCipher.encrypt(payload, device.push_public_key, { sizes });
    const request = requestFor(device.token_kind, { device, payload, encrypted_data, now: now() });
    const encryption = {
      encrypted_ms: nowMs(),
      plaintext_bytes: Buffer.byteLength(JSON.stringify(payload)),
      padded_bytes: Buffer.byteLength(encrypted_data, 'base64') - OVERHEAD_BYTES,
    };
    encrypted.push({ ...notification, request, encryption });
  }
  return encrypted;
}
