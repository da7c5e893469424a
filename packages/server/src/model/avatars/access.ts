import { badRequest, roles } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';

/**
 * Throws BAD_REQUEST if only administrators may change avatars in the realm and the user is not an
 * administrator.
 */
export function requireMayChangeAvatar(realm: Realm, { role }: User): void {
  if (settingsOf(realm).avatar_changes_disabled && role > roles.admin)
    throw badRequest('Avatar changes are disabled in this organization.');
}
