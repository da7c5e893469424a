import type { RealmGroupSetting, RealmSettingName } from '@bellhop/protocol';

import type { ValueNames } from './kind-of.ts';

/** The settings of the organization in the order of the page, with their labels. Each is in one group. */
export const realmSettingGroups = {
  Profile: {
    name: 'Name',
    description: 'Description',
    org_type: 'Kind',
    default_language: 'Language of new users',
    want_advertise_in_communities_directory: 'May be listed in a directory',
    enable_spectator_access: 'Let people without an account read web-public channels',
  },
  Joining: {
    invite_required: 'Only people who are invited',
    emails_restricted_to_domains: 'Only addresses of allowed domains',
    disallow_disposable_email_addresses: 'No throw-away addresses',
    waiting_period_threshold: 'Days until somebody is a full member',
    require_unique_names: 'Every name once',
    send_welcome_emails: 'Send a mail of welcome',
    welcome_message_custom_text: 'Message of welcome',
    signup_announcements_stream_id: 'Channel that tells of new users',
  },
  Profiles: {
    name_changes_disabled: 'People keep their name',
    email_changes_disabled: 'People keep their address',
    avatar_changes_disabled: 'People keep their picture',
    presence_disabled: 'Do not record who is active',
    enable_guest_user_indicator: 'Mark guests after their name',
    enable_guest_user_dm_warning: 'Warn before a direct message to guests',
  },
  Messages: {
    allow_message_editing: 'People edit their messages',
    message_content_edit_limit_seconds: 'Seconds in which they edit',
    message_content_delete_limit_seconds: 'Seconds in which they delete',
    move_messages_within_stream_limit_seconds:
      'Seconds in which one moves messages to other topics',
    move_messages_between_streams_limit_seconds:
      'Seconds in which one moves messages to other channels',
    message_edit_history_visibility_policy: 'What the history of a message shows',
    message_retention_days: 'Days that messages are kept',
    topics_policy: 'Topics',
    enable_read_receipts: 'Show who has read a message',
    default_code_block_language: 'Language of code blocks',
    inline_image_preview: 'Show pictures in messages',
    inline_url_embed_preview: 'Show previews of linked pages',
    giphy_rating: 'Animations',
  },
  Channels: {
    new_stream_announcements_stream_id: 'Channel that tells of new channels',
    moderation_request_channel_id: 'Channel that gets reports of messages',
    zulip_update_announcements_stream_id: 'Channel that tells of new versions',
  },
  Notifications: {
    message_content_allowed_in_email_notifications: 'Mails may show the text of messages',
    require_e2ee_push_notifications: 'Push the text of messages only encrypted',
    digest_emails_enabled: 'Weekly mails of what one missed',
    digest_weekday: 'Day of these mails',
  },
  Calls: {
    video_chat_provider: 'Video calls',
    jitsi_server_url: 'Server of video calls',
  },
} satisfies Readonly<Record<string, Partial<Record<RealmSettingName, string>>>>;

type Labelled = { [G in keyof typeof realmSettingGroups]: keyof (typeof realmSettingGroups)[G] };
type MissingLabel = Exclude<RealmSettingName, Labelled[keyof Labelled]>;
/** Does not compile if a setting has no label. */
void (true satisfies [MissingLabel] extends [never] ? true : MissingLabel);

export const realmPermissionLabels: Readonly<Record<RealmGroupSetting, string>> = {
  can_invite_users_group: 'Invite people',
  create_multiuse_invite_group: 'Create invitation links',
  can_access_all_users_group: 'See all users',
  can_create_groups: 'Create user groups',
  can_manage_all_groups: 'Manage all user groups',
  can_create_public_channel_group: 'Create public channels',
  can_create_private_channel_group: 'Create private channels',
  can_create_web_public_channel_group: 'Create web-public channels',
  can_add_subscribers_group: 'Subscribe others to channels',
  can_create_bots_group: 'Create bots',
  can_create_write_only_bots_group: 'Create bots that only write',
  can_add_custom_emoji_group: 'Add emoji',
  can_mention_many_users_group: 'Mention everybody in a large channel',
  can_delete_any_message_group: 'Delete all messages',
  can_delete_own_message_group: 'Delete their own messages',
  can_set_delete_message_policy_group: 'Say for a channel who deletes messages',
  can_move_messages_between_channels_group: 'Move messages to other channels',
  can_move_messages_between_topics_group: 'Move messages to other topics',
  can_resolve_topics_group: 'Resolve topics',
  can_set_topics_policy_group: 'Say for a channel which topics it allows',
  can_summarize_topics_group: 'Let a language model summarize topics',
  direct_message_initiator_group: 'Begin direct conversations',
  direct_message_permission_group: 'Write direct messages',
  can_manage_billing_group: 'Manage payments',
};

/** The words for values of choices, by setting. */
export const realmValueNames: Partial<Record<RealmSettingName, ValueNames>> = {
  org_type: {
    0: 'not said',
    10: 'business',
    20: 'open source',
    30: 'non-profit education',
    35: 'education for profit',
    40: 'research',
    50: 'event',
    60: 'non-profit',
    70: 'government',
    80: 'political group',
    90: 'community',
    100: 'personal',
    1000: 'other',
  },
  giphy_rating: { 0: 'none', 2: 'for everybody' },
  message_edit_history_visibility_policy: {
    all: 'edits and moves',
    moves: 'moves',
    none: 'nothing',
  },
  topics_policy: {
    allow_empty_topic: 'messages may have none',
    disable_empty_topic: 'every message has one',
  },
  video_chat_provider: { 0: 'none' },
};
