import { z } from 'zod';

import { Markdown, Name } from '../../values/fields.ts';
import { GroupSetting } from '../../values/ids.ts';
import { type RealmGroupSetting, realmGroupSettings } from '../../wire/group-settings.ts';
import { ReportType } from '../messages/message-reports.ts';
import { realmSettingsState } from './realm-settings.ts';

const groupSettings = Object.fromEntries(
  realmGroupSettings.map((name) => [`realm_${name}`, GroupSetting]),
) as Record<`realm_${RealmGroupSetting}`, typeof GroupSetting>;

const properties = {
  ...realmSettingsState,
  realm_push_notifications_enabled: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.int().nullable(),
};

/** Older and newer names that clients of the public API read. Each is computed from a setting above. */
const legacy = {
  realm_allow_edit_history: z.boolean(),
  realm_create_private_stream_policy: z.int(),
  realm_create_public_stream_policy: z.int(),
  realm_create_web_public_stream_policy: z.int(),
  realm_gif_rating_policy: z.int(),
  realm_is_zephyr_mirror_realm: z.boolean(),
  realm_mandatory_topics: z.boolean(),
  realm_uri: z.string(),
  realm_wildcard_mention_policy: z.int(),
};

/** Settings of the public API that nobody can change here: always the same. */
const constant = {
  realm_owner_full_content_access: z.boolean(),
  realm_send_channel_events_messages: z.boolean(),
};

const AuthenticationMethod = z.object({
  enabled: z.boolean(),
  available: z.boolean(),
  unavailable_reason: z.string().optional(),
});

/** A site of accounts in custom profile fields. */
const ExternalAccount = z.object({
  name: Name,
  text: Markdown,
  hint: z.string(),
  url_pattern: z.string().meta({ description: 'Has `%(username)s` once' }),
});

const identity = {
  realm_authentication_methods: z.record(z.string(), AuthenticationMethod),
  realm_available_video_chat_providers: z.record(z.string(), z.object({ id: z.int(), name: Name })),
  realm_bot_domain: z.string(),
  realm_date_created: z.int(),
  realm_default_external_accounts: z.record(z.string(), ExternalAccount),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_empty_topic_display_name: z.string(),
  realm_icon_source: z.string(),
  realm_icon_url: z.string(),
  realm_logo_source: z.string(),
  realm_logo_url: z.string(),
  realm_night_logo_source: z.string(),
  realm_night_logo_url: z.string(),
  realm_plan_type: z.int(),
  realm_upload_quota_mib: z.int().nullable(),
  realm_url: z.string(),
  realm_uuid: z.string(),
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

const RatingOptions = z.record(z.string(), z.object({ id: z.int(), name: Name }));

const server = {
  demo_organization_scheduled_deletion_date: z.int().optional(),
  development_environment: z.boolean(),
  event_queue_longpoll_timeout_seconds: z.int(),
  gif_rating_policy_options: RatingOptions,
  giphy_rating_options: RatingOptions.meta({
    description: 'Older name of gif_rating_policy_options',
  }),
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
  server_report_message_types: z
    .array(z.object({ key: ReportType, name: Name }))
    .meta({ description: 'The values of report_type' }),
  server_supported_permission_settings: z.object({
    realm: Permissions,
    stream: Permissions,
    group: Permissions,
  }),
  server_thumbnail_formats: z
    .array(
      z.object({
        name: Name,
        max_width: z.int(),
        max_height: z.int(),
        format: z.string(),
        animated: z.boolean(),
      }),
    )
    .meta({
      description:
        'The formats of thumbnails: at /user_uploads/thumbnail/<path of the file>/<name>. Those with animation exist for images of several frames.',
    }),
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
  ...constant,
  ...identity,
  ...server,
});
export type RealmState = z.output<typeof RealmState>;
