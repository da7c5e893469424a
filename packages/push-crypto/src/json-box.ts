import { BadEncoding } from './errors.ts';
import type { KeyPair, PublicKey } from './keys.ts';
import type { Sealing } from './sealing.ts';

/** Seals a value as compact UTF-8 JSON, the form of push registrations and of notifications. */
export function sealJson(sealing: Sealing, value: object, publicKey: PublicKey): string {
  return sealing.seal(new TextEncoder().encode(JSON.stringify(value)), publicKey);
}

/** Opens what `sealJson` made. Throws as `Sealing.open`, and `BadEncoding` if no JSON is inside. */
export function openJson(sealing: Sealing, box: string, keyPair: KeyPair): unknown {
  const bytes = sealing.open(box, keyPair);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadEncoding('The opened box does not hold UTF-8 JSON');
  }
}
