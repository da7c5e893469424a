import type { RealmGroupSetting, RealmSettingName } from '@bellhop/protocol';

import type { ValueNames } from './kind-of.ts';

/** The settings of the organization in the order of the page, with their labels. Each is in one group. */
export const realmSettingGroups = {
  Profile: {
    name: 'Organization name',
    description: 'Organization description',
    org_type: 'Organization type',
    default_language: 'Language for automated messages and invitation emails',
    want_advertise_in_communities_directory: 'Advertise organization in the communities directory',
    enable_spectator_access:
      'Allow creating web-public channels (visible to anyone on the internet)',
  },
  Joining: {
    invite_required: 'Invitations are required for joining',
    emails_restricted_to_domains: 'Restrict email domains of new users',
    disallow_disposable_email_addresses: 'Disallow disposable email addresses',
    waiting_period_threshold: 'Waiting period before new members become full members (days)',
    require_unique_names: 'Require unique names',
    send_welcome_emails: 'Send a welcome email',
    welcome_message_custom_text: 'Custom welcome message',
    signup_announcements_stream_id: 'New user announcements',
  },
  Profiles: {
    name_changes_disabled: 'Prevent users from changing their name',
    email_changes_disabled: 'Prevent users from changing their email address',
    avatar_changes_disabled: 'Prevent users from changing their profile picture',
    presence_disabled: 'Disable availability status',
    enable_guest_user_indicator: 'Display “(guest)” after names of guest users',
    enable_guest_user_dm_warning: 'Warn when composing a direct message to a guest',
  },
  Messages: {
    allow_message_editing: 'Allow message editing',
    message_content_edit_limit_seconds: 'Time limit for editing messages (seconds)',
    message_content_delete_limit_seconds: 'Time limit for deleting messages (seconds)',
    move_messages_within_stream_limit_seconds: 'Time limit for editing topics (seconds)',
    move_messages_between_streams_limit_seconds:
      'Time limit for moving messages between channels (seconds)',
    message_edit_history_visibility_policy: 'Message edit history',
    message_retention_days: 'Message retention period (days)',
    topics_policy: 'General chat topic',
    enable_read_receipts: 'Enable read receipts',
    default_code_block_language: 'Default language for code blocks',
    inline_image_preview: 'Show previews of uploaded and linked images and videos',
    inline_url_embed_preview: 'Show previews of linked websites',
    giphy_rating: 'GIF integration',
  },
  Channels: {
    new_stream_announcements_stream_id: 'New channel announcements',
    moderation_request_channel_id: 'Moderation requests',
    zulip_update_announcements_stream_id: 'Product update announcements',
  },
  Notifications: {
    message_content_allowed_in_email_notifications: 'Allow message content in email notifications',
    require_e2ee_push_notifications: 'Require end-to-end encryption for push notifications',
    digest_emails_enabled: 'Send weekly digest emails to inactive users',
    digest_weekday: 'Day of the week to send digests',
  },
  Calls: {
    video_chat_provider: 'Call provider',
    jitsi_server_url: 'Jitsi server URL',
  },
} satisfies Readonly<Record<string, Partial<Record<RealmSettingName, string>>>>;

type Labelled = { [G in keyof typeof realmSettingGroups]: keyof (typeof realmSettingGroups)[G] };
type MissingLabel = Exclude<RealmSettingName, Labelled[keyof Labelled]>;
/** Does not compile if a setting has no label. */
void (true satisfies [MissingLabel] extends [never] ? true : MissingLabel);

export const realmPermissionLabels: Readonly<Record<RealmGroupSetting, string>> = {
  can_invite_users_group: 'Who can send email invitations to new users',
  create_multiuse_invite_group: 'Who can create reusable invitation links',
  can_access_all_users_group: 'Who can view all other users in the organization',
  can_create_groups: 'Who can create user groups',
  can_manage_all_groups: 'Who can administer all user groups',
  can_create_public_channel_group: 'Who can create public channels',
  can_create_private_channel_group: 'Who can create private channels',
  can_create_web_public_channel_group: 'Who can create web-public channels',
  can_add_subscribers_group: 'Who can subscribe others to channels',
  can_create_bots_group: 'Who can create any bot',
  can_create_write_only_bots_group: 'Who can create bots that send messages into channels',
  can_add_custom_emoji_group: 'Who can add custom emoji',
  can_mention_many_users_group: 'Who can notify a large number of users with a wildcard mention',
  can_delete_any_message_group: 'Who can delete any message',
  can_delete_own_message_group: 'Who can delete their own messages',
  can_set_delete_message_policy_group: 'Who can set per-channel message deletion permissions',
  can_move_messages_between_channels_group: 'Who can move messages to another channel',
  can_move_messages_between_topics_group: 'Who can move messages to another topic',
  can_resolve_topics_group: 'Who can resolve topics',
  can_set_topics_policy_group: 'Who can set a per-channel topics policy',
  can_summarize_topics_group: 'Who can use AI summaries',
  direct_message_initiator_group: 'Who can start a direct message conversation',
  direct_message_permission_group: 'Who can authorize a direct message conversation',
  can_manage_billing_group: 'Who can manage plans and billing',
};

/** The words for values of choices, by setting. */
export const realmValueNames: Partial<Record<RealmSettingName, ValueNames>> = {
  org_type: {
    0: 'Unspecified',
    10: 'Business',
    20: 'Open-source project',
    30: 'Education (non-profit)',
    35: 'Education (for-profit)',
    40: 'Research',
    50: 'Event or conference',
    60: 'Non-profit (registered)',
    70: 'Government',
    80: 'Political group',
    90: 'Community',
    100: 'Personal',
    1000: 'Other',
  },
  giphy_rating: { 0: 'Disabled', 2: 'Enabled (rated G)' },
  message_edit_history_visibility_policy: {
    all: 'Show edits and moves',
    moves: 'Show moves only',
    none: 'Hide edits and moves',
  },
  topics_policy: {
    allow_empty_topic: 'Topics are optional',
    disable_empty_topic: 'Topics are required',
  },
  video_chat_provider: { 0: 'None' },
};
