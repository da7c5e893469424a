import { badRequest, roles } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { personName } from '../users/person-details.ts';

/**
 * The name that a user gives themselves; the present one if none is given. Throws BAD_REQUEST for a
 * bad name, one in use, or a user who may not change it.
 */
export async function newOwnName(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  name: string | undefined,
): Promise<string> {
  if (name === undefined || name.trim() === user.full_name) return user.full_name;
  if (settingsOf(realm).name_changes_disabled && user.role > roles.admin)
    throw badRequest('Name changes are disabled in this organization.');
  return personName(db, realm, { name, own: user.id });
}
