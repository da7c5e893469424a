import sodium from 'libsodium-wrappers';

import { decodeBase64, encodeBase64 } from './base64.ts';
import { BadEncoding, CannotOpenBox } from './errors.ts';
import { parsePublicKey, parseSecretKey } from './keys.ts';
import { sealedBoxPayloads } from './payload-cipher.ts';
import type { Sealing } from './sealing.ts';
import { type Secretbox, secretboxPayloads } from './secretbox.ts';

export { decodeBase64, encodeBase64 } from './base64.ts';
export { BadEncoding, CannotOpenBox } from './errors.ts';
export { openJson, sealJson } from './json-box.ts';
export { parsePublicKey, parseSecretKey } from './keys.ts';
export type { KeyPair, PublicKey, SecretKey } from './keys.ts';
export { sealedBoxPayloads } from './payload-cipher.ts';
export type { DeviceKey, PayloadCipher } from './payload-cipher.ts';
export { OVERHEAD_BYTES } from './sealing.ts';
export type { Sealing } from './sealing.ts';
export type { Padding } from './json-box.ts';
export { SECRETBOX_OVERHEAD_BYTES, secretboxPayloads } from './secretbox.ts';
export type { Secretbox } from './secretbox.ts';
export { parseTokenId, tokenId } from './token-id.ts';

await sodium.ready;

/** Sealed boxes by libsodium, for services. */
export const sealing: Sealing = {
  generateKeyPair() {
    const { publicKey, privateKey } = sodium.crypto_box_keypair();
    return {
      publicKey: parsePublicKey(encodeBase64(publicKey)),
      secretKey: parseSecretKey(encodeBase64(privateKey)),
    };
  },

  keyPairOf(secretKey) {
    const publicKey = sodium.crypto_scalarmult_base(decodeBase64(secretKey));
    return { publicKey: parsePublicKey(encodeBase64(publicKey)), secretKey };
  },

  seal(plaintext, publicKey) {
    const key = decodeBase64(publicKey);
    try {
      return encodeBase64(sodium.crypto_box_seal(plaintext, key));
    } catch {
      throw new BadEncoding('The public key is unusable: it is a point of small order');
    }
  },

  open(box, { publicKey, secretKey }) {
    const sealed = decodeBase64(box);
    const keys = [decodeBase64(publicKey), decodeBase64(secretKey)] as const;
    try {
      return sodium.crypto_box_seal_open(sealed, ...keys);
    } catch {
      throw new CannotOpenBox();
    }
  },
};

/** The cipher of notifications, for services. */
export const payloadCipher = sealedBoxPayloads(sealing);

/** The boxes of `secretboxPayloads` by libsodium. */
export const secretbox: Secretbox = {
  randomBytes: (length) => sodium.randombytes_buf(length),
  seal: (plaintext, nonce, key) => sodium.crypto_secretbox_easy(plaintext, nonce, key),
  open(sealed, nonce, key) {
    try {
      return sodium.crypto_secretbox_open_easy(sealed, nonce, key);
    } catch {
      return undefined;
    }
  },
};

/** The cipher of notifications with a shared key, for services. */
export const secretboxCipher = secretboxPayloads(secretbox);
