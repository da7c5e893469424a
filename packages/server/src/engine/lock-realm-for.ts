import { ApiError, type Endpoint } from '@bellhop/protocol';

import type { App } from './app.ts';
import type { Tx } from './call.ts';
import type { Caller } from './caller.ts';
import { requireAccess } from './require-access.ts';

/** Whose call it is. */
export type RealmCaller = Pick<Caller, 'realm' | 'user'>;

/** Whether the contract says that a request with these parameters locks the realm. */
export const locksRealm = ({ locks, locksFor }: Endpoint, params: object): boolean =>
  locks === 'realm' ||
  locksFor.some((name) => (params as Record<string, unknown>)[name] !== undefined);

/**
 * Locks the realm. Returns it and the caller as they are then: an active caller stays active, with this
 * role, until the commit. Throws REALM_DEACTIVATED, USER_DEACTIVATED, and for a caller who may no longer call
 * the endpoint.
 */
export async function lockRealmFor(
  { realms, users }: Pick<App, 'realms' | 'users'>,
  endpoint: Pick<Endpoint, 'access'>,
  tx: Tx,
  before: RealmCaller,
): Promise<RealmCaller> {
  const realm = await realms.lock(tx, before.realm);
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  if (!before.user) return { realm, user: null };
  const user = await users.byIdIn(tx, before.user);
  if (!user?.is_active) throw new ApiError('USER_DEACTIVATED');
  requireAccess(endpoint, user);
  return { realm, user };
}
