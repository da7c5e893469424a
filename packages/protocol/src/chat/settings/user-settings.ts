import { z } from 'zod';

import { MAX_WORD_LENGTH } from '../../values/limits.ts';
import { eitherName, publicNames } from '../../values/public-names.ts';

/** The place where older clients read a setting, and the event that reports its change to them. */
type Legacy = 'display' | 'notifications';
interface SettingOptions {
  /** The feature level that added it. */
  readonly since?: number;
  readonly legacy?: Legacy;
  /** The setting has no default in the realm: each user has only their own. */
  readonly personal?: true;
}

const setting = <S extends z.ZodType, const O extends SettingOptions = {}>(
  schema: S,
  initial: NoInfer<z.output<S>>,
  options?: O,
) => ({ schema, initial, ...(options ?? ({} as O)) });

const flag = <const O extends SettingOptions = {}>(initial: boolean, options?: O) =>
  setting(z.boolean(), initial, options);
const choice = <const Values extends readonly number[]>(values: Values) => z.literal([...values]);

const display = { legacy: 'display' } as const;
const notifications = { legacy: 'notifications' } as const;

export const notificationSounds = ['ding', 'chime', 'none'] as const;
export const emojisetChoices = [
  { key: 'vendor_a', text: 'Vendor A' },
  { key: 'vendor_b', text: 'Vendor B' },
  { key: 'vendor_a-blob', text: 'Vendor A blobs' },
  { key: 'text', text: 'Plain text' },
] as const;

const topicPolicies = [1, 2, 3, 4] as const;
const MAX_BATCHING_SECONDS = 604_800;
const MAX_FONT_SIZE_PX = 1000;
const MAX_LINE_HEIGHT_PERCENT = 1000;

/**
 * The personal settings of a user: schema, value in a new realm, feature level, and where older
 * clients find it. Parameters, events, initial state and defaults of the realm are made from this
 * table (spec, Update realm-level defaults of user settings).
 */
export const userSettings = {
  color_scheme: setting(choice([1, 2, 3]), 1, display),
  default_language: setting(z.string().min(1).max(MAX_WORD_LENGTH), 'en', {
    ...display,
    personal: true,
  }),
  web_home_view: setting(
    // Public servers have `recent` since level 454. Both are read, that of the specification is sent.
    eitherName(['inbox', 'recent_topics', 'all_messages'], { recent_topics: 'recent' }),
    'inbox',
    { ...display, since: 219 },
  ),
  demote_inactive_streams: setting(choice([1, 2, 3]), 1, display),
  emojiset: setting(
    eitherName(['vendor_a', 'vendor_b', 'vendor_a-blob', 'text'], publicNames.emojiset),
    'vendor_a',
    display,
  ),
  enable_drafts_synchronization: flag(true, display),
  enter_sends: flag(false, display),
  fluid_layout_width: flag(false, display),
  high_contrast_mode: flag(false, display),
  left_side_userlist: flag(false, display),
  starred_message_counts: flag(true, display),
  translate_emoticons: flag(false, display),
  twenty_four_hour_time: flag(false, { ...display, since: 99 }),
  timezone: setting(z.string().max(MAX_WORD_LENGTH), '', { ...display, personal: true }),

  desktop_icon_count_display: setting(choice([1, 2, 3, 4]), 1, { ...notifications, since: 227 }),
  email_notifications_batching_period_seconds: setting(
    z.int().min(1).max(MAX_BATCHING_SECONDS),
    120,
    notifications,
  ),
  enable_desktop_notifications: flag(true, notifications),
  enable_digest_emails: flag(true, notifications),
  enable_login_emails: flag(true, { ...notifications, personal: true }),
  enable_marketing_emails: flag(true, { ...notifications, personal: true }),
  enable_offline_email_notifications: flag(true, notifications),
  enable_offline_push_notifications: flag(true, notifications),
  enable_online_push_notifications: flag(true, notifications),
  enable_sounds: flag(true, notifications),
  enable_stream_audible_notifications: flag(false, notifications),
  enable_stream_desktop_notifications: flag(false, notifications),
  enable_stream_email_notifications: flag(false, notifications),
  enable_stream_push_notifications: flag(false, notifications),
  message_content_in_email_notifications: flag(true, notifications),
  notification_sound: setting(z.enum(notificationSounds), 'ding', notifications),
  pm_content_in_desktop_notifications: flag(true, notifications),
  presence_enabled: flag(true, notifications),
  realm_name_in_email_notifications_policy: setting(choice([1, 2, 3]), 1, notifications),
  wildcard_mentions_notify: flag(true, notifications),

  display_emoji_reaction_users: flag(true, { since: 125 }),
  email_address_visibility: setting(choice([1, 2, 3, 4, 5]), 1, { since: 163 }),
  web_escape_navigates_to_home_view: flag(true, { since: 219 }),
  receives_typing_notifications: flag(true, { since: 253 }),
  send_private_typing_notifications: flag(true, { since: 105 }),
  send_stream_typing_notifications: flag(true, { since: 105 }),
  send_read_receipts: flag(true, { since: 105 }),
  allow_private_data_export: flag(false),
  hide_ai_features: flag(false, { since: 350 }),
  user_list_style: setting(choice([1, 2, 3]), 3, { since: 141 }),
  web_animate_image_previews: setting(z.enum(['on_hover', 'always', 'never']), 'on_hover', {
    since: 275,
  }),
  web_channel_default_view: setting(choice([1, 2, 3, 4]), 1),
  web_font_size_px: setting(z.int().min(1).max(MAX_FONT_SIZE_PX), 16, { since: 245 }),
  web_line_height_percent: setting(z.int().min(1).max(MAX_LINE_HEIGHT_PERCENT), 140, {
    since: 245,
  }),
  web_mark_read_on_scroll_policy: setting(choice([1, 2, 3]), 1),
  web_navigate_to_sent_message: flag(true, { since: 268 }),
  web_stream_unreads_count_display_policy: setting(choice([1, 2, 3]), 2, { since: 210 }),
  web_suggest_update_timezone: flag(true, { since: 329 }),
  web_left_sidebar_show_channel_folders: flag(true, { since: 411 }),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_inbox_show_channel_folders: flag(true, { since: 431 }),
  resolved_topic_notice_auto_read_policy: setting(
    z.enum(['except_followed', 'always', 'never']),
    'except_followed',
    { since: 385 },
  ),
  automatically_follow_topics_policy: setting(choice(topicPolicies), 3, { since: 214 }),
  automatically_unmute_topics_in_muted_streams_policy: setting(choice(topicPolicies), 2, {
    since: 214,
  }),
  automatically_follow_topics_where_mentioned: flag(true, { since: 235 }),
  enable_followed_topic_audible_notifications: flag(true, { since: 189 }),
  enable_followed_topic_desktop_notifications: flag(true, { since: 189 }),
  enable_followed_topic_email_notifications: flag(true, { since: 189 }),
  enable_followed_topic_push_notifications: flag(true, { since: 189 }),
  enable_followed_topic_wildcard_mentions_notify: flag(true, { since: 189 }),
};

