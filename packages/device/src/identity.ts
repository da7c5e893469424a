import type { Client } from '@bellhop/client';
import type { PushGeneration } from '@bellhop/protocol';
import { type DeviceKey, payloadCipher, secretboxCipher } from '@bellhop/push-crypto/phone';

/** The number and key pair of an account on a phone, as JSON. They decrypt the account's notifications. */
export interface AccountIdentity {
  /** Decimal digits of a signed 64-bit integer. */
  readonly push_account_id: string;
  readonly key: DeviceKey;
}

/** A key that a phone shares with its chat server. It is secret. */
export interface SharedKey {
  /** 32 random bits. */
  readonly push_key_id: number;
  /** Base64 of 33 bytes. */
  readonly push_key: string;
}

/** The number that a chat server gave to a phone, and the phone's keys for it, as JSON. */
export interface ClientDeviceIdentity {
  readonly device_id: number;
  /** The key that the server has or gets. */
  readonly key: SharedKey;
  /** The newest first: what was sent before the server had `key` is still decrypted. */
  readonly older_keys: readonly SharedKey[];
}

export type DeviceIdentity = AccountIdentity | ClientDeviceIdentity;

/** Keys that a phone keeps beside its newest. */
const MAX_OLDER_KEYS = 8;

export const generationOf = (identity: DeviceIdentity): PushGeneration =>
  'device_id' in identity ? 'device' : 'account';

/** A new account on a phone: a random number and a key pair. */
export function newIdentity(): AccountIdentity {
  const [id = 0n] = crypto.getRandomValues(new BigInt64Array(1));
  return { push_account_id: String(id), key: payloadCipher.createKey() };
}

/**
 * Asks the chat server for a device_id, and makes a key for it. The server counts it as a new phone each
 * time. Throws its ApiError: NOT_FOUND below level 468.
 */
export async function addClientDevice(client: Client): Promise<ClientDeviceIdentity> {
  const { device_id } = await client.devices.registerClientDevice();
  return { device_id, key: newSharedKey(), older_keys: [] };
}

/** The identity with a new key. An account gets a new number too; a device keeps its number and older keys. */
export const withNewKey = (identity: DeviceIdentity): DeviceIdentity =>
  'device_id' in identity
    ? {
        ...identity,
        key: newSharedKey(),
        older_keys: [identity.key, ...identity.older_keys].slice(0, MAX_OLDER_KEYS),
      }
    : newIdentity();

/** The key of this ID, if the phone has it. */
export const sharedKeyOf = (
  { key, older_keys }: ClientDeviceIdentity,
  push_key_id: number,
): SharedKey | undefined => [key, ...older_keys].find((one) => one.push_key_id === push_key_id);

function newSharedKey(): SharedKey {
  const [push_key_id = 0] = crypto.getRandomValues(new Uint32Array(1));
  return { push_key_id, push_key: secretboxCipher.createKey().push_key };
}
