import {
  ApiError,
  badRequest,
  type BotType,
  type Role,
  roles,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User, UserInRealm } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import { isInGroup } from '../user-groups/access.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';

const INCOMING_WEBHOOK = 2;
const EMBEDDED = 4;

/**
 * The bot with this id, also a deactivated one, for its owner or an administrator. Throws BAD_REQUEST,
 * and UNAUTHORIZED_PRINCIPAL for another user's bot with the role of an owner.
 */
export async function botToManage(db: Db, { realm, user }: UserInRealm, id: UserId): Promise<User> {
  const bot = await users.byId(db, realm.id, id);
  if (!bot?.is_bot || bot.is_system_bot) throw badRequest('No such bot');
  if (bot.bot_owner_id === user.id) return bot;
  if (user.role > roles.admin) throw badRequest('Insufficient permission');
  if (bot.role === roles.owner) requireRole(user, roles.owner);
  return bot;
}

/** Whether a user may read the API key and tokens of a bot: not if the bot has a higher role. */
export const readsSecrets = (user: Pick<User, 'role'>, bot: Pick<User, 'role'>): boolean =>
  user.role <= bot.role;

/** Throws UNAUTHORIZED_PRINCIPAL if the bot has a higher role than the user. */
export function requireReadsSecrets(user: User, bot: User): void {
  if (!readsSecrets(user, bot))
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', {
      message: 'The bot has a higher role than you: its keys are not for you.',
    });
}

/** Throws UNAUTHORIZED_PRINCIPAL unless `user` may give a bot of role `from` the role `to`. */
export function requireCanSetRole(user: User, { from, to }: { from: Role; to: Role }): void {
  requireRole(user, from === roles.owner || to === roles.owner ? roles.owner : roles.admin);
}

/** The user with this id as the new owner of a bot. Throws BAD_REQUEST if they cannot own bots. */
export async function newOwner(db: Db, realm: Realm, id: UserId): Promise<User> {
  const owner = await users.byId(db, realm.id, id);
  if (!owner) throw badRequest('Failed to change owner, no such user');
  if (!owner.is_active) throw badRequest('Failed to change owner, user is deactivated');
  if (owner.is_bot) throw badRequest("Failed to change owner, bots can't own other bots");
  if (owner.role === roles.guest) throw badRequest("Failed to change owner, guests can't own bots");
  return owner;
}

/** Throws BAD_REQUEST if the user owns `most` active bots. */
export async function requireRoomForBot(db: Db, user: User, most: number): Promise<void> {
  if ((await queries.countOwnedBy(db, user)) >= most)
    throw badRequest(`A user has at most ${most} active bots: deactivate one first.`);
}

/**
 * Throws BAD_REQUEST if the user may not create a bot of this type: `can_create_bots_group` permits
 * every type, `can_create_write_only_bots_group` incoming webhooks. Bots cannot create bots.
 */
export async function requireCanCreateBot(
  db: Db,
  { realm, user }: UserInRealm,
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
