import { z } from 'zod';

import { ChannelId, GroupSetting } from '../ids.ts';

/** The permission settings of a realm. In the initial state, `realm_` precedes their names. */
export const realmGroupSettings = [
  'create_multiuse_invite_group',
  'can_access_all_users_group',
  'can_add_custom_emoji_group',
  'can_add_subscribers_group',
  'can_create_bots_group',
  'can_create_groups',
  'can_create_private_channel_group',
  'can_create_public_channel_group',
  'can_create_web_public_channel_group',
  'can_create_write_only_bots_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'can_mention_many_users_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_set_delete_message_policy_group',
  'can_set_topics_policy_group',
  'can_summarize_topics_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
] as const;
export type RealmGroupSetting = (typeof realmGroupSettings)[number];

const groupSettings = Object.fromEntries(
  realmGroupSettings.map((name) => [`realm_${name}`, GroupSetting]),
) as Record<`realm_${RealmGroupSetting}`, typeof GroupSetting>;

const properties = {
  realm_allow_message_editing: z.boolean(),
  realm_avatar_changes_disabled: z.boolean(),
  realm_default_code_block_language: z.string(),
  realm_default_language: z.string(),
  realm_description: z.string(),
  realm_digest_emails_enabled: z.boolean(),
  realm_digest_weekday: z.int().min(0).max(6),
  realm_disallow_disposable_email_addresses: z.boolean(),
  realm_email_changes_disabled: z.boolean(),
  realm_emails_restricted_to_domains: z.boolean(),
  realm_enable_guest_user_dm_warning: z.boolean(),
  realm_enable_guest_user_indicator: z.boolean(),
  realm_enable_read_receipts: z.boolean(),
  realm_enable_spectator_access: z.boolean(),
  realm_giphy_rating: z.int(),
  realm_inline_image_preview: z.boolean(),
  realm_inline_url_embed_preview: z.boolean(),
  realm_invite_required: z.boolean(),
  realm_jitsi_server_url: z.string().nullable(),
  realm_message_content_allowed_in_email_notifications: z.boolean(),
  realm_message_content_delete_limit_seconds: z.int().nullable(),
  realm_message_content_edit_limit_seconds: z.int().nullable(),
  realm_message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']),
  realm_message_retention_days: z.int(),
  realm_move_messages_between_streams_limit_seconds: z.int().nullable(),
  realm_move_messages_within_stream_limit_seconds: z.int().nullable(),
  realm_name: z.string(),
  realm_name_changes_disabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.int().nullable(),
  realm_require_e2ee_push_notifications: z.boolean(),
  realm_require_unique_names: z.boolean(),
  realm_send_welcome_emails: z.boolean(),
  realm_topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
  realm_video_chat_provider: z.int(),
  realm_waiting_period_threshold: z.int().meta({ description: 'Days' }),
  realm_want_advertise_in_communities_directory: z.boolean(),
  realm_welcome_message_custom_text: z.string(),
};

/** Older names that clients still read. Each is computed from a setting above. */
const legacy = {
  realm_allow_edit_history: z.boolean(),
  realm_create_private_stream_policy: z.int(),
  realm_create_public_stream_policy: z.int(),
  realm_create_web_public_stream_policy: z.int(),
  realm_is_zephyr_mirror_realm: z.boolean(),
  realm_mandatory_topics: z.boolean(),
  realm_uri: z.string(),
  realm_wildcard_mention_policy: z.int(),
};

const AuthenticationMethod = z.object({
  enabled: z.boolean(),
  available: z.boolean(),
  unavailable_reason: z.string().optional(),
});
const AnnouncementChannel = ChannelId.or(z.literal(-1));

const identity = {
  realm_authentication_methods: z.record(z.string(), AuthenticationMethod),
  realm_available_video_chat_providers: z.record(
    z.string(),
    z.object({ id: z.int(), name: z.string() }),
  ),
  realm_bot_domain: z.string(),
  realm_date_created: z.int(),
  realm_default_external_accounts: z.record(z.string(), z.unknown()),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_empty_topic_display_name: z.string(),
  realm_icon_source: z.string(),
  realm_icon_url: z.string(),
  realm_logo_source: z.string(),
  realm_logo_url: z.string(),
  realm_night_logo_source: z.string(),
  realm_night_logo_url: z.string(),
  realm_org_type: z.int(),
  realm_plan_type: z.int(),
  realm_presence_disabled: z.boolean(),
  realm_upload_quota_mib: z.int().nullable(),
  realm_url: z.string(),
  realm_moderation_request_channel_id: AnnouncementChannel,
  realm_new_stream_announcements_stream_id: AnnouncementChannel,
  realm_signup_announcements_stream_id: AnnouncementChannel,
  realm_zulip_update_announcements_stream_id: AnnouncementChannel,
};

const PermissionSetting = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()),
});
export type PermissionSetting = z.output<typeof PermissionSetting>;
const Permissions = z.record(z.string(), PermissionSetting);

const server = {
  demo_organization_scheduled_deletion_date: z.int().optional(),
  development_environment: z.boolean(),
  event_queue_longpoll_timeout_seconds: z.int(),
  giphy_rating_options: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  jitsi_server_url: z.string().nullable(),
  max_avatar_file_size_mib: z.int(),
  max_bulk_new_subscription_messages: z.int(),
  max_channel_folder_description_length: z.int(),
  max_channel_folder_name_length: z.int(),
  max_file_upload_size_mib: z.int(),
  max_icon_file_size_mib: z.int(),
  max_logo_file_size_mib: z.int(),
  max_message_length: z.int(),
  max_reminder_note_length: z.int(),
  max_stream_description_length: z.int(),
  max_stream_name_length: z.int(),
  max_topic_length: z.int(),
  password_max_length: z.int(),
  password_min_guesses: z.int(),
  password_min_length: z.int(),
  server_avatar_changes_disabled: z.boolean(),
  server_can_summarize_topics: z.boolean(),
  server_emoji_data_url: z.string(),
  server_generation: z.int(),
  server_inline_image_preview: z.boolean(),
  server_inline_url_embed_preview: z.boolean(),
  server_jitsi_server_url: z.string().nullable(),
  server_max_deactivated_realm_deletion_days: z.int().nullable(),
  server_min_deactivated_realm_deletion_days: z.int().nullable(),
  server_name_changes_disabled: z.boolean(),
  server_needs_upgrade: z.boolean(),
  server_presence_offline_threshold_seconds: z.int(),
  server_presence_ping_interval_seconds: z.int(),
  server_supported_permission_settings: z.object({
    realm: Permissions,
    stream: Permissions,
    group: Permissions,
  }),
  server_thumbnail_formats: z.array(z.unknown()),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_web_public_streams_enabled: z.boolean(),
  settings_send_digest_emails: z.boolean(),
  upgrade_text_for_wide_organization_logo: z.string(),
  zulip_plan_is_not_limited: z.boolean(),
};

/** The section of the fetch type `realm`. */
export const RealmState = z.object({
  ...properties,
  ...groupSettings,
  ...legacy,
  ...identity,
  ...server,
});
export type RealmState = z.output<typeof RealmState>;
