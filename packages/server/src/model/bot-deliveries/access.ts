import { badRequest, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { botToManage } from '../bots/access.ts';
import * as bots from '../bots/queries.ts';

/** An outgoing webhook bot whose deliveries the caller may see. */
export interface WatchedBot {
  readonly bot: User;
  readonly service: NonNullable<Awaited<ReturnType<typeof bots.serviceOf>>>;
  /** Reads payloads and answers of the deliveries that were made while they owned the bot. */
  readonly reader: User;
}

/**
 * The bot with this id, for its owner and administrators. Throws BAD_REQUEST for others, for bots
 * without a webhook, and for administrators if `ownOnly`.
 */
export async function watchedBot(
  db: Db,
  actor: Actor,
  { bot_id, ownOnly = false }: { readonly bot_id: UserId; readonly ownOnly?: boolean },
): Promise<WatchedBot> {
  const { realm, user } = actor;
  const bot = await botToManage(db, actor, bot_id);
  const isOwn = bot.bot_owner_id === user.id;
  if (ownOnly && !isOwn)
    throw badRequest('Insufficient permission: only the owner of the bot may do this.');
  const service = await bots.serviceOf(db, realm.id, bot.id);
  if (!service) throw badRequest('This is not an outgoing webhook bot: it has no deliveries.');
  return { bot, service, reader: user };
}
