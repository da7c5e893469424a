import {
  badRequest,
  type BotType,
  type ChannelId,
  type RealmId,
  type UserId,
} from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import { requireRoom } from '../require-room.ts';
import { checkFullName, createUser } from '../users/create-user.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';

export interface NewBot {
  /** Null for a bot of the realm: nobody gets notices about its failures. */
  readonly owner_id: UserId | null;
  readonly full_name: string;
  /** The address is `<short_name>-bot@<domain>`. */
  readonly short_name: string;
  readonly bot_type: BotType;
  /** The webhook of an outgoing webhook bot (type 3). */
  readonly webhook?: {
    readonly payload_url: string;
    /** Default 1, generic. */
    readonly interface_type?: 1 | 2;
    /** Default: the short name. */
    readonly service_name?: string;
  };
  readonly config_data?: Readonly<Record<string, string>>;
  readonly default_sending_channel_id?: ChannelId | null;
  readonly default_events_register_channel_id?: ChannelId | null;
  readonly default_all_public_streams?: boolean;
}

export interface CreatedBot {
  readonly user: User;
  readonly user_id: UserId;
  readonly email: string;
  readonly api_key: string;
  /** The token in the deliveries of an outgoing webhook bot; null for other bots. */
  readonly token: string | null;
}

interface BotContext {
  readonly realm: { readonly id: RealmId };
  readonly secrets: Secrets;
  /** The host name in the bot's address, `realm_bot_domain`. */
  readonly domain: string;
}

/**
 * Creates a bot with a new API key and, for an outgoing webhook bot, a new token. The caller locks the
 * realm, checks the permission and emits the events. Throws BAD_REQUEST for an invalid name or one in use.
 */
export async function createBot(
  tx: Tx,
  { realm, secrets, domain }: BotContext,
  bot: NewBot,
): Promise<CreatedBot> {
  const email = `${checkShortName(bot.short_name)}-bot@${domain}`;
  const full_name = checkFullName(bot.full_name);
  const namesakes = await users.byFullNames(tx, realm.id, [full_name]);
  if (namesakes.some(({ is_active }) => is_active)) throw badRequest('Name is already in use!');
  const { user, api_key } = await createUser(
    tx,
    { realm, secrets },
    { email, full_name, bot: { type: bot.bot_type, owner_id: bot.owner_id } },
  );
  await requireRoom(tx, 'realm_user', { realm_id: realm.id, bot_owner_id: bot.owner_id });
  await queries.insertProfile(tx, {
    user_id: user.id,
    realm_id: realm.id,
    default_sending_channel_id: bot.default_sending_channel_id ?? null,
    default_events_register_channel_id: bot.default_events_register_channel_id ?? null,
    default_all_public_streams: bot.default_all_public_streams ?? false,
    config_data: JSON.stringify(bot.config_data ?? {}),
  });
  const created = { user, user_id: user.id, email, api_key };
  if (!bot.webhook) return { ...created, token: null };
  const token = newSecret();
  await queries.insertService(tx, {
    realm_id: realm.id,
    user_id: user.id,
    name: bot.webhook.service_name ?? bot.short_name,
    base_url: bot.webhook.payload_url,
    interface: bot.webhook.interface_type ?? 1,
    token_mac: secrets.mac(token),
    token_sealed: secrets.seal(token),
  });
  return { ...created, token };
}

const SHORT_NAME = /^[\w+-]+(?:\.[\w+-]+)*$/;
/** The local part of an address has at most 64 characters, of which `-bot` takes 4. */
const MAX_SHORT_NAME = 60;

function checkShortName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > MAX_SHORT_NAME || !SHORT_NAME.test(trimmed))
    throw badRequest(
      `Bad name or username: a bot's short name has 1 to ${MAX_SHORT_NAME} letters, digits and _ + - .`,
    );
  return trimmed;
}
