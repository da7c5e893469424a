import { ApiError, roles } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import * as realms from '../realms/queries.ts';
import * as queries from './queries.ts';

/** The realm of a request and its caller. */
export interface RealmCaller {
  readonly realm: Realm;
  readonly user: User;
}

/**
 * Locks the realm (`realms.lock`). Returns it and the caller as they are then: an active caller stays
 * active, with this role, until the commit. Throws USER_DEACTIVATED.
 */
export async function lockRealmAs(tx: Tx, caller: RealmCaller): Promise<RealmCaller> {
  const realm = await realms.locked(tx, caller.realm);
  const user = await queries.byId(tx, realm.id, caller.user.id);
  if (!user?.is_active) throw new ApiError('USER_DEACTIVATED');
  return { realm, user };
}

/** `lockRealmAs` for what only administrators may do. Throws UNAUTHORIZED_PRINCIPAL for others. */
export async function lockRealmAsAdmin(tx: Tx, caller: RealmCaller): Promise<RealmCaller> {
  const locked = await lockRealmAs(tx, caller);
  requireRole(locked.user, roles.admin);
  return locked;
}

/** `lockRealmAs` for what only owners may do. Throws UNAUTHORIZED_PRINCIPAL for others. */
export async function lockRealmAsOwner(tx: Tx, caller: RealmCaller): Promise<RealmCaller> {
  const locked = await lockRealmAs(tx, caller);
  requireRole(locked.user, roles.owner);
  return locked;
}
