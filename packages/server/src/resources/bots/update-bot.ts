import {
  badRequest,
  type Api,
  type ParamsOf,
  type Role,
  roles,
  type UserId,
} from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change, LockedChange, Tx } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import {
  botToManage,
  newOwner,
  readsSecrets,
  requireCanSetRole,
  requireRoomForBot,
} from '../../model/bots/access.ts';
import { botRecords } from '../../model/bots/bot-record.ts';
import { channelNamed, checkInterface, checkWebhookUrl } from '../../model/bots/bot-settings.ts';
import { freeName } from '../../model/bots/free-name.ts';
import * as queries from '../../model/bots/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';
import { apiEmail } from '../../model/users/user-record.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';
import { changingBot } from './changing-bot.ts';

type Params = ParamsOf<Api['bots']['update']>;
interface Update {
  readonly app: App;
  /** The user who changes the bot. */
  readonly actor: Actor;
  readonly params: Params;
}

/** Changes the name, role, owner, default channels, configuration and webhook of a bot. */
export const updateBot: Handlers<'bots'>['update'] = async (call) => {
  await changeBot(call, call);
  return updated(call.db, call);
};

/** Changes a bot as its user may, and emits what changed. Throws what `botToManage` throws. */
export async function changeBot(
  change: LockedChange<'realm_bot' | 'realm_user' | 'user_group'>,
  update: Update,
): Promise<void> {
  const { db } = change;
  const { app, actor, params } = update;
  const { realm } = actor;
  const bot = await botToManage(db, actor, params.bot_id);
  // Before its webhook, as the end of a delivery does.
  await users.lock(db, bot);
  await changingBot(change, { realm, secrets: app.secrets, bot }, () =>
    changingUser(change, { realm, user: bot }, async () => {
      await updateProfile(db, bot, update);
      await updateService(db, bot, update);
      await updateUser(change, bot, update);
    }),
  );
}

async function updated(tx: Tx, { app, actor: { realm, user }, params }: Update) {
  const id = params.bot_id;
  const context = { realm, secrets: app.secrets, viewer: user };
  const [record] = await botRecords(tx, context, { id });
  if (!record) throw new Error(`The bot ${id} vanished`);
  const [stored] = await queries.bots(tx, realm.id, { id });
  const [service] = await queries.servicesOf(tx, realm.id, [id]);
  const owner =
    record.owner_id === null ? undefined : await users.byId(tx, realm.id, record.owner_id);
  const { full_name, avatar_url, default_sending_stream, default_events_register_stream } = record;
  return {
    full_name,
    avatar_url,
    service_interface: service?.interface ?? null,
    service_payload_url: service?.base_url ?? null,
    config_data: stored?.config_data ?? {},
    default_sending_stream,
    default_events_register_stream,
    default_all_public_streams: record.default_all_public_streams,
    ...(owner ? { bot_owner: apiEmail(owner, realm) } : {}),
  };
}

/**
 * Changes name, role and owner. The bot gets a new API key with a new owner, and with a role that somebody
 * who could read its key does not have.
 */
async function updateUser(
  change: Pick<Change, 'db' | 'endLogins'>,
  bot: User,
  { app, actor: { realm, user }, params }: Update,
): Promise<void> {
  const { db: tx } = change;
  const { role = bot.role, bot_owner_id = bot.bot_owner_id } = params;
  const full_name =
    params.full_name === undefined ? bot.full_name : await freeName(tx, bot, params.full_name);
  const isGiven = bot_owner_id !== null && bot_owner_id !== bot.bot_owner_id;
  if (isGiven) {
    const owner = await newOwner(tx, realm, bot_owner_id);
    await requireRoomForBot(tx, owner, app.config.maxBotsPerUser);
  }
  if (role !== bot.role) requireCanSetRole(user, { from: bot.role, to: role });
  await users.update(tx, bot, {
    full_name,
    role,
    bot_owner_id,
    ...(params.bot_owner_id === undefined ? {} : { acts_for_owner: isAgreed(user, bot_owner_id) }),
  });
  await requireRoom(tx, 'realm_user', { realm_id: realm.id, bot_owner_id });
  if (isGiven || (await outranksReaders(tx, bot, role))) await renewApiKey(app, change, bot);
  // The role decides what the queues of a bot may show, so a new role ends them.
  else if (role !== bot.role) await change.endLogins(bot);
}

/** Whether an owner is set by the owner or an administrator: only then a bot posts where the owner may. */
const isAgreed = (user: User, owner: UserId | null) =>
  user.id === owner || user.role <= roles.admin;

/** Whether a new role is higher than that of somebody who could read the API key until now. */
async function outranksReaders(tx: Tx, bot: User, role: Role): Promise<boolean> {
  if (role >= bot.role) return false;
  if (role < roles.admin) return true;
  const owner =
    bot.bot_owner_id === null ? undefined : await users.byId(tx, bot.realm_id, bot.bot_owner_id);
  return owner !== undefined && !readsSecrets(owner, { role });
}

async function updateProfile(
  tx: Tx,
  bot: User,
  { actor: { user }, params }: Update,
): Promise<void> {
  const { default_sending_stream, default_events_register_stream, config_data } = params;
  const { default_all_public_streams } = params;
  const channelId = async (name: string) => (await channelNamed(tx, user, name))?.id ?? null;
  await queries.updateProfile(tx, bot, {
    ...(default_sending_stream === undefined
      ? {}
      : { default_sending_channel_id: await channelId(default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: await channelId(default_events_register_stream) }),
    ...(default_all_public_streams === undefined ? {} : { default_all_public_streams }),
    config_data,
  });
}

async function updateService(tx: Tx, bot: User, { app, params }: Update): Promise<void> {
  const { service_payload_url: base_url, service_interface } = params;
  if (base_url === undefined && service_interface === undefined) return;
  const type = checkInterface(service_interface ?? 1);
  if (base_url !== undefined) checkWebhookUrl('service_payload_url', base_url, app.outbound);
  const isChanged = await queries.updateService(tx, bot, {
    interface: type,
    ...(base_url === undefined ? {} : { base_url }),
  });
  if (!isChanged) throw badRequest('This is not an outgoing webhook bot: it has no payload URL.');
}
