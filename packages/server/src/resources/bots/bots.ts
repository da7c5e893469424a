import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { newSecret } from '../../engine/secrets.ts';
import {
  botToManage,
  requireCanCreateBot,
  requireReadsSecrets,
  requireRoomForBot,
} from '../../model/bots/access.ts';
import { botRecords, botsManagedBy } from '../../model/bots/bot-record.ts';
import { channelNamed, webhookOf } from '../../model/bots/bot-settings.ts';
import { createBot } from '../../model/bots/create-bot.ts';
import * as queries from '../../model/bots/queries.ts';
import { avatarPictures } from '../../model/users/avatar-pictures.ts';
import { storeAvatar } from '../../model/users/store-avatar.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { announceUser } from '../user-events/announce-user.ts';
import { deliverToWebhook } from '../webhooks/deliver-to-webhook.ts';
import { changingBot, emitNewBot } from './changing-bot.ts';
import { deactivateBot } from './deactivate-bot.ts';
import { presentBot } from './present-bot.ts';
import { updateBot } from './update-bot.ts';

const handlers: Handlers<'bots'> = {
  async create({ params, file, app, change, before }) {
    const pictures = file && (await avatarPictures(app, before.user, file));
    return change(async ({ db, emit, actor, realm, user }) => {
      const { full_name, short_name, bot_type, config_data, default_all_public_streams } = params;
      await requireCanCreateBot(db, actor, bot_type);
      await requireRoomForBot(db, user, app.config.maxBotsPerUser);
      const webhook = webhookOf(params, app.outbound);
      const sending = await channelNamed(db, user, params.default_sending_stream);
      const events = await channelNamed(db, user, params.default_events_register_stream);
      const inside = { realm, secrets: app.secrets };
      const domain = new URL(realm.url).hostname;
      const { user: created, api_key } = await createBot(
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
      const bot = pictures ? await storeAvatar(db, created, pictures) : created;
      const [record] = await botRecords(db, { ...inside, viewer: user }, { id: bot.id });
      if (!record) throw new Error('The bot was not stored');
      await announceUser({ db, emit }, realm, bot);
      await emitNewBot({ db, emit }, { ...inside, bot });
      const { user_id, avatar_url, ...rest } = record;
      const { default_sending_stream, default_events_register_stream } = rest;
      return {
        user_id,
        api_key,
        avatar_url,
        default_sending_stream,
        default_events_register_stream,
        default_all_public_streams: rest.default_all_public_streams,
      };
    });
  },

  update: updateBot,

  async deactivate(call) {
    const { app, actor, realm, params } = call;
    const bot = await botToManage(call.db, actor, params.bot_id);
    if (bot.is_active) await deactivateBot(app, call, { realm, bot });
    return {};
  },

  async regenerateApiKey({ app, actor, realm, user, params, db, emit, endLogins }) {
    const bot = await botToManage(db, actor, params.bot_id);
    requireReadsSecrets(user, bot);
    const inside = { realm, secrets: app.secrets, bot };
    const renew = () => renewApiKey(app, { db, endLogins }, bot);
    return { api_key: await changingBot({ db, emit }, inside, renew) };
  },

  async regenerateToken({ app, actor, realm, user, params, db, emit }) {
    const { secrets } = app;
    const bot = await botToManage(db, actor, params.bot_id);
    requireReadsSecrets(user, bot);
    const token = newSecret();
    await changingBot({ db, emit }, { realm, secrets, bot }, async () => {
      const isSet = await queries.setToken(db, bot, {
        mac: secrets.mac(token),
        sealed: secrets.seal(token),
        now: actor.now,
        keepOldSeconds: params.keep_old_seconds,
      });
      if (!isSet) throw badRequest('This is not an outgoing webhook bot: it has no token.');
    });
    return { token };
  },

  async list({ user, realm, app, db }) {
    const context = { realm, secrets: app.secrets, viewer: user };
    const own = await botRecords(db, context, { owner_id: user.id });
    return {
      bots: own
        .filter(({ is_active }) => is_active)
        .map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          ...(bot.api_key === undefined ? {} : { api_key: bot.api_key }),
          avatar_url: bot.avatar_url,
          default_sending_stream: bot.default_sending_stream,
          default_events_register_stream: bot.default_events_register_stream,
          default_all_public_streams: bot.default_all_public_streams,
        })),
    };
  },
};

export const bots: Resource<'bots'> = {
  handlers,
  state: {
    realm_bot: async ({ app, db, realm, user }) => ({
      realm_bots: await botsManagedBy(db, { realm, secrets: app.secrets }, user),
    }),
  },
  presenters: (secrets) => ({ realm_bot: presentBot(secrets) }),
  jobs: (config) => [deliverToWebhook(config)],
};
