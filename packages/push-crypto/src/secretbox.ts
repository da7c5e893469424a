import { decodeBase64, encodeBase64 } from './base64.ts';
import { BadEncoding, CannotOpenBox } from './errors.ts';
import { bytesOfJson, parseJsonBytes } from './json-box.ts';
import { KEY_BYTES } from './keys.ts';
import type { PayloadCipher } from './payload-cipher.ts';

/** libsodium's `crypto_secretbox_easy`: XSalsa20-Poly1305, the 16 bytes of the tag first. */
export interface Secretbox {
  randomBytes(length: number): Uint8Array;
  seal(plaintext: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array;
  /** Undefined if the box is damaged or was made with another key or nonce. */
  open(sealed: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array | undefined;
}

/** The first byte of a `push_key`: it says what the other 32 bytes are for. */
const SECRETBOX_KEY = 0x31;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** Bytes that `encrypted_data` of this form adds to the plaintext: the nonce and the tag. */
export const SECRETBOX_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Feature level 432 and later: phone and server share the 32 bytes behind the first one of `push_key`.
 * `encrypted_data` is base64 of a random nonce and the box. Both texts of a `DeviceKey` are the
 * `push_key`, which is secret.
 */
export const secretboxPayloads = (secretbox: Secretbox): PayloadCipher => ({
  form: 'secretbox',
  createKey() {
    const push_key = encodeBase64(
      Uint8Array.of(SECRETBOX_KEY, ...secretbox.randomBytes(KEY_BYTES)),
    );
    return { push_key, secret_key: push_key };
  },
  requireKey: (pushKey) => void parsePushKey(pushKey),
  encrypt(payload, pushKey, padding) {
    const key = parsePushKey(pushKey);
    const nonce = secretbox.randomBytes(NONCE_BYTES);
    const sealed = secretbox.seal(bytesOfJson(payload, padding), nonce, key);
    return encodeBase64(Uint8Array.of(...nonce, ...sealed));
  },
  decrypt(encryptedData, { secret_key }) {
    const key = parsePushKey(secret_key);
    const bytes = decodeBase64(encryptedData);
    if (bytes.length < SECRETBOX_OVERHEAD_BYTES) throw new CannotOpenBox();
    const opened = secretbox.open(bytes.subarray(NONCE_BYTES), bytes.subarray(0, NONCE_BYTES), key);
    if (!opened) throw new CannotOpenBox();
    return parseJsonBytes(opened);
  },
});

/** The 32 bytes of a `push_key`. Throws `BadEncoding`; its message never has the key. */
function parsePushKey(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes.length !== KEY_BYTES + 1)
    throw new BadEncoding(`A push key has ${KEY_BYTES + 1} bytes, this one has ${bytes.length}`);
  if (bytes[0] !== SECRETBOX_KEY)
    throw new BadEncoding('The first byte of a push key must be 0x31: another kind is unknown');
  return bytes.subarray(1);
}
