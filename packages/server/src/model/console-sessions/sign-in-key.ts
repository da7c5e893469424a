import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import { hashOf } from './find-session.ts';
import * as queries from './queries.ts';

const KEY_SECONDS = 86_400;

/**
 * Creates the key of a link that signs these users in to the console, together and once, within a
 * day. `now` is in UNIX seconds.
 */
export async function createSignInKey(
  tx: Tx,
  users: readonly Pick<User, 'realm_id' | 'id'>[],
  now: number,
): Promise<string> {
  const key = newSecret();
  await queries.insertKey(tx, users, { key_hash: hashOf(key), expires_at: now + KEY_SECONDS });
  return key;
}
