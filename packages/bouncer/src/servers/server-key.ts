import type { RemoteServer } from './queries.ts';
import { matches } from './secret-hash.ts';

type StoredKeys = Pick<RemoteServer, 'key_hash' | 'former_key_hash' | 'former_key_until'>;

/** Which key of the server this is: the current one, or the one before it while that is valid. */
export function keyOf(
  { key_hash, former_key_hash, former_key_until }: StoredKeys,
  key: string,
  nowMs: number,
): 'current' | 'former' | undefined {
  if (matches(key, key_hash)) return 'current';
  const isValid = former_key_until !== null && former_key_until.getTime() > nowMs;
  return isValid && former_key_hash && matches(key, former_key_hash) ? 'former' : undefined;
}
