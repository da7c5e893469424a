import { BadEncoding } from './errors.ts';
import type { KeyPair, PublicKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

/** Seals a value as compact UTF-8 JSON: a push registration or a notification. */
export function sealJson(sealing: Sealing, value: object, publicKey: PublicKey): string {
  return sealing.seal(new TextEncoder().encode(JSON.stringify(value)), publicKey);
}

/** Opens a box with JSON. Throws as `Sealing.open`, and `BadEncoding` if it contains no JSON. */
export function openJson(sealing: Sealing, box: string, keyPair: KeyPair): unknown {
  const bytes = sealing.open(box, keyPair);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadEncoding('The sealed box does not contain UTF-8 JSON');
  }
}
