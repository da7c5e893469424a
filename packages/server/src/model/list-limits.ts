import {
  MAX_BOT_TOPICS,
  MAX_DEFAULT_CHANNEL_GROUPS,
  MAX_DRAFTS,
  MAX_LINKIFIERS,
  MAX_NAVIGATION_VIEWS,
  MAX_PLAYGROUNDS,
  MAX_PROFILE_FIELDS,
  MAX_REALM_DOMAINS,
  MAX_REALM_EMOJI,
  MAX_REMINDERS,
  MAX_SAVED_SNIPPETS,
  MAX_SCHEDULED_MESSAGES,
} from '@bellhop/protocol';

import type { Tables } from '../engine/tables.ts';

/** How many rows of a table a list may have. */
export interface ListLimit {
  readonly max: number;
  /** The columns by which a realm has several such lists; none: the realm has one. */
  readonly of: readonly string[];
  /** The only column of `of` names a user, and their list is that of a person with all their bots. */
  readonly withBots?: true;
  /** A condition of SQL for the rows that count. Default: all. */
  readonly where?: string;
  /** Rows with the same values of these columns count once. */
  readonly distinct?: readonly string[];
  /** What the person is told whose addition is refused, and what they can do. */
  readonly refusal: string;
}

const perUser = (column: string, max: number, what: string): ListLimit => ({
  max,
  of: [column],
  refusal: `You can have at most ${max} ${what}: remove some first.`,
});
/**
 * Planned messages of a realm that are due together are sent one after another. One person with many
 * bots must not make those of others wait, so a person and their bots are also counted together.
 */
const planned = (column: string, max: number, what: string): readonly ListLimit[] => [
  perUser(column, max, what),
  {
    max: 5000,
    of: [column],
    withBots: true,
    refusal: `One person and their bots can have at most 5000 ${what}: remove some first.`,
  },
];
const perRealm = (max: number, what: string): ListLimit => ({
  max,
  of: [],
  refusal: `An organization can have at most ${max} ${what}: remove some first.`,
});

export const MAX_USER_TOPICS = 10_000;
export const MAX_CLIENT_DEVICES = 50;
/** `POST /register` has the IDs of all starred messages. */
const MAX_STARRED = 50_000;

/**
 * The limits of each table, which is a list that people or bots grow; or why the table needs none.
 * Everybody pays for such lists: messages, events and `POST /register` walk them. `requireRoom` asks
 * for these limits. See docs/decisions/0086-every-list-has-a-limit.md.
 */
