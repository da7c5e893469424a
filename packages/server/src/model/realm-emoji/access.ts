import { badRequest, roles } from '@bellhop/protocol';

import { isBuiltInName } from '../../emoji/built-in-emoji.ts';
import type { Db } from '../../engine/call.ts';
import type { User, UserInRealm } from '../../engine/caller.ts';
import { isInGroup } from '../user-groups/access.ts';

/** Throws BAD_REQUEST unless the user may add a custom emoji with this name. */
export async function requireMayAdd(
  db: Db,
  { realm, user }: UserInRealm,
  name: string,
): Promise<void> {
  if (user.is_bot) throw badRequest('This endpoint does not accept bot requests.');
  if (!(await isInGroup(db, user, realm.group_settings.can_add_custom_emoji_group)))
    throw badRequest('Insufficient permission');
  if (isBuiltInName(name) && user.role > roles.admin)
    throw badRequest('Only administrators can override default emoji.');
}

/** Throws BAD_REQUEST unless the user is an administrator or the author. */
export function requireMayRemove(
  { id, role }: User,
  { author_id }: { readonly author_id: number },
): void {
  if (role > roles.admin && id !== author_id)
    throw badRequest('Must be an organization administrator or emoji author');
}
