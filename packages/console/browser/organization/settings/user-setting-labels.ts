import type { UserSettingName } from '@bellhop/protocol';

import { type FieldLimits, fontSizes, lineHeights } from '../../shell/text-sizes.ts';
import type { ValueNames } from './kind-of.ts';

/** The group of the settings that neither this console nor this server obeys: they have no such feature. */
const FOR_OTHER_APPS = 'For other apps';

/** The settings of a user in the order of the page, with their labels. Each is in one group. */
export const userSettingGroups = {
  Reading: {
    web_home_view: 'Home view',
    web_channel_default_view: 'Channel links go to',
    web_mark_read_on_scroll_policy: 'Automatically mark messages as read',
    resolved_topic_notice_auto_read_policy: 'Automatically mark resolved topic notices as read',
    web_stream_unreads_count_display_policy: 'Show unread counts for',
    web_left_sidebar_unreads_count_summary: 'Show unread count summaries',
    starred_message_counts: 'Show counts for starred messages',
    desktop_icon_count_display: 'Count in the title of the page',
    web_left_sidebar_show_channel_folders: 'Group channels by folder',
    web_inbox_show_channel_folders: 'Group channels by folder in the inbox',
    demote_inactive_streams: 'Move inactive channels to the end',
  },
  Appearance: {
    color_scheme: 'Theme',
    high_contrast_mode: 'High contrast mode',
    web_font_size_px: 'Font size of messages (px)',
    web_line_height_percent: 'Line spacing of messages (%)',
    twenty_four_hour_time: '24-hour time',
    timezone: 'Time zone',
    emojiset: 'Emoji',
    display_emoji_reaction_users: 'Include names of reacting users when few users react',
    user_list_style: 'List of people',
  },
  Writing: {
    enter_sends: 'Press Enter to send',
    translate_emoticons: 'Convert emoticons before sending (:) becomes 🙂)',
    enable_drafts_synchronization: 'Sync drafts across devices',
    web_navigate_to_sent_message: 'Go to conversation after sending a message',
    web_escape_navigates_to_home_view: 'Escape key goes to the home view',
  },
  Topics: {
    automatically_follow_topics_policy: 'Automatically follow topics',
    automatically_unmute_topics_in_muted_streams_policy:
      'Automatically unmute topics in muted channels',
    automatically_follow_topics_where_mentioned: 'Automatically follow topics where I am mentioned',
  },
  'Mobile and email notifications': {
    enable_offline_push_notifications: 'Mobile notifications when offline',
    enable_online_push_notifications: 'Mobile notifications even when online',
    enable_offline_email_notifications: 'Email notifications when offline',
    wildcard_mentions_notify: 'Notify on @all mentions',
    message_content_in_email_notifications: 'Include message content in email notifications',
    email_notifications_batching_period_seconds:
      'Delay before sending email notifications (seconds)',
    realm_name_in_email_notifications_policy: 'Include organization name in email subjects',
    enable_login_emails: 'Emails about new sign-ins',
  },
  'Channel notifications': {
    enable_stream_push_notifications: 'Mobile',
    enable_stream_email_notifications: 'Email',
  },
  'Followed topic notifications': {
    enable_followed_topic_push_notifications: 'Mobile',
    enable_followed_topic_email_notifications: 'Email',
    enable_followed_topic_wildcard_mentions_notify: '@all mentions',
  },
  Privacy: {
    presence_enabled: 'Display my availability to others',
    send_private_typing_notifications: 'Let others see when I am typing direct messages',
    send_stream_typing_notifications: 'Let others see when I am typing messages in channels',
    receives_typing_notifications: 'Show when others are typing',
    send_read_receipts: 'Let others see when I have read messages',
    email_address_visibility: 'Who can see your email address',
  },
  [FOR_OTHER_APPS]: {
    enable_desktop_notifications: 'Desktop notifications',
    enable_stream_desktop_notifications: 'Desktop notifications in channels',
    enable_followed_topic_desktop_notifications: 'Desktop notifications in followed topics',
    pm_content_in_desktop_notifications:
      'Include content of direct messages in desktop notifications',
    enable_sounds: 'Audible notifications',
    enable_stream_audible_notifications: 'Audible notifications in channels',
    enable_followed_topic_audible_notifications: 'Audible notifications in followed topics',
    notification_sound: 'Notification sound',
    default_language: 'Language',
    web_suggest_update_timezone: "Suggest updating the time zone when it differs from the device's",
    web_animate_image_previews: 'Play animated images',
    hide_ai_features: 'Hide AI features',
    fluid_layout_width: 'Use full width on wide screens',
    left_side_userlist: 'Show user list on left sidebar in narrow windows',
    enable_digest_emails: 'Weekly digest of missed messages',
    enable_marketing_emails: 'Marketing emails',
    allow_private_data_export: 'Let administrators export my private data',
  },
} satisfies Readonly<Record<string, Partial<Record<UserSettingName, string>>>>;

