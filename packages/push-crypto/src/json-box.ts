import { BadEncoding } from './errors.ts';
import type { KeyPair, PublicKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

export interface Padding {
  /** Sizes of the plaintext in bytes, ascending. Spaces after the JSON fill the smallest that fits. */
  readonly sizes?: readonly number[];
}

/** Seals a value as compact UTF-8 JSON: a push registration or a notification. */
export function sealJson(
  sealing: Sealing,
  value: object,
  publicKey: PublicKey,
  { sizes = [] }: Padding = {},
): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const size = sizes.find((one) => one >= bytes.length) ?? bytes.length;
  const padded = new Uint8Array(size).fill(SPACE);
  padded.set(bytes);
  return sealing.seal(padded, publicKey);
}
const SPACE = 0x20;

/** Opens a box with JSON. Throws as `Sealing.open`, and `BadEncoding` if it contains no JSON. */
export function openJson(sealing: Sealing, box: string, keyPair: KeyPair): unknown {
  const bytes = sealing.open(box, keyPair);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadEncoding('The sealed box does not contain UTF-8 JSON');
  }
}
