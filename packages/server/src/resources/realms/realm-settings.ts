import type { ChannelId, RealmState } from '@bellhop/protocol';

type WithoutRealmPrefix<S> = {
  [K in keyof S as K extends `realm_${infer Name}` ? Name : never]: S[K];
};
type SettingName =
  | 'allow_message_editing'
  | 'avatar_changes_disabled'
  | 'default_code_block_language'
  | 'default_language'
  | 'digest_emails_enabled'
  | 'digest_weekday'
  | 'disallow_disposable_email_addresses'
  | 'email_changes_disabled'
  | 'emails_restricted_to_domains'
  | 'enable_guest_user_dm_warning'
  | 'enable_guest_user_indicator'
  | 'enable_read_receipts'
  | 'enable_spectator_access'
  | 'giphy_rating'
  | 'inline_image_preview'
  | 'inline_url_embed_preview'
  | 'invite_required'
  | 'jitsi_server_url'
  | 'message_content_allowed_in_email_notifications'
  | 'message_content_delete_limit_seconds'
  | 'message_content_edit_limit_seconds'
  | 'message_edit_history_visibility_policy'
  | 'message_retention_days'
  | 'move_messages_between_streams_limit_seconds'
  | 'move_messages_within_stream_limit_seconds'
  | 'name_changes_disabled'
  | 'presence_disabled'
  | 'require_e2ee_push_notifications'
  | 'require_unique_names'
  | 'send_welcome_emails'
  | 'topics_policy'
  | 'video_chat_provider'
  | 'want_advertise_in_communities_directory'
  | 'welcome_message_custom_text';
export type RealmSettings = Pick<WithoutRealmPrefix<RealmState>, SettingName>;

const WEEK = 604_800;

/** Settings of a new realm. A realm stores only the settings that differ. */
export const initialRealmSettings: RealmSettings = {
  allow_message_editing: true,
  avatar_changes_disabled: false,
  default_code_block_language: '',
  default_language: 'en',
  digest_emails_enabled: false,
  digest_weekday: 1,
  disallow_disposable_email_addresses: true,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  enable_guest_user_dm_warning: true,
  enable_guest_user_indicator: true,
  enable_read_receipts: true,
  enable_spectator_access: false,
  giphy_rating: 2,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_required: true,
  jitsi_server_url: null,
  message_content_allowed_in_email_notifications: true,
  message_content_delete_limit_seconds: 600,
  message_content_edit_limit_seconds: 600,
  message_edit_history_visibility_policy: 'all',
  message_retention_days: -1,
  move_messages_between_streams_limit_seconds: WEEK,
  move_messages_within_stream_limit_seconds: WEEK,
  name_changes_disabled: false,
  presence_disabled: false,
  require_e2ee_push_notifications: false,
  require_unique_names: false,
  send_welcome_emails: true,
  topics_policy: 'allow_empty_topic',
  video_chat_provider: 0,
  want_advertise_in_communities_directory: false,
  welcome_message_custom_text: '',
};

export const settingsOf = (realm: {
  settings: Readonly<Record<string, unknown>>;
}): RealmSettings => ({
  ...initialRealmSettings,
  ...realm.settings,
});

/** The channel in which new channels are announced, if any. */
export const newChannelAnnouncements = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'new_stream_announcements_stream_id');

/** The channel in which new users are announced, if any. */
export const signupAnnouncements = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'signup_announcements_stream_id');

/** The channel to which messages are reported, if any. */
export const moderationRequests = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'moderation_request_channel_id');

interface StoredSettings {
  readonly settings: Readonly<Record<string, unknown>>;
}

function channelIn({ settings }: StoredSettings, name: string): ChannelId | undefined {
  const id = settings[name];
  return typeof id === 'number' && id > 0 ? (id as ChannelId) : undefined;
}
