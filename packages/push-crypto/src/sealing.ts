import type { KeyPair, PublicKey, SecretKey } from './keys.ts';

/** Bytes that a sealed box adds to the plaintext: the ephemeral public key and the tag. */
export const OVERHEAD_BYTES = 48;

/**
 * Sealed boxes of libsodium's `crypto_box_seal`: X25519 and XSalsa20-Poly1305 with an ephemeral sender
 * key; nonce = BLAKE2b-24(ephemeral public key || recipient public key). Everybody can seal, only the
 * owner of the secret key can open, and the sender stays unknown. Keys and boxes are base64 text, the
 * plaintext is bytes.
 */
export interface Sealing {
  generateKeyPair(): KeyPair;
  /** The pair of a secret key. */
  keyPairOf(secretKey: SecretKey): KeyPair;
  /** Base64 of ephemeral public key, tag and ciphertext. Throws `BadEncoding` for an unusable key. */
  seal(plaintext: Uint8Array, publicKey: PublicKey): string;
  /** Throws `BadEncoding` if the box is not base64, else `CannotOpenBox`. */
  open(box: string, keyPair: KeyPair): Uint8Array;
}
