import type { KeyPair, PublicKey, SecretKey } from './keys.ts';

/** Bytes that a sealed box is longer than what is in it: the ephemeral public key and the tag. */
export const OVERHEAD_BYTES = 48;

/**
 * Sealed boxes as libsodium's `crypto_box_seal` makes them: X25519 and XSalsa20-Poly1305 under an
 * ephemeral sender key; nonce = BLAKE2b-24(ephemeral public key || recipient public key). Anybody can
 * seal, only the holder of the secret key can open, and nobody can tell who sealed.
 * Keys and boxes are base64 text, as they travel; what is in a box is bytes.
 */
export interface Sealing {
  generateKeyPair(): KeyPair;
  /** The pair a secret key belongs to. */
  keyPairOf(secretKey: SecretKey): KeyPair;
  /** Base64 of ephemeral public key, tag and ciphertext. Throws `BadEncoding` for an unusable key. */
  seal(plaintext: Uint8Array, publicKey: PublicKey): string;
  /** Throws `BadEncoding` if the box is not base64, `CannotOpenBox` for whatever else is wrong. */
  open(box: string, keyPair: KeyPair): Uint8Array;
}
