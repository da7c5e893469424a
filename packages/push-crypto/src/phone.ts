import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';

import { decodeBase64, encodeBase64 } from './base64.ts';
import { BadEncoding, CannotOpenBox } from './errors.ts';
import { KEY_BYTES, parsePublicKey, parseSecretKey } from './keys.ts';
import { sealedBoxPayloads } from './payload-cipher.ts';
import { OVERHEAD_BYTES, type Sealing } from './sealing.ts';
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

/**
 * Sealed boxes for phones and browsers, in plain JavaScript without WebAssembly, Node APIs or
 * asynchronous start. `randomBytes`: for platforms on which tweetnacl finds no randomness.
 */
export function createPhoneSealing(
  randomBytes: (length: number) => Uint8Array = (length) => nacl.randomBytes(length),
): Sealing {
  const newKeys = () => nacl.box.keyPair.fromSecretKey(randomBytes(KEY_BYTES));
  return {
    generateKeyPair: () => encodeKeys(newKeys()),

    keyPairOf: (secretKey) => encodeKeys(nacl.box.keyPair.fromSecretKey(decodeBase64(secretKey))),

    seal(plaintext, publicKey) {
      const recipient = decodeBase64(publicKey);
      const ephemeral = newKeys();
      if (isLowOrder(recipient, ephemeral.secretKey)) {
        throw new BadEncoding('The public key is unusable: it is a point of small order');
      }
      const nonce = nonceOf(ephemeral.publicKey, recipient);
      const sealed = nacl.box(plaintext, nonce, recipient, ephemeral.secretKey);
      return encodeBase64(join(ephemeral.publicKey, sealed));
    },

    open(box, { publicKey, secretKey }) {
      const sealed = decodeBase64(box);
      const recipient = decodeBase64(publicKey);
      const secret = decodeBase64(secretKey);
      if (sealed.length < OVERHEAD_BYTES) throw new CannotOpenBox();
      const sender = sealed.subarray(0, KEY_BYTES);
      if (isLowOrder(sender, secret)) throw new CannotOpenBox();
      const nonce = nonceOf(sender, recipient);
      const opened = nacl.box.open(sealed.subarray(KEY_BYTES), nonce, sender, secret);
      if (opened === null) throw new CannotOpenBox();
      return opened;
    },
  };
}

/** Sealed boxes with tweetnacl's randomness. */
export const sealing: Sealing = createPhoneSealing();

/** The cipher of notifications, for phones and browsers. */
export const payloadCipher = sealedBoxPayloads(sealing);

/** The boxes of `secretboxPayloads`; `randomBytes` as for `createPhoneSealing`. */
export const createPhoneSecretbox = (
  randomBytes: (length: number) => Uint8Array = (length) => nacl.randomBytes(length),
): Secretbox => ({
  randomBytes,
  seal: (plaintext, nonce, key) => nacl.secretbox(plaintext, nonce, key),
  open: (sealed, nonce, key) => nacl.secretbox.open(sealed, nonce, key) ?? undefined,
});

/** The cipher of notifications with a shared key, for phones and browsers. */
export const secretboxCipher = secretboxPayloads(createPhoneSecretbox());

/** Such keys make the shared secret zero. libsodium rejects them, tweetnacl does not. */
function isLowOrder(publicKey: Uint8Array, secretKey: Uint8Array): boolean {
  return nacl.scalarMult(secretKey, publicKey).every((byte) => byte === 0);
}

function nonceOf(ephemeral: Uint8Array, recipient: Uint8Array): Uint8Array {
  return blake2b(join(ephemeral, recipient), { dkLen: nacl.box.nonceLength });
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function encodeKeys(keys: nacl.BoxKeyPair) {
  return {
    publicKey: parsePublicKey(encodeBase64(keys.publicKey)),
    secretKey: parseSecretKey(encodeBase64(keys.secretKey)),
  };
}
