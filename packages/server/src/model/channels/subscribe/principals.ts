import { badRequest, type UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { User, UserInRealm } from '../../../engine/caller.ts';
import { visibleByIds } from '../../users/access.ts';
import { requireByAddress } from '../../users/users-by-address.ts';

/**
 * The users to subscribe or unsubscribe, named by id or by e-mail address; without names the caller.
 * Throws BAD_REQUEST for an unknown or deactivated user and for a system bot.
 */
export async function principalsOf(
  db: Db,
  { realm, user }: UserInRealm,
  named: readonly UserId[] | readonly string[] | undefined,
): Promise<readonly User[]> {
  if (named === undefined || named.length === 0) return [user];
  const ids = named.filter((one) => typeof one === 'number');
  const emails = named.filter((one) => typeof one === 'string');
  const found =
    ids.length > 0
      ? await visibleByIds(db, { realm, viewer: user }, ids)
      : await requireByAddress(db, { realm, viewer: user }, [...new Set(emails)]);
  const known = new Set<number>(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
  const bot = found.find(({ is_system_bot }) => is_system_bot);
  if (bot) throw badRequest(`${bot.full_name} cannot be subscribed to channels`);
  const gone = found.find(({ is_active }) => !is_active);
  if (gone) throw badRequest(`User ${gone.id} is deactivated`);
  return found;
}
