import { z } from 'zod';

import { AvatarUrl, Email, FullName, Name, Secret, Url } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import {
  limitedMap,
  MAX_AVATAR_MIB,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_URL_LENGTH,
} from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import type { Permission } from '../../wire/permission.ts';
import { resource, section } from '../../wire/resource.ts';
import { quotable } from '../../wire/wire.ts';
import { StreamEvent, SubscriptionEvent } from '../channels/channel-events.ts';
import { RealmEvent } from '../realms/realm-events.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { RealmUserEvent } from '../users/user-events.ts';
import { BotType, Role } from '../users/user.ts';
import { applyRealmBot } from './apply-realm-bot.ts';
import { RealmBotEvent } from './bot-events.ts';
import { Bot, botDefaults } from './bot.ts';

const Word = z.string().max(MAX_NAME_LENGTH);
const MAX_CONFIG_ENTRIES = 100;
const ConfigData = limitedMap(Word, z.string().max(MAX_TEXT_LENGTH), MAX_CONFIG_ENTRIES);

const createBot: Permission = {
  to: 'create a generic bot',
  when: 'bot_type=1',
  grants: ['realm.can_create_bots_group'],
  bots: false,
};
const createOutgoingWebhook: Permission = {
  ...createBot,
  to: 'create an outgoing webhook bot',
  when: 'bot_type=3',
};
const createIncomingWebhook: Permission = {
  to: 'create an incoming webhook bot',
  when: 'bot_type=2',
  grants: ['realm.can_create_bots_group', 'realm.can_create_write_only_bots_group'],
  bots: false,
};
const manageBot: Permission = { to: 'manage the bot', grants: ['admin', 'own'] };
const setBotRole: Permission = {
  to: 'change the role of a bot',
  when: 'role',
  grants: ['admin'],
  refusal: 'UNAUTHORIZED_PRINCIPAL',
};

