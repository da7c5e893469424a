import { openJson, sealJson } from './json-box.ts';
import { parsePublicKey, parseSecretKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

/** What a phone holds for one account. `push_key` goes to the server, `secret_key` never leaves. */
export interface DeviceKey {
  readonly push_key: string;
  readonly secret_key: string;
}

/**
 * How the content of a notification (`encrypted_data`) is hidden between server and phone. There is
 * one form per generation of the protocol; all of them have text for keys and base64 as result.
 */
export interface PayloadCipher {
  readonly form: 'sealed_box';
  createKey(): DeviceKey;
  /** Throws `BadEncoding` if the key is not one of this form. */
  requireKey(pushKey: string): void;
  /** Base64 of the encrypted compact JSON. Throws `BadEncoding` for a key of another form. */
  encrypt(payload: object, pushKey: string): string;
  /** The payload again. Throws `BadEncoding` or `CannotOpenBox`. */
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
    encrypt: (payload, pushKey) => sealJson(sealing, payload, parsePublicKey(pushKey)),
    decrypt: (encryptedData, key) =>
      openJson(sealing, encryptedData, {
        publicKey: parsePublicKey(key.push_key),
        secretKey: parseSecretKey(key.secret_key),
      }),
  };
}
