import {
  EMPTY_TOPIC_DISPLAY_NAME,
  type GroupSetting,
  MAX_AVATAR_MIB,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_REALM_IMAGE_MIB,
  MAX_REMINDER_NOTE_LENGTH,
  MAX_TOPIC_LENGTH,
  MIN_PASSWORD_GUESSES,
  MIN_PASSWORD_LENGTH,
  PRESENCE_OFFLINE_SECONDS,
  PRESENCE_PING_SECONDS,
  type RealmGroupSetting,
  realmGroupSettings,
  reportTypes,
  type RealmState,
  ReportType,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { externalAccounts } from '../../model/custom-profile-fields/external-accounts.ts';
import * as realmImages from '../../model/realm-images/queries.ts';
import { legacyPolicies } from '../../model/realms/legacy-policies.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import * as queries from '../../model/realms/queries.ts';
import { realmSettingsOf } from '../../model/realms/realm-settings.ts';
import { thumbnailFormats } from '../../model/uploads/thumbnail-formats.ts';
import { uploadLimits } from '../../model/uploads/upload-limits.ts';
import * as userGroups from '../../model/user-groups/queries.ts';

/** Limits that clients check before they send a request. */
const limits = {
  max_avatar_file_size_mib: MAX_AVATAR_MIB,
  max_bulk_new_subscription_messages: 100,
  max_channel_folder_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_icon_file_size_mib: MAX_REALM_IMAGE_MIB,
  max_logo_file_size_mib: MAX_REALM_IMAGE_MIB,
  max_message_length: MAX_MESSAGE_LENGTH,
  max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
  max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  password_max_length: MAX_PASSWORD_LENGTH,
  password_min_guesses: MIN_PASSWORD_GUESSES,
  password_min_length: MIN_PASSWORD_LENGTH,
};

const gifRatings = {
  disabled: { id: 0, name: 'GIPHY integration disabled' },
  g: { id: 2, name: 'Allow GIFs rated G (General audience)' },
};

const serverState = (realm: Realm, generation: number) => ({
  development_environment: false,
  event_queue_longpoll_timeout_seconds: 90,
  gif_rating_policy_options: gifRatings,
  giphy_rating_options: gifRatings,
  jitsi_server_url: null,
  server_avatar_changes_disabled: false,
  server_can_summarize_topics: false,
  server_emoji_data_url: `${realm.url}/api/emoji.json`,
  server_generation: generation,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_jitsi_server_url: null,
  server_max_deactivated_realm_deletion_days: null,
  server_min_deactivated_realm_deletion_days: 14,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_presence_offline_threshold_seconds: PRESENCE_OFFLINE_SECONDS,
  server_presence_ping_interval_seconds: PRESENCE_PING_SECONDS,
  server_report_message_types: ReportType.options.map((key) => ({ key, name: reportTypes[key] })),
  server_supported_permission_settings: supportedPermissionSettings,
  server_thumbnail_formats: thumbnailFormats.map((format) => ({ ...format })),
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_web_public_streams_enabled: realm.has_web_public_channels,
  settings_send_digest_emails: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
});

const identityState = (realm: Realm) => ({
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_available_video_chat_providers: { disabled: { id: 0, name: 'None' } },
  realm_bot_domain: new URL(realm.url).hostname,
  realm_date_created: Math.floor(realm.date_created.getTime() / 1000),
  realm_default_external_accounts: externalAccounts,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_plan_type: 1,
  realm_url: realm.url,
  realm_uri: realm.url,
  realm_uuid: realm.uuid,
});

async function imageState(db: Db, realm: Realm) {
  const { icon, logo, night_logo } = await realmImages.ofRealm(db, realm);
  return {
    realm_icon_source: icon.source,
    realm_icon_url: icon.url,
    realm_logo_source: logo.source,
    realm_logo_url: logo.url,
    realm_night_logo_source: night_logo.source,
    realm_night_logo_url: night_logo.url,
  };
}

/** The `realm` part of the initial state. `generation` changes at each start of the server. */
export async function realmState(
  db: Db,
  realm: Realm,
  { config, generation }: { config: Config; generation: number },
): Promise<RealmState> {
  const ids = realmGroupSettings.map((name) => realm.group_settings[name]);
  const [values, groups, images, push] = await Promise.all([
    userGroups.settingValues(db, realm.id, ids),
    userGroups.systemGroupIds(db, realm.id),
    imageState(db, realm),
    // Read again: the cached realm may be older than the event queue, and so lack a change that the queue does not report.
    queries.pushStatus(db, realm.id),
  ]);
  return {
    ...withRealmPrefix(realmSettingsOf(realm)),
    ...withRealmPrefix(groupValues(realm, values)),
    realm_push_notifications_enabled: push.can_push,
    realm_push_notifications_enabled_end_timestamp: push.end,
    ...withRealmPrefix(legacyPolicies(realm, groups)),
    realm_is_zephyr_mirror_realm: false,
    realm_owner_full_content_access: false,
    realm_send_channel_events_messages: true,
    ...identityState(realm),
    ...images,
    ...limits,
    max_file_upload_size_mib: config.maxUploadMib,
    realm_upload_quota_mib: uploadLimits(config, realm).realmQuotaMib,
    ...serverState(realm, generation),
  };
}

type WithRealmPrefix<S> = { [K in keyof S & string as `realm_${K}`]: S[K] };
const withRealmPrefix = <S extends object>(all: S): WithRealmPrefix<S> =>
  Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`realm_${name}`, value]),
  ) as WithRealmPrefix<S>;

function groupValues(
  realm: Realm,
  values: ReadonlyMap<UserGroupId, GroupSetting>,
): Record<RealmGroupSetting, GroupSetting> {
  return Object.fromEntries(
    realmGroupSettings.map((name) => {
      const id = realm.group_settings[name];
      return [name, values.get(id) ?? id];
    }),
  ) as Record<RealmGroupSetting, GroupSetting>;
}