const endpoints = {
  create: endpoint('POST /bots', {
    summary: 'Create a bot',
    description:
      'The e-mail address of the bot is <short_name>-bot@<bot domain>. The token of an outgoing webhook bot is in the realm_bot event. A user has at most 100 active bots, or as many as the operator allows. A multipart form may have one file: the avatar, as in POST /users/me/avatar.',
    fileLimit: MAX_AVATAR_MIB * 1_048_576,
    steps: true,
    access: 'member',
    locks: 'realm',
    permissions: [createBot, createOutgoingWebhook, createIncomingWebhook],
    params: {
      full_name: FullName.max(MAX_NAME_LENGTH),
      short_name: Word,
      bot_type: BotType.default(1),
      payload_url: quotable(z.string().max(MAX_URL_LENGTH)).optional().meta({
        description: 'The URL of an outgoing webhook bot, as plain text or as a JSON string',
      }),
      interface_type: z.int().default(1).meta({ description: '1 generic, 2 Slack-compatible' }),
      service_name: Word.optional(),
      config_data: ConfigData.default({}),
      default_sending_stream: Name.max(MAX_NAME_LENGTH).optional(),
      default_events_register_stream: Name.max(MAX_NAME_LENGTH).optional(),
      default_all_public_streams: z.boolean().optional(),
    },
    result: { user_id: UserId, api_key: Secret, avatar_url: AvatarUrl, ...botDefaults },
    errors: ['STREAM_DOES_NOT_EXIST', 'BAD_IMAGE'],
    emits: [RealmUserEvent, RealmBotEvent, UserGroupEvent],
  }),

  update: endpoint('PATCH /bots/{bot_id}', {
    summary: 'Change a bot',
    description:
      'Allowed for its owner and administrators. Only administrators may change roles, and only owners may make a bot an owner or end that. A bot whose role changes must register its event queues again. A new owner, or a higher role than somebody has who could read the API key, gives the bot a new API key: when the response arrives, every server rejects the old one. A bot given to another member by its owner may post only where it may post itself, until the new owner confirms by sending their own ID as bot_owner_id. Sending service_payload_url or service_interface, even with the same value, enables a webhook that the server disabled after it had failed for a long time.',
    access: 'member',
    locks: 'realm',
    permissions: [manageBot, setBotRole],
    params: {
      bot_id: UserId,
      full_name: FullName.max(MAX_NAME_LENGTH).optional(),
      role: Role.optional(),
      bot_owner_id: UserId.optional(),
      service_payload_url: quotable(z.string().max(MAX_URL_LENGTH)).optional().meta({
        description: 'The URL of an outgoing webhook bot, as plain text or as a JSON string',
      }),
      service_interface: z.int().optional().meta({
        description: '1 generic, 2 Slack-compatible. 1 if only service_payload_url is sent',
      }),
      config_data: ConfigData.optional().meta({
        description: 'Added to the existing data; replaces values of the same keys',
      }),
      default_sending_stream: Name.max(MAX_NAME_LENGTH)
        .optional()
        .meta({ description: 'Empty to remove it' }),
      default_events_register_stream: Name.max(MAX_NAME_LENGTH)
        .optional()
        .meta({ description: 'Empty to remove it' }),
      default_all_public_streams: z.boolean().optional(),
    },
    result: {
      full_name: FullName,
      avatar_url: AvatarUrl,
      service_interface: z.int().nullable(),
      service_payload_url: Url.nullable(),
      config_data: z.record(z.string(), z.string()),
      ...botDefaults,
      bot_owner: z.string().optional().meta({ description: 'E-mail address of the owner' }),
    },
    errors: ['STREAM_DOES_NOT_EXIST'],
    emits: [RealmUserEvent, RealmBotEvent, UserGroupEvent],
  }),

  deactivate: endpoint('DELETE /bots/{bot_id}', {
    summary: 'Deactivate a bot',
    description:
      'Allowed for its owner and administrators. When the response arrives, every server rejects its API key.',
    access: 'member',
    locks: 'realm',
    permissions: [manageBot],
    params: { bot_id: UserId },
    emits: [
      RealmUserEvent,
      RealmBotEvent,
      UserGroupEvent,
      SubscriptionEvent,
      StreamEvent,
      RealmEvent,
    ],
  }),

  regenerateApiKey: endpoint('POST /bots/{bot_id}/api_key/regenerate', {
    summary: 'Give a bot a new API key',
    description:
      'Allowed for its owner and administrators, unless the bot has a higher role than the caller. When the response arrives, every server rejects the old key, and the event queues of the bot are deleted.',
    access: 'member',
    locks: 'realm',
    permissions: [manageBot],
    params: { bot_id: UserId },
    result: { api_key: Secret },
    emits: [RealmBotEvent],
  }),

  regenerateToken: endpoint('POST /bots/{bot_id}/services/token/regenerate', {
    summary: 'Give an outgoing webhook bot a new token',
    description:
      'An extension of the protocol. Allowed for its owner and administrators, unless the bot has a higher role than the caller. The response and the realm_bot event have the new token. Deliveries keep the old token for keep_old_seconds, and then have the new one and are signed with it. To change the token without an interruption, send 3600, let the bot accept both tokens, and remove the old one after an hour. If the token leaked, send 0.',
    access: 'member',
    locks: 'realm',
    permissions: [manageBot],
    params: {
      bot_id: UserId,
      keep_old_seconds: z.int().min(0).max(604_800).default(0).meta({
        description: 'How long deliveries keep the old token; at most a week',
      }),
    },
    result: { token: Secret },
    emits: [RealmBotEvent],
  }),

  list: endpoint('GET /bots', {
    summary: 'Get your own active bots',
    access: 'user',
    result: {
      bots: z.array(
        z.object({
          username: Email,
          full_name: FullName,
          api_key: Secret.optional().meta({
            description: 'Absent if the bot has a higher role than you',
          }),
          avatar_url: AvatarUrl,
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
