import { decodeBase64 } from './base64.ts';
import { BadEncoding } from './errors.ts';

declare const kind: unique symbol;

/** An X25519 public key, base64 of 32 bytes. `parsePublicKey` makes one from text. */
export type PublicKey = string & { readonly [kind]: 'PublicKey' };
/** An X25519 secret key, base64 of 32 bytes. Never log it. */
export type SecretKey = string & { readonly [kind]: 'SecretKey' };

export interface KeyPair {
  readonly publicKey: PublicKey;
  readonly secretKey: SecretKey;
}

export const KEY_BYTES = 32;

/** Checks that the text is base64 of 32 bytes. Throws `BadEncoding`. */
export function parsePublicKey(text: string): PublicKey {
  requireKey(text, 'public');
  return text as PublicKey;
}

/** Checks that the text is base64 of 32 bytes. Throws `BadEncoding`; its message never has the key. */
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
