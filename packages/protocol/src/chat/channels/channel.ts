import { z } from 'zod';

import { Description, Html, Name, Timestamp } from '../../values/fields.ts';
import {
  ChannelFolderId,
  ChannelId,
  GroupSetting,
  GroupSettingParameter,
  GroupSettingUpdate,
  MessageId,
  UserId,
} from '../../values/ids.ts';
import { type ChannelGroupSetting, channelGroupSettings } from '../../wire/group-settings.ts';

export const MAX_CHANNEL_NAME_LENGTH = 60;
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;

/** Which topics a channel allows (spec, Create a channel: `topics_policy`). */
export const TopicsPolicy = z.enum([
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
]);
export type TopicsPolicy = z.output<typeof TopicsPolicy>;

const settings = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(channelGroupSettings.map((name) => [name, schema])) as Record<
    ChannelGroupSetting,
    S
  >;

/** A channel. `message_retention_days`: null for the setting of the realm, -1 for unlimited. */
export const Channel = z
  .object({
    stream_id: ChannelId,
    name: Name,
    description: Description,
    rendered_description: Html,
    date_created: Timestamp,
    creator_id: UserId.nullable(),
    invite_only: z.boolean(),
    is_web_public: z.boolean(),
    is_archived: z.boolean(),
    history_public_to_subscribers: z.boolean(),
    message_retention_days: z.int().nullable(),
    first_message_id: MessageId.nullable(),
    is_recently_active: z.boolean(),
    stream_weekly_traffic: z.int().nullable(),
    subscriber_count: z.int(),
    folder_id: ChannelFolderId.nullable(),
    topics_policy: TopicsPolicy,
    stream_post_policy: z.literal([1, 2, 3, 4]),
    is_announcement_only: z.boolean(),
    ...settings(GroupSetting),
    can_create_topic_group: GroupSetting.optional().meta({
      description:
        'Always the group of everyone here: who may post may begin a topic. Servers before feature level 441 do not send it',
    }),
    is_default: z.boolean().optional(),
    subscribers: z.array(UserId).optional(),
    partial_subscribers: z.array(UserId).optional(),
  })
  .meta({ id: 'Channel' });
export type Channel = z.output<typeof Channel>;

const inherited = z.boolean().nullable();

/** A channel with the reader's personal settings for it. */
export const Subscription = Channel.extend({
  color: z.string().meta({ example: '#76ce90' }),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  audible_notifications: inherited,
  desktop_notifications: inherited,
  email_notifications: inherited,
  push_notifications: inherited,
  wildcard_mentions_notify: inherited,
}).meta({ id: 'Subscription' });
export type Subscription = z.output<typeof Subscription>;

/** The largest number of a column of the type integer. */
const MAX_RETENTION_DAYS = 2 ** 31 - 1;
const RetentionDays = z
  .union([
    z.literal(['realm_default', 'unlimited', 'forever']),
    z.int().positive().max(MAX_RETENTION_DAYS),
  ])
  .meta({ description: 'Days, realm_default or unlimited (older name: forever)' });

/** The parameters that change a channel. Null removes it from its folder. */
export const channelUpdate = {
  is_private: z.boolean().optional(),
  is_web_public: z.boolean().optional(),
  history_public_to_subscribers: z.boolean().optional(),
  is_default_stream: z.boolean().optional(),
  message_retention_days: RetentionDays.optional(),
  topics_policy: TopicsPolicy.optional(),
  folder_id: ChannelFolderId.nullable().optional(),
  ...settings(GroupSettingUpdate.optional()),
};

/** The feature levels that added settings of a channel as parameters. */
export const channelSettingsSince = {
  folder_id: 389,
  topics_policy: 404,
  can_add_subscribers_group: 342,
  can_administer_channel_group: 325,
  can_delete_any_message_group: 407,
  can_delete_own_message_group: 407,
  can_move_messages_out_of_channel_group: 396,
  can_move_messages_within_channel_group: 396,
  can_remove_subscribers_group: 142,
  can_send_message_group: 333,
  can_subscribe_group: 357,
};

/** The parameters that set up a new channel (spec, Create a channel). */
export const channelCreation = {
  invite_only: z.boolean().default(false),
  is_web_public: z.boolean().default(false),
  is_default_stream: z.boolean().default(false),
  history_public_to_subscribers: z.boolean().optional(),
  message_retention_days: RetentionDays.default('realm_default'),
  topics_policy: TopicsPolicy.default('inherit'),
  folder_id: ChannelFolderId.optional(),
  ...settings(GroupSettingParameter.optional()),
};
