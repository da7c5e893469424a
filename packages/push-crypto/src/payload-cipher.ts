import { openJson, type Padding, sealJson } from './json-box.ts';
import { parsePublicKey, parseSecretKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

/**
 * A phone's keys for one account. The server gets `push_key`; the phone decrypts with `secret_key`, which in
 * the form `sealed_box` nobody else has.
 */
export interface DeviceKey {
  readonly push_key: string;
  readonly secret_key: string;
}

/**
 * Encrypts the content of notifications (`encrypted_data`) between server and phone. Generations of
 * the protocol differ in `form`. Keys are text, results base64.
 */
export interface PayloadCipher {
  readonly form: 'sealed_box' | 'secretbox';
  createKey(): DeviceKey;
  /** Throws `BadEncoding` if the key is not of this form. */
  requireKey(pushKey: string): void;
  /** Base64 of the encrypted compact JSON. Throws `BadEncoding` for a key of another form. */
  encrypt(payload: object, pushKey: string, padding?: Padding): string;
  /** Returns the payload. Throws `BadEncoding` or `CannotOpenBox`. */
  decrypt(encryptedData: string, key: DeviceKey): unknown;
}

/** Feature levels 406 to 431: a sealed box for the phone's `push_public_key`. */
export function sealedBoxPayloads(sealing: Sealing): PayloadCipher {
  return {
    form: 'sealed_box',
    createKey() {
      const { publicKey, secretKey } = sealing.generateKeyPair();
      return { push_key: publicKey, secret_key: secretKey };
    },
    requireKey: (pushKey) => void parsePublicKey(pushKey),
    encrypt: (payload, pushKey, padding) =>
      sealJson(sealing, payload, parsePublicKey(pushKey), padding),
    decrypt: (encryptedData, key) =>
      openJson(sealing, encryptedData, {
        publicKey: parsePublicKey(key.push_key),
        secretKey: parseSecretKey(key.secret_key),
      }),
  };
}
