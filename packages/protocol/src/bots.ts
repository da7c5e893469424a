import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { UserId } from './ids.ts';
import { BotType } from './users/user.ts';
import { quotable } from './wire.ts';

const Service = z.union([
  z.object({ base_url: z.string(), interface: z.literal([1, 2]), token: z.string() }),
  z.object({ service_name: z.string(), config_data: z.record(z.string(), z.string()) }),
]);

const defaults = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
};

/** A bot as its owner sees it, with what it authenticates by. */
export const Bot = z
  .object({
    user_id: UserId,
    full_name: z.string(),
    email: z.string(),
    bot_type: BotType,
    is_active: z.boolean(),
    api_key: z.string(),
    ...defaults,
    avatar_url: z.string(),
    owner_id: UserId.nullable(),
    services: z.array(Service),
  })
  .meta({ id: 'Bot' });
export type Bot = z.output<typeof Bot>;

const type = z.literal('realm_bot');
export const RealmBotEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), bot: Bot }),
  z.object({ type, op: z.literal('update'), bot: Bot.partial().extend({ user_id: UserId }) }),
  z.object({ type, op: z.literal('delete'), bot: z.object({ user_id: UserId }) }),
]);

export const bots = {
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
    result: { user_id: UserId, api_key: z.string(), avatar_url: z.string(), ...defaults },
    errors: ['STREAM_DOES_NOT_EXIST'],
    emits: ['realm_user', 'realm_bot', 'user_group'],
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
          ...defaults,
        }),
      ),
    },
  }),
};
