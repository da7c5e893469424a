import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { UserId } from './ids.ts';
import { BotType, Role } from './users/user.ts';
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
      ...defaults,
      bot_owner: z.string().optional().meta({ description: 'E-mail address of its owner' }),
    },
    errors: ['STREAM_DOES_NOT_EXIST'],
    emits: ['realm_user', 'realm_bot', 'user_group'],
  }),

  deactivate: endpoint('DELETE /bots/{bot_id}', {
    summary: 'Deactivate a bot',
    description:
      'By its owner or an administrator. Once this is answered, no server takes its API key any more.',
    access: 'member',
    steps: true,
    params: { bot_id: UserId },
    emits: ['realm_user', 'realm_bot', 'user_group', 'subscription'],
  }),

  regenerateApiKey: endpoint('POST /bots/{bot_id}/api_key/regenerate', {
    summary: 'Give a bot a new API key',
    description:
      'By its owner or an administrator. Once this is answered, no server takes the old key any more; the event queues of the bot are gone.',
    access: 'member',
    steps: true,
    params: { bot_id: UserId },
    result: { api_key: z.string() },
    emits: ['realm_bot'],
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
    emits: ['realm_bot'],
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
