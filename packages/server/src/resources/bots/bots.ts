import { ApiError, badRequest, type BotType, type UserId } from '@bellhop/protocol';

import type { Db, Resource } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import * as channels from '../channels/queries.ts';
import { noSuchChannel } from '../messages/address.ts';
import { announceUser } from '../users/announce-user.ts';
import * as users from '../users/queries.ts';
import { requireCanCreateBot } from './access.ts';
import { botRecords } from './bot-record.ts';
import { createBot, type NewBot } from './create-bot.ts';
import { sealBot } from './present-bot.ts';

export const bots: Resource<'bots'> = {
  async create({ user, realm, params, app, db, emit }) {
    const { full_name, short_name, bot_type, config_data, default_all_public_streams } = params;
    await requireCanCreateBot(db, { realm, user }, bot_type);
    const webhook = webhookOf(params, app.outbound);
    const sending = await channelNamed(db, user, params.default_sending_stream);
    const events = await channelNamed(db, user, params.default_events_register_stream);
    const inside = { realm, secrets: app.secrets };
    const domain = new URL(realm.url).hostname;
    const { user: bot } = await createBot(
      db,
      { ...inside, domain },
      {
        owner_id: user.id,
        full_name,
        short_name,
        bot_type,
        config_data,
        ...(webhook ? { webhook } : {}),
        default_sending_channel_id: sending?.id ?? null,
        default_events_register_channel_id: events?.id ?? null,
        default_all_public_streams: default_all_public_streams ?? false,
      },
    );
    const [record] = await botRecords(db, inside, { id: bot.id });
    if (!record) throw new Error('The bot was not stored');
    await announceUser({ db, emit }, { realm, viewer: user }, bot);
    const isPrivate = sending?.invite_only === true || events?.invite_only === true;
    emit(
      { type: 'realm_bot', op: 'add', bot: sealBot(record, app.secrets) },
      isPrivate ? [user.id] : await managersOf(db, user),
    );
    const { user_id, api_key, avatar_url, ...rest } = record;
    const { default_sending_stream, default_events_register_stream } = rest;
    return {
      user_id,
      api_key,
      avatar_url,
      default_sending_stream,
      default_events_register_stream,
      default_all_public_streams: rest.default_all_public_streams,
    };
  },

  async list({ user, realm, app, db }) {
    const own = await botRecords(db, { realm, secrets: app.secrets }, { owner_id: user.id });
    return {
      bots: own
        .filter(({ is_active }) => is_active)
        .map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          api_key: bot.api_key,
          avatar_url: bot.avatar_url,
          default_sending_stream: bot.default_sending_stream,
          default_events_register_stream: bot.default_events_register_stream,
          default_all_public_streams: bot.default_all_public_streams,
        })),
    };
  },
};

const OUTGOING_WEBHOOK = 3;

interface WebhookParams {
  readonly bot_type: BotType;
  readonly payload_url?: string | undefined;
  readonly interface_type: number;
  readonly service_name?: string | undefined;
}

/** What makes a bot an outgoing webhook, checked; nothing for other bots. */
function webhookOf(params: WebhookParams, outbound: Outbound): NewBot['webhook'] {
  const { payload_url, interface_type, service_name } = params;
  if (interface_type !== 1 && interface_type !== 2)
    throw badRequest('Invalid interface type: 1 is generic, 2 is Slack-compatible.');
  if (params.bot_type !== OUTGOING_WEBHOOK) return undefined;
  if (payload_url === undefined || payload_url === '')
    throw new ApiError('REQUEST_VARIABLE_MISSING', {
      message: "Missing 'payload_url' argument: an outgoing webhook bot needs an address.",
      data: { var_name: 'payload_url' },
    });
  if (service_name !== undefined && service_name.length > 100)
    throw badRequest('service_name is longer than 100 characters.');
  try {
    outbound.checkUrl(payload_url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw badRequest(`payload_url: ${error.safeMessage}`, { var_name: 'payload_url' });
  }
  return { payload_url, interface_type, ...(service_name ? { service_name } : {}) };
}

/** Throws STREAM_DOES_NOT_EXIST also for a channel that the user may not know of. */
async function channelNamed(db: Db, user: User, name: string | undefined) {
  if (name === undefined || name.trim() === '') return undefined;
  const place = { name: name.trim() };
  const channel = await channels.forPosting(db, user, place);
  const visible =
    channel && (channel.is_subscribed || (!channel.invite_only && channel.sees_public));
  if (!visible) throw noSuchChannel(place);
  return channel;
}

async function managersOf(db: Db, owner: User): Promise<UserId[]> {
  return [...new Set([owner.id, ...(await users.administratorIds(db, owner.realm_id))])];
}
