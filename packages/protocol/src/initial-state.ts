import { z } from 'zod';

import { Bot } from './bots.ts';
import { Channel, Subscription } from './channels/channel.ts';
import { PushDeviceState } from './devices.ts';
import { ChannelId, MessageId, UserId } from './ids.ts';
import { RealmState } from './realm-state.ts';
import { UserGroup } from './user-group.ts';
import { UserSettings } from './users/user-settings.ts';
import { User } from './users/user.ts';

const nothingYet = z.array(z.unknown());
const RealmDefaults = UserSettings.partial().extend({
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
});

const UnreadMessages = z.object({
  count: z.int(),
  pms: z.array(
    z.object({
      other_user_id: UserId,
      sender_id: UserId,
      unread_message_ids: z.array(MessageId),
    }),
  ),
  streams: z.array(
    z.object({
      stream_id: ChannelId,
      topic: z.string(),
      unread_message_ids: z.array(MessageId),
    }),
  ),
  huddles: z.array(
    z.object({ user_ids_string: z.string(), unread_message_ids: z.array(MessageId) }),
  ),
  mentions: z.array(MessageId),
  old_unreads_missing: z.boolean(),
});

/** As in answers elsewhere, less `is_active`; what capabilities allow to leave out may be absent. */
const ListedUser = User.omit({ is_active: true }).partial({ avatar_url: true, timezone: true });

const account = {
  user_id: UserId,
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  avatar_source: z.string(),
  avatar_url: z.string().nullable(),
  avatar_url_medium: z.string().nullable(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  can_create_streams: z.boolean(),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
};

/** The state that events then keep up to date; each key comes with the fetch type that names it. */
export const InitialState = z
  .object({
    alert_words: z.array(z.string()),
    custom_profile_fields: nothingYet,
    custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
    onboarding_steps: nothingYet,
    navigation_tour_video_url: z.string().nullable(),
    max_message_id: MessageId.or(z.literal(-1)),
    drafts: nothingYet,
    navigation_views: nothingYet,
    saved_snippets: nothingYet,
    scheduled_messages: nothingYet,
    reminders: nothingYet,
    muted_topics: nothingYet,
    user_topics: nothingYet,
    muted_users: nothingYet,
    presences: z.record(z.string(), z.unknown()),
    presence_last_update_id: z.int(),
    server_timestamp: z.number(),
    realm_user_groups: z.array(UserGroup),
    ...RealmState.shape,
    realm_user_settings_defaults: RealmDefaults,
    realm_domains: nothingYet,
    realm_emoji: z.record(z.string(), z.unknown()),
    realm_linkifiers: nothingYet,
    realm_filters: nothingYet,
    realm_playgrounds: nothingYet,
    realm_users: z.array(ListedUser),
    realm_non_active_users: z.array(ListedUser),
    cross_realm_bots: z.array(ListedUser),
    ...account,
    realm_bots: z.array(Bot),
    realm_embedded_bots: nothingYet,
    realm_incoming_webhook_bots: nothingYet,
    recent_private_conversations: z.array(
      z.object({ user_ids: z.array(UserId), max_message_id: MessageId }),
    ),
    subscriptions: z.array(Subscription),
    unsubscribed: z.array(Subscription),
    never_subscribed: z.array(Channel),
    channel_folders: nothingYet,
    unread_msgs: UnreadMessages,
    starred_messages: z.array(MessageId),
    streams: z.array(Channel),
    realm_default_streams: z.array(ChannelId),
    realm_default_stream_groups: nothingYet,
    stop_words: z.array(z.string()),
    user_settings: RealmDefaults,
    ...UserSettings.shape,
    emojiset_choices: RealmDefaults.shape.emojiset_choices,
    available_notification_sounds: z.array(z.string()),
    user_status: z.record(z.string(), z.unknown()),
    has_zoom_token: z.boolean(),
    giphy_api_key: z.string(),
    push_devices: z.record(z.string(), PushDeviceState),
    realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }),
  })
  .partial();
export type InitialState = z.output<typeof InitialState>;
