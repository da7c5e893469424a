import { badRequest, type Api, type ParamsOf, type Role } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { checkFullName } from '../users/create-user.ts';
import * as users from '../users/queries.ts';
import { endLogins } from '../users/renew-api-key.ts';
import { apiEmail } from '../users/user-record.ts';
import { botToManage, newOwner, requireCanSetRole } from './access.ts';
import { channelNamed, checkInterface, checkWebhookUrl } from './bot-settings.ts';
import { changingBot, recordOf } from './changing-bot.ts';
import * as queries from './queries.ts';

type Params = ParamsOf<Api['bots']['update']>;
interface UpdateCall {
  readonly app: App;
  readonly realm: Realm;
  /** The user who changes the bot. */
  readonly user: User;
  readonly params: Params;
}

/** Changes the name, role, owner, default channels, configuration and webhook of a bot. */
export const updateBot: Handlers<'bots'>['update'] = async ({
  user,
  realm,
  params,
  app,
  db,
  emit,
}) => {
  const call = { app, realm, user, params };
  await queries.oneAtATime(db, realm.id);
  const bot = await botToManage(db, { realm, user }, params.bot_id);
  const context = { realm, secrets: app.secrets };
  await changingBot({ db, emit }, { ...context, bot }, async () => {
    await updateUser(db, bot, call);
    await updateProfile(db, bot, call);
    await updateService(db, bot, call);
  });
  const record = await recordOf(db, context, bot.id);
  const [stored] = await queries.bots(db, realm.id, { id: bot.id });
  const [service] = await queries.servicesOf(db, realm.id, [bot.id]);
  const owner =
    record.owner_id === null ? undefined : await users.byId(db, realm.id, record.owner_id);
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
};

async function updateUser(tx: Tx, bot: User, { app, realm, user, params }: UpdateCall) {
  const { role = bot.role, bot_owner_id = bot.bot_owner_id } = params;
  const full_name =
    params.full_name === undefined ? bot.full_name : await freeName(tx, bot, params.full_name);
  if (bot_owner_id !== null && bot_owner_id !== bot.bot_owner_id)
    await newOwner(tx, realm, bot_owner_id);
  if (role !== bot.role) await changeRole(app, tx, { user, bot, role });
  await users.update(tx, bot, { full_name, role, bot_owner_id });
}

/** Throws BAD_REQUEST for the name of an active user. */
async function freeName(tx: Tx, { id, realm_id }: User, name: string): Promise<string> {
  const full_name = checkFullName(name);
  const namesakes = await users.byFullNames(tx, realm_id, [full_name]);
  if (namesakes.some((other) => other.is_active && other.id !== id))
    throw badRequest('Name is already in use!');
  return full_name;
}

interface ChangedRole {
  readonly user: User;
  readonly bot: User;
  readonly role: Role;
}

/** Changes the role and ends the bot's logins, since its queues may show what it can no longer see. */
async function changeRole(app: App, tx: Tx, { user, bot, role }: ChangedRole): Promise<void> {
  requireCanSetRole(user, { from: bot.role, to: role });
  await endLogins(app, tx, bot);
}

async function updateProfile(tx: Tx, bot: User, { user, params }: UpdateCall): Promise<void> {
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

async function updateService(tx: Tx, bot: User, { app, params }: UpdateCall): Promise<void> {
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
