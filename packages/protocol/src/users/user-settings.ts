import { z } from 'zod';

const flag = (initial: boolean) => z.boolean().default(initial);
const choice = (initial: number, ...others: number[]) =>
  z.literal([initial, ...others]).default(initial);

/** Display settings, which older clients read at the top level of the state. */
export const legacyDisplaySettings = {
  color_scheme: choice(1, 2, 3),
  default_language: z.string().default('en'),
  web_home_view: z.enum(['inbox', 'recent_topics', 'all_messages']).default('inbox'),
  demote_inactive_streams: choice(1, 2, 3),
  emojiset: z.enum(['vendor_a', 'vendor_b', 'vendor_a-blob', 'text']).default('vendor_a'),
  enable_drafts_synchronization: flag(true),
  enter_sends: flag(false),
  fluid_layout_width: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  starred_message_counts: flag(true),
  translate_emoticons: flag(false),
  twenty_four_hour_time: flag(false),
  timezone: z.string().default(''),
};

/** Notification settings, which older clients read at the top level of the state. */
export const legacyNotificationSettings = {
  desktop_icon_count_display: choice(1, 2, 3, 4),
  email_notifications_batching_period_seconds: z.int().min(1).max(604_800).default(120),
  enable_desktop_notifications: flag(true),
  enable_digest_emails: flag(true),
  enable_login_emails: flag(true),
  enable_marketing_emails: flag(true),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_sounds: flag(true),
  enable_stream_audible_notifications: flag(false),
  enable_stream_desktop_notifications: flag(false),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  message_content_in_email_notifications: flag(true),
  notification_sound: z.string().default('ding'),
  pm_content_in_desktop_notifications: flag(true),
  presence_enabled: flag(true),
  realm_name_in_email_notifications_policy: choice(1, 2, 3),
  wildcard_mentions_notify: flag(true),
};

const modernSettings = {
  display_emoji_reaction_users: flag(true),
  email_address_visibility: choice(1, 2, 3, 4, 5),
  web_escape_navigates_to_home_view: flag(true),
  receives_typing_notifications: flag(true),
  send_private_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  allow_private_data_export: flag(false),
  hide_ai_features: flag(false),
  user_list_style: choice(3, 1, 2),
  web_animate_image_previews: z.enum(['on_hover', 'always', 'never']).default('on_hover'),
  web_channel_default_view: choice(1, 2, 3, 4),
  web_font_size_px: z.int().default(16),
  web_line_height_percent: z.int().default(140),
  web_mark_read_on_scroll_policy: choice(1, 2, 3),
  web_navigate_to_sent_message: flag(true),
  web_stream_unreads_count_display_policy: choice(2, 1, 3),
  web_suggest_update_timezone: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  resolved_topic_notice_auto_read_policy: z
    .enum(['except_followed', 'always', 'never'])
    .default('except_followed'),
  automatically_follow_topics_policy: choice(3, 1, 2, 4),
  automatically_unmute_topics_in_muted_streams_policy: choice(2, 1, 3, 4),
  automatically_follow_topics_where_mentioned: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
};

const allSettings = { ...legacyDisplaySettings, ...legacyNotificationSettings, ...modernSettings };
type Undefaulted<S> = { [K in keyof S]: S[K] extends z.ZodDefault<infer Inner> ? Inner : never };
const withoutDefaults = Object.fromEntries(
  Object.entries(allSettings).map(([name, schema]) => [name, schema.unwrap()]),
) as Undefaulted<typeof allSettings>;

/** The personal settings of a user. */
export const UserSettings = z.object(withoutDefaults).meta({ id: 'UserSettings' });
export type UserSettings = z.output<typeof UserSettings>;

/** Settings without a default of the realm: each user has their own. */
export const settingsWithoutRealmDefault = {
  default_language: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  timezone: true,
} as const satisfies Partial<Record<keyof UserSettings, true>>;

/** Default settings of users in a new realm. */
export const initialUserSettings: UserSettings = z.object(allSettings).parse({});

export const notificationSounds = ['ding', 'chime', 'none'] as const;
export const emojisetChoices = [
  { key: 'vendor_a', text: 'Vendor A' },
  { key: 'vendor_b', text: 'Vendor B' },
  { key: 'vendor_a-blob', text: 'Vendor A blobs' },
  { key: 'text', text: 'Plain text' },
] as const;
