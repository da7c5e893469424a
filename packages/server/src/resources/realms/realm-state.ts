import {
  EMPTY_TOPIC_DISPLAY_NAME,
  type GroupSetting,
  MAX_AVATAR_MIB,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_REMINDER_NOTE_LENGTH,
  MAX_TOPIC_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PRESENCE_OFFLINE_SECONDS,
  PRESENCE_PING_SECONDS,
  type RealmGroupSetting,
  realmGroupSettings,
  type RealmState,
  type SystemGroup,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { uploadLimits } from '../uploads/upload-limits.ts';
import * as userGroups from '../user-groups/queries.ts';
import { supportedPermissionSettings } from './permission-settings.ts';
import * as queries from './queries.ts';
import {
  moderationRequests,
  newChannelAnnouncements,
  type RealmSettings,
  settingsOf,
  signupAnnouncements,
} from './realm-settings.ts';

/** The id of no channel. */
const NONE = -1 as const;

/** Limits that clients check before they send a request. */
const limits = {
  max_avatar_file_size_mib: MAX_AVATAR_MIB,
  max_bulk_new_subscription_messages: 100,
  max_channel_folder_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  max_message_length: 10_000,
  max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
  max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  password_max_length: MAX_PASSWORD_LENGTH,
  password_min_guesses: 10_000,
  password_min_length: MIN_PASSWORD_LENGTH,
};

const serverState = (realm: Realm, generation: number) => ({
  development_environment: false,
  event_queue_longpoll_timeout_seconds: 90,
  giphy_rating_options: {
    disabled: { id: 0, name: 'GIPHY integration disabled' },
    g: { id: 2, name: 'Allow GIFs rated G (General audience)' },
  },
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
  server_supported_permission_settings: supportedPermissionSettings,
  server_thumbnail_formats: [],
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_web_public_streams_enabled: true,
  settings_send_digest_emails: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
});

const identityState = (realm: Realm) => ({
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_available_video_chat_providers: { disabled: { id: 0, name: 'None' } },
  realm_bot_domain: new URL(realm.url).hostname,
  realm_date_created: Math.floor(realm.date_created.getTime() / 1000),
  realm_default_external_accounts: {},
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_icon_source: 'G',
  realm_icon_url: `${realm.url}/api/icon.svg`,
  realm_logo_source: 'D',
  realm_logo_url: `${realm.url}/api/icon.svg`,
  realm_night_logo_source: 'D',
  realm_night_logo_url: `${realm.url}/api/icon.svg`,
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_url: realm.url,
  realm_uri: realm.url,
  realm_moderation_request_channel_id: moderationRequests(realm) ?? NONE,
  realm_new_stream_announcements_stream_id: newChannelAnnouncements(realm) ?? NONE,
  realm_signup_announcements_stream_id: signupAnnouncements(realm) ?? NONE,
  realm_zulip_update_announcements_stream_id: NONE,
});

/** The numbers of the legacy policies: 1 members, 2 admins, 3 full members, 4 moderators, 5 everyone, 6 nobody, 7 owners. */
const policies: Partial<Record<SystemGroup, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:nobody': 6,
  'role:owners': 7,
};
/** The numbers of the legacy policy for wildcard mentions: 1 everyone, 2 members, 3 full members, 5 admins, 6 nobody, 7 moderators. */
const wildcardPolicies: Partial<Record<SystemGroup, number>> = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};

type PolicyOf = (
  setting: RealmGroupSetting,
  numbers: Partial<Record<SystemGroup, number>>,
) => number;

const legacyPolicies = (settings: RealmSettings, policyOf: PolicyOf) => ({
  realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
  realm_create_private_stream_policy: policyOf('can_create_private_channel_group', policies),
  realm_create_public_stream_policy: policyOf('can_create_public_channel_group', policies),
  realm_create_web_public_stream_policy: policyOf('can_create_web_public_channel_group', policies),
  realm_is_zephyr_mirror_realm: false,
  realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
  realm_wildcard_mention_policy: policyOf('can_mention_many_users_group', wildcardPolicies),
});

/** The `realm` part of the initial state. `generation` changes at each start of the server. */
export async function realmState(
  db: Db,
  realm: Realm,
  { config, generation }: { config: Config; generation: number },
): Promise<RealmState> {
  const settings = settingsOf(realm);
  const ids = realmGroupSettings.map((name) => realm.group_settings[name]);
  const [values, groups, push] = await Promise.all([
    userGroups.settingValues(db, realm.id, ids),
    userGroups.systemGroupIds(db, realm.id),
    // Read again: the cached realm may be older than the event queue, and so lack a change that the queue does not report.
    queries.pushStatus(db, realm.id),
  ]);
  const nameOf = new Map(Object.entries(groups).map(([name, id]) => [id, name as SystemGroup]));
  const policyOf: PolicyOf = (setting, numbers) => {
    const name = nameOf.get(realm.group_settings[setting]);
    return (name && numbers[name]) ?? numbers['role:administrators'] ?? 2;
  };
  return {
    ...withRealmPrefix(settings),
    ...withRealmPrefix(groupValues(realm, values)),
    realm_description: realm.description,
    realm_name: realm.name,
    realm_push_notifications_enabled: push.can_push,
    realm_push_notifications_enabled_end_timestamp: push.end,
    realm_waiting_period_threshold: realm.waiting_period_days,
    ...legacyPolicies(settings, policyOf),
    ...identityState(realm),
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
