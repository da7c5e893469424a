import { z } from 'zod';

import { SubscriptionEvent } from '../channels/channel-events.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { UserId } from '../ids.ts';
import { resource, section } from '../resource.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { RealmUserEvent } from '../users/user-events.ts';
import { BotType, Role } from '../users/user.ts';
import { quotable } from '../wire.ts';
import { applyRealmBot } from './apply-realm-bot.ts';
import { RealmBotEvent } from './bot-events.ts';
import { Bot, botDefaults } from './bot.ts';

const endpoints = {
  create: endpoint('POST /bots', {
    summary: 'Create a bot',
    description:
      'Its address is <short_name>-bot@<bot domain>. The token of an outgoing webhook bot comes with the realm_bot event.',
    access: 'member',
    params: {
      full_name: z.string(),
      short_name: z.string(),
      bot_type: BotType.default(1),
      payload_url: quotable(z.string()).optional().meta({
        description: 'Where an outgoing webhook bot is told of messages; bare or as a JSON string',
      }),
      interface_type: z.int().default(1).meta({ description: '1 generic, 2 Slack-compatible' }),
      service_name: z.string().optional(),
      config_data: z.record(z.string(), z.string()).default({}),
      default_sending_stream: z.string().optional(),
      default_events_register_stream: z.string().optional(),
      default_all_public_streams: z.boolean().optional(),
    },
    result: { user_id: UserId, api_key: z.string(), avatar_url: z.string(), ...botDefaults },
    errors: ['STREAM_DOES_NOT_EXIST'],
    emits: [RealmUserEvent, RealmBotEvent, UserGroupEvent],
  }),

  update: endpoint('PATCH /bots/{bot_id}', {
    summary: 'Change a bot',
    description:
      'By its owner or an administrator; roles are changed by administrators, the role of an owner by owners. A bot whose role changes has to register its event queues anew. A webhook that was disabled after long failure is enabled again by sending service_payload_url or service_interface, unchanged or not.',
    access: 'member',
    params: {
      bot_id: UserId,
      full_name: z.string().optional(),
      role: Role.optional(),
      bot_owner_id: UserId.optional(),
      service_payload_url: quotable(z.string()).optional().meta({
        description: 'Where an outgoing webhook bot is told of messages; bare or as a JSON string',
      }),
      service_interface: z.int().optional().meta({
        description: '1 generic, 2 Slack-compatible; 1 where only service_payload_url is sent',
      }),
      config_data: z
        .record(z.string(), z.string())
        .optional()
        .meta({ description: 'Added to what there is; values replace those of the same key' }),
      default_sending_stream: z.string().optional().meta({ description: 'Empty for none' }),
      default_events_register_stream: z.string().optional().meta({ description: 'Empty for none' }),
      default_all_public_streams: z.boolean().optional(),
    },
    result: {
      full_name: z.string(),
      avatar_url: z.string(),
      service_interface: z.int().nullable(),
      service_payload_url: z.string().nullable(),
      config_data: z.record(z.string(), z.string()),
      ...botDefaults,
      bot_owner: z.string().optional().meta({ description: 'E-mail address of its owner' }),
    },
    errors: ['STREAM_DOES_NOT_EXIST'],
    emits: [RealmUserEvent, RealmBotEvent, UserGroupEvent],
  }),

  deactivate: endpoint('DELETE /bots/{bot_id}', {
    summary: 'Deactivate a bot',
    description:
      'By its owner or an administrator. Once this is answered, no server takes its API key any more.',
    access: 'member',
    steps: true,
    params: { bot_id: UserId },
    emits: [RealmUserEvent, RealmBotEvent, UserGroupEvent, SubscriptionEvent],
  }),

  regenerateApiKey: endpoint('POST /bots/{bot_id}/api_key/regenerate', {
    summary: 'Give a bot a new API key',
    description:
      'By its owner or an administrator. Once this is answered, no server takes the old key any more; the event queues of the bot are gone.',
    access: 'member',
    steps: true,
    params: { bot_id: UserId },
    result: { api_key: z.string() },
    emits: [RealmBotEvent],
  }),

  regenerateToken: endpoint('POST /bots/{bot_id}/services/token/regenerate', {
    summary: 'Give an outgoing webhook bot a new token',
    description:
      'An extension. By its owner or an administrator. The new token is in the answer and in the realm_bot event at once; deliveries carry it, and are signed with it, when keep_old_seconds have passed. For a change without a gap: ask with an hour to spare, let the bot accept both tokens, and drop the old one after that hour. For a token that leaked: leave it at 0.',
    access: 'member',
    params: {
      bot_id: UserId,
      keep_old_seconds: z.int().min(0).max(604_800).default(0).meta({
        description: 'How long deliveries still carry the token they carry now; at most a week',
      }),
    },
    result: { token: z.string() },
    emits: [RealmBotEvent],
  }),

  list: endpoint('GET /bots', {
    summary: 'Get your own active bots',
    access: 'user',
    result: {
      bots: z.array(
        z.object({
          username: z.string(),
          full_name: z.string(),
          api_key: z.string(),
          avatar_url: z.string(),
          ...botDefaults,
        }),
      ),
    },
  }),
};

export const bots = resource({
  endpoints,
  events: [event(RealmBotEvent, applyRealmBot)],
  state: { realm_bot: section({ realm_bots: z.array(Bot) }) },
});