type Table = typeof userSettings;
export type UserSettingName = keyof Table;
type Entry = { readonly schema: z.ZodType; readonly initial: unknown } & SettingOptions;
const entries = Object.entries(userSettings) as [UserSettingName, Entry][];

/** The names of the settings that are declared with this option. */
export type UserSettingNamesWith<Option> = {
  [K in UserSettingName]: Table[K] extends Option ? K : never;
}[UserSettingName];
export type RealmDefaultName = Exclude<
  UserSettingName,
  UserSettingNamesWith<{ readonly personal: true }>
>;
export type DisplaySettingName = UserSettingNamesWith<{ readonly legacy: 'display' }>;
export type NotificationSettingName = UserSettingNamesWith<{ readonly legacy: 'notifications' }>;

const namesWhere = <Name extends UserSettingName>(test: (entry: Entry) => boolean): Name[] =>
  entries.filter(([, entry]) => test(entry)).map(([name]) => name as Name);

export const userSettingNames = namesWhere<UserSettingName>(() => true);
/** The settings whose value a realm sets for new users. */
export const realmDefaultNames = namesWhere<RealmDefaultName>(({ personal }) => personal !== true);
/** Display settings, which older clients read at the top level of the state. */
export const displaySettingNames = namesWhere<DisplaySettingName>(
  ({ legacy }) => legacy === 'display',
);
/** Notification settings, which older clients read at the top level of the state. */
export const notificationSettingNames = namesWhere<NotificationSettingName>(
  ({ legacy }) => legacy === 'notifications',
);

/** The schemas of all settings by name. */
export type UserSettingSchemas = { [K in UserSettingName]: Table[K]['schema'] };

/** The schemas of some settings by name. */
export const schemasOf = <Name extends UserSettingName>(
  names: readonly Name[],
): Pick<UserSettingSchemas, Name> =>
  Object.fromEntries(names.map((name) => [name, userSettings[name].schema])) as Pick<
    UserSettingSchemas,
    Name
  >;

/** The personal settings of a user. */
export const UserSettings = z.object(schemasOf(userSettingNames)).meta({ id: 'UserSettings' });
export type UserSettings = z.output<typeof UserSettings>;

/** Settings of users in a new realm. */
export const initialUserSettings = Object.fromEntries(
  entries.map(([name, { initial }]) => [name, initial]),
) as UserSettings;
