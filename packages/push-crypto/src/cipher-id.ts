import { hash } from 'node:crypto';

const DIGITS = 16;

/**
 * The name of one ciphertext in the traces of all services: the first 16 hexadecimal digits of the
 * SHA-256 of the text of `encrypted_data`. Each encryption has a different one.
 */
export const cipherId = (encryptedData: string): string =>
  hash('sha256', encryptedData).slice(0, DIGITS);

/** Names a public key of a phone without telling it: 16 hexadecimal digits. */
export const keyFingerprint = (publicKey: string): string =>
  hash('sha256', publicKey).slice(0, DIGITS);
