import { decodeBase64 } from './base64.ts';
import { BadEncoding } from './errors.ts';

declare const kind: unique symbol;

/** An X25519 public key: base64 of 32 bytes, always 44 characters. Made by `parsePublicKey`. */
export type PublicKey = string & { readonly [kind]: 'PublicKey' };
/** An X25519 secret key: base64 of 32 bytes, always 44 characters. Never log it. */
export type SecretKey = string & { readonly [kind]: 'SecretKey' };

export interface KeyPair {
  readonly publicKey: PublicKey;
  readonly secretKey: SecretKey;
}

/** Length of a key, in bytes. */
export const KEY_BYTES = 32;

/** Checks that the text is base64 of 32 bytes. Throws `BadEncoding`. */
export function parsePublicKey(text: string): PublicKey {
  requireKey(text, 'public');
  return text as PublicKey;
}

/** Checks that the text is base64 of 32 bytes. Throws `BadEncoding`, which never quotes the key. */
export function parseSecretKey(text: string): SecretKey {
  requireKey(text, 'secret');
  return text as SecretKey;
}

function requireKey(text: string, name: string): void {
  const { length } = decodeBase64(text);
  if (length !== KEY_BYTES) {
    throw new BadEncoding(`A ${name} key has ${KEY_BYTES} bytes, this one has ${length}`);
  }
}
