import { badRequest, type RealmId, type UserGroupId, type UserId } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { type UserView, visibleByIds } from '../users/access.ts';
import * as queries from './queries.ts';

/**
 * The users with these ids, who may become members of a group. Throws BAD_REQUEST for an unknown or
 * deactivated user and for a system bot.
 */
export async function newMembers(
  db: Db,
  view: UserView,
  ids: readonly UserId[],
): Promise<readonly User[]> {
  if (ids.length === 0) return [];
  const found = await visibleByIds(db, view, ids);
  const known = new Set(found.filter((user) => !user.is_system_bot).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
  const gone = found.find(({ is_active }) => !is_active);
  if (gone) throw badRequest(`User with ID ${gone.id} is deactivated`);
  return found;
}

/** Throws BAD_REQUEST for a group that is unknown, deactivated or anonymous. Locks the others. */
export async function requireUsableGroups(
  tx: Tx,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<void> {
  const usable = await queries.usable(tx, realm, ids);
  const known = new Set(usable.filter(({ name }) => name !== null).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`);
}
