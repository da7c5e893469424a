import { badRequest, type BotType } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isInGroup } from '../user-groups/access.ts';

const INCOMING_WEBHOOK = 2;
const EMBEDDED = 4;

/**
 * Throws BAD_REQUEST where somebody may not make a bot of this type: `can_create_bots_group` lets
 * make any, `can_create_write_only_bots_group` incoming webhooks. Bots make none.
 */
export async function requireCanCreateBot(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  type: BotType,
): Promise<void> {
  if (user.is_bot) throw badRequest('A bot cannot create bots.');
  if (type === EMBEDDED) throw badRequest('Embedded bots are not enabled on this server.');
  const { can_create_bots_group, can_create_write_only_bots_group } = realm.group_settings;
  if (await isInGroup(db, user, can_create_bots_group)) return;
  if (type === INCOMING_WEBHOOK && (await isInGroup(db, user, can_create_write_only_bots_group)))
    return;
  throw badRequest('Insufficient permission: you may not create bots of this type.');
}
