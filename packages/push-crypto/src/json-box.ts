import { BadEncoding } from './errors.ts';
import type { KeyPair, PublicKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

export interface Padding {
  /** Sizes of the plaintext in bytes, ascending. Spaces after the JSON fill the smallest that fits. */
  readonly sizes?: readonly number[];
}

/** Seals a value as compact UTF-8 JSON: a push registration or a notification. */
export const sealJson = (
  sealing: Sealing,
  value: object,
  publicKey: PublicKey,
  padding?: Padding,
): string => sealing.seal(bytesOfJson(value, padding), publicKey);

/** Opens a box with JSON. Throws as `Sealing.open`, and `BadEncoding` if it contains no JSON. */
export const openJson = (sealing: Sealing, box: string, keyPair: KeyPair): unknown =>
  parseJsonBytes(sealing.open(box, keyPair));

/** The value as compact UTF-8 JSON, with its padding. */
export function bytesOfJson(value: object, { sizes = [] }: Padding = {}): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const size = sizes.find((one) => one >= bytes.length) ?? bytes.length;
  const padded = new Uint8Array(size).fill(SPACE);
  padded.set(bytes);
  return padded;
}
const SPACE = 0x20;

/** Parses what a box contained. Throws `BadEncoding` if it is no JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadEncoding('The box does not contain UTF-8 JSON');
  }
}
