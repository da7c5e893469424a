import type { StoredKey } from './queries.ts';
import { openSecret } from './seal-secret.ts';

/** Stored keys cannot be opened with the encryption keys of the configuration. */
export class SealedKeyError extends Error {
  constructor(publicKeys: readonly string[]) {
    const pairs = publicKeys.length === 1 ? 'pair' : 'pairs';
    super(
      `BELLHOP_BOUNCER_ENCRYPTION_KEY is not the one that the stored key ${pairs} ${publicKeys.join(', ')} is encrypted with. Set the one that the bouncers have, or had when the backup was made, behind a newer one; if it is lost: "bellhop bouncer keys first --force" gives the pairs up`,
    );
  }
}

/** Throws a SealedKeyError if one of these that is not retired cannot be opened. */
export function requireOpenable(
  stored: readonly StoredKey[],
  encryptionKeys: readonly string[],
): void {
  const closed = stored.filter(
    ({ public_key, sealed_secret, retired_at }) =>
      retired_at === null &&
      sealed_secret !== null &&
      openSecret(sealed_secret, public_key, encryptionKeys) === undefined,
  );
  if (closed.length > 0) throw new SealedKeyError(closed.map(({ public_key }) => public_key));
}
