import { ApiError, badRequest, type Role, roles, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import * as queries from './queries.ts';

/** The person or bot with this id, also a deactivated one. Throws BAD_REQUEST. */
export async function userToManage(db: Db, caller: User, id: UserId): Promise<User> {
  const user = await queries.byId(db, caller.realm_id, id);
  if (!user || user.is_system_bot) throw badRequest('No such user');
  return user;
}

/** The person with this id, also a deactivated one. Throws BAD_REQUEST, also for a bot. */
export async function personToManage(db: Db, caller: User, id: UserId): Promise<User> {
  const user = await userToManage(db, caller, id);
  if (user.is_bot) throw badRequest('No such user');
  return user;
}

const isOnlyOwner = async (db: Db, { realm_id, role, is_active }: User): Promise<boolean> =>
  role === roles.owner &&
  is_active &&
  (await queries.countActivePeople(db, realm_id, { lowestRole: roles.owner })) === 1;

/**
 * Throws BAD_REQUEST if the only owner would lose the role or a guest would become an administrator,
 * UNAUTHORIZED_PRINCIPAL if the role of an owner is added or removed by somebody else (spec, Update a
 * user). The specification does not say how a guest could become an administrator: directly, we refuse.
 */
export async function requireMaySetRole(
  db: Db,
  { caller, user, role }: { caller: User; user: User; role: Role },
): Promise<void> {
  if (user.role === role) return;
  if (user.role === roles.owner || role === roles.owner) requireRole(caller, roles.owner);
  if (await isOnlyOwner(db, user))
    throw badRequest('The owner permission cannot be removed from the only organization owner.');
  if (user.role === roles.guest && role <= roles.admin)
    throw badRequest('Guests cannot be organization administrators');
}

/** Throws unless `caller` may deactivate a user (spec, Deactivate a user). */
export async function requireMayDeactivate(db: Db, caller: User, user: User): Promise<void> {
  if (await isOnlyOwner(db, user))
    throw badRequest('Cannot deactivate the only organization owner');
  if (user.role === roles.owner) requireRole(caller, roles.owner);
}

/** Throws CANNOT_DEACTIVATE_LAST_USER for the only owner and for the only person of a realm. */
export async function requireMayLeave(db: Db, user: User): Promise<void> {
  const refuse = (is_last_owner: boolean) => {
    const entity = is_last_owner ? 'organization owner' : 'user';
    throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', {
      message: `Cannot deactivate the only ${entity}.`,
      data: { is_last_owner, entity },
    });
  };
  if (await isOnlyOwner(db, user)) refuse(true);
  const people = await queries.countActivePeople(db, user.realm_id, { lowestRole: roles.guest });
  if (people === 1) refuse(false);
}
