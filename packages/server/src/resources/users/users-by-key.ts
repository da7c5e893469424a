import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/** A user changed by another node is seen changed here this much later at most. */
const KEEP_MS = 1000;
const MOST = 10_000;

/** Finds users by the digest of their API key; answers are kept for a second. */
export function usersByKey(db: Db, clock: () => number = Date.now) {
  const kept = new Map<
    string,
    { readonly user: Promise<User | undefined>; readonly until: number }
  >();
  return (realm: Realm, mac: Buffer): Promise<User | undefined> => {
    const key = `${realm.id} ${mac.toString('latin1')}`;
    const known = kept.get(key);
    if (known && known.until > clock()) return known.user;
    if (kept.size >= MOST) kept.clear();
    const user = queries.byKey(db, realm.id, mac);
    kept.set(key, { user, until: clock() + KEEP_MS });
    user.catch(() => kept.delete(key));
    return user;
  };
}