export const listLimits = {
  alert_word: [perUser('user_id', 500, 'alert words')],
  avatar: 'one row for a user',
  bot_change: 'one row for a bot and each kind of change',
  bot_delivery: 'the oldest beyond BELLHOP_DELIVERIES_PER_BOT are deleted',
  bot_delivery_attempt: 'as many as the retries and replays of a delivery',
  bot_profile: 'one row for a bot',
  bot_service: 'one row for a bot',
  bot_storage: [
    {
      max: 100_000,
      of: ['user_id'],
      refusal: 'A bot can store at most 100000 keys: remove some first.',
    },
  ],
  bot_topic: [
    {
      max: MAX_BOT_TOPICS,
      of: ['user_id'],
      refusal: `A bot has at most ${MAX_BOT_TOPICS} subscriptions to topics: end one first, or wait for one to expire.`,
    },
  ],
  channel: [
    {
      max: 1000,
      of: ['creator_id'],
      withBots: true,
      refusal:
        'One person and their bots can create at most 1000 channels, archived ones included: ask somebody else of your organization to create this one.',
    },
    {
      max: 20_000,
      of: [],
      refusal:
        'An organization can have at most 20000 channels, archived ones included: rename an archived channel and use it again.',
    },
    {
      max: 200,
      of: [],
      where: 'is_default and not is_archived',
      refusal:
        'An organization can have at most 200 default channels: make some of them ordinary channels first.',
    },
  ],
  channel_folder: [
    {
      max: 500,
      of: [],
      refusal:
        'An organization can have at most 500 channel folders, archived ones included: rename an archived folder and use it again.',
    },
  ],
  console_account: 'MAX_CONSOLE_ACCOUNTS for a session',
  console_session: 'the oldest beyond 50 for a user end',
  console_sign_in_key: 'swept when they expire',
  custom_profile_field: [perRealm(MAX_PROFILE_FIELDS, 'custom profile fields')],
  custom_profile_value: 'one row for a user and field',
  default_channel_group: [perRealm(MAX_DEFAULT_CHANNEL_GROUPS, 'default channel groups')],
  default_channel_group_channel: [
    {
      max: 500,
      of: ['group_id'],
      refusal: 'A default channel group can have at most 500 channels: remove some first.',
    },
  ],
  draft: [perUser('user_id', MAX_DRAFTS, 'drafts')],
  email_change: 'one row for a user',
  event: 'deleted when no queue needs them',
  event_counter: 'one row for a realm',
  event_queue: 'the oldest beyond MAX_QUEUES_PER_USER end',
  imported_file: 'one row for a file of an export, until the import has ended',
  imported_id: 'rows for the records of an export, until the import has ended',
  invite: [
    {
      max: 2000,
      of: ['invited_by'],
      // Those that others asked for with a link are limited by mails in a day.
      where: 'link_id is null',
      refusal:
        'You can have at most 2000 invitations that are not accepted: revoke some first, or wait for some to expire.',
    },
  ],
  known_login: 'the oldest beyond 50 for a user are forgotten',
  linkifier: [perRealm(MAX_LINKIFIERS, 'linkifiers')],
  loose_object: 'one row for an object of a removed upload, or of one under way',
  mail_check: 'deleted within minutes',
  mail_count: 'counts the limits of mails in a day; swept',
  message: 'what people write; read in pages',
  message_push: 'deleted when the message is read',
  missed_message: 'deleted when the mail is sent',
  muted_user: [perUser('user_id', 1000, 'muted users')],
  navigation_view: [perUser('user_id', MAX_NAVIGATION_VIEWS, 'navigation views')],
  password_reset: 'one row for a user',
  playground: [perRealm(MAX_PLAYGROUNDS, 'code playgrounds')],
  presence_counter: 'one row for a realm',
  client_device: [perUser('user_id', MAX_CLIENT_DEVICES, 'devices that get notifications')],
  // An app that is installed anew registers as another device, and nothing removes the one before.
  push_device: [
    {
      ...perUser('user_id', 50, 'devices with push notifications'),
      where: 'error_code is null',
    },
    {
      max: 500,
      of: ['user_id'],
      refusal:
        'You can have registered at most 500 devices for push notifications, former ones included: a new API key forgets them all.',
    },
  ],
  push_request: 'as many as the jobs that wait',
  push_trace: 'the oldest beyond MAX_PUSH_TRACES for a user are deleted',
  reaction: [
    {
      max: 50,
      of: ['message_id', 'user_id'],
      refusal: 'You can react to a message with at most 50 emoji: remove a reaction first.',
    },
    {
      max: 200,
      of: ['message_id'],
      distinct: ['emoji_code', 'reaction_type'],
      refusal: 'A message can have at most 200 different emoji: use one that it has already.',
    },
  ],
  realm: 'created by the operator',
  realm_name: 'one row for each realm',
  realm_domain: [perRealm(MAX_REALM_DOMAINS, 'domains')],
  realm_emoji: [
    {
      max: 2000,
      of: ['author_id'],
      withBots: true,
      refusal:
        'One person and their bots can add at most 2000 custom emoji, removed ones included: ask somebody else of your organization to add this one.',
    },
    {
      max: MAX_REALM_EMOJI,
      of: [],
      refusal: `An organization can have at most ${MAX_REALM_EMOJI} custom emoji. Removed ones count: messages still show them.`,
    },
  ],
  realm_image: 'one row for a kind of image',
  realm_import: 'one row for a realm',
  realm_user: [
    {
      max: 2000,
      of: ['bot_owner_id'],
      refusal:
        'A person can own at most 2000 bots, deactivated ones included: reactivate one of them instead.',
    },
  ],
  recipient: 'one row for a conversation',
  reminder: planned('user_id', MAX_REMINDERS, 'reminders'),
  saved_snippet: [perUser('user_id', MAX_SAVED_SNIPPETS, 'saved snippets')],
  scheduled_message: planned('sender_id', MAX_SCHEDULED_MESSAGES, 'scheduled messages'),
  submessage: 'MAX_SUBMESSAGES_LENGTH characters for a message',
  subscription: 'one row for a user and channel',
  thumbnail: 'one row for an upload and format',
  upload: [perUser('owner_id', 100_000, 'uploaded files')],
  upload_chunk: 'the quota of uploads',
  upload_message: 'as many as a message has room for links',
  user_group: [
    {
      max: 500,
      of: ['creator_id'],
      withBots: true,
      where: 'name is not null',
      refusal:
        'One person and their bots can create at most 500 user groups, deactivated ones included: rename a deactivated group and use it again, or ask somebody else to create this one.',
    },
    {
      max: 5000,
      of: [],
      where: 'name is not null',
      refusal:
        'An organization can have at most 5000 user groups, deactivated ones included: rename a deactivated group and use it again.',
    },
  ],
  user_group_member: 'one row for a user and group',
  user_group_subgroup: 'one row for two groups',
  user_message: [
    {
      max: MAX_STARRED,
      of: ['user_id'],
      // The first condition is that of the index user_message_marked.
      where: 'flags & 250 <> 0 and flags & 2 <> 0',
      refusal: `You can star at most ${MAX_STARRED} messages: remove the star of some first.`,
    },
  ],
  user_presence: 'one row for a user',
  user_status: 'one row for a user',
  user_topic: [perUser('user_id', MAX_USER_TOPICS, 'topics that you follow, mute or unmute')],
} satisfies Record<keyof Tables, readonly ListLimit[] | string>;

/** A table whose lists have limits. */
export type LimitedTable = {
  [Table in keyof typeof listLimits]: (typeof listLimits)[Table] extends string ? never : Table;
}[keyof typeof listLimits];