/** What a group needs to say before its settings. */
export const userSettingTexts: Readonly<Record<string, string | undefined>> = {
  [FOR_OTHER_APPS]:
    'This console and this server do nothing with these settings. Other apps that you sign in with may.',
};

type Labelled = { [G in keyof typeof userSettingGroups]: keyof (typeof userSettingGroups)[G] };
type MissingLabel = Exclude<UserSettingName, Labelled[keyof Labelled]>;
/** Does not compile if a setting has no label. */
void (true satisfies [MissingLabel] extends [never] ? true : MissingLabel);

const always = { 1: 'Automatic', 2: 'Always', 3: 'Never' };
const policies = {
  1: 'Topics I participate in',
  2: 'Topics I send a message to',
  3: 'Topics I start',
  4: 'Never',
};

/** The words for values of choices, by setting. */
export const userValueNames: Partial<Record<UserSettingName, ValueNames>> = {
  color_scheme: { 1: 'Automatic', 2: 'Dark', 3: 'Light' },
  web_home_view: {
    inbox: 'Inbox',
    recent_topics: 'Recent conversations',
    all_messages: 'Combined feed',
  },
  demote_inactive_streams: always,
  emojiset: {
    vendor_a: 'Pictures (here those of your system)',
    vendor_b: 'Pictures, second set in other apps',
    'vendor_a-blob': 'Pictures, blobs in other apps',
    text: 'Plain text (:smile:)',
  },
  desktop_icon_count_display: {
    1: 'All unread messages',
    2: 'Direct messages, mentions and followed topics',
    3: 'Direct messages and mentions',
    4: 'None',
  },
  realm_name_in_email_notifications_policy: always,
  email_address_visibility: {
    1: 'Everyone',
    2: 'Everyone except guests',
    3: 'Administrators only',
    4: 'Nobody',
    5: 'Moderators and administrators',
  },
  user_list_style: { 1: 'Compact', 2: 'Show status', 3: 'Show status and avatar' },
  web_animate_image_previews: {
    on_hover: 'On hover',
    always: 'Always',
    never: 'Never',
  },
  web_channel_default_view: {
    1: 'Top topic in the channel',
    2: 'Channel feed',
    3: 'List of topics',
    4: 'Top unread topic in the channel',
  },
  web_mark_read_on_scroll_policy: { 1: 'Always', 2: 'Only in conversation views', 3: 'Never' },
  web_stream_unreads_count_display_policy: {
    1: 'All channels',
    2: 'Unmuted channels and topics',
    3: 'No channels',
  },
  resolved_topic_notice_auto_read_policy: {
    except_followed: 'Except in topics I follow',
    always: 'Always',
    never: 'Never',
  },
  automatically_follow_topics_policy: policies,
  automatically_unmute_topics_in_muted_streams_policy: policies,
};

/** Limits of fields that are narrower than those of the contract. */
export const userFieldLimits: Partial<Record<UserSettingName, FieldLimits>> = {
  web_font_size_px: fontSizes,
  web_line_height_percent: lineHeights,
};
