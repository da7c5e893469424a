import { badRequest, roles } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';

/** Throws BAD_REQUEST while the realm lets only administrators change their addresses. */
export function requireMayChangeEmail(realm: Realm, { role }: Pick<User, 'role'>): void {
  if (settingsOf(realm).email_changes_disabled && role > roles.admin)
    throw badRequest('Email address changes are disabled in this organization.');
}
