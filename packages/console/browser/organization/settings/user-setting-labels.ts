import type { UserSettingName } from '@bellhop/protocol';

import type { ValueNames } from './kind-of.ts';

/** The settings of a user in the order of the page, with their labels. Each is in one group. */
export const userSettingGroups = {
  Reading: {
    web_home_view: 'First view',
    web_channel_default_view: 'What a channel opens with',
    web_mark_read_on_scroll_policy: 'Scrolling marks messages as read',
    web_stream_unreads_count_display_policy: 'Numbers of unread messages',
    web_left_sidebar_unreads_count_summary: 'Show sums of unread messages',
    web_left_sidebar_show_channel_folders: 'Show channels in their folders',
    starred_message_counts: 'Show how many messages are starred',
    demote_inactive_streams: 'Put quiet channels last',
    resolved_topic_notice_auto_read_policy: 'Notices of resolved topics are read at once',
    web_animate_image_previews: 'Animated images',
    hide_ai_features: 'Hide AI features',
  },
  Appearance: {
    color_scheme: 'Theme',
    emojiset: 'Emoji',
    default_language: 'Language',
    timezone: 'Time zone',
    twenty_four_hour_time: '24-hour time',
    web_font_size_px: 'Font size, in pixels',
    web_line_height_percent: 'Line height, in percent',
    high_contrast_mode: 'High contrast',
    fluid_layout_width: 'Use the whole width',
    left_side_userlist: 'List of people at the left',
    user_list_style: 'Style of the list of people',
    display_emoji_reaction_users: 'Show who reacted',
  },
  Writing: {
    enter_sends: 'Enter sends',
    translate_emoticons: 'Turn :) into an emoji',
    enable_drafts_synchronization: 'The same drafts on all devices',
    web_navigate_to_sent_message: 'Go to the conversation of a message that is sent',
    web_escape_navigates_to_home_view: 'Esc goes to the first view',
    web_suggest_update_timezone:
      'Offer to change the time zone when it differs from that of the device',
  },
  Topics: {
    automatically_follow_topics_policy: 'Follow topics',
    automatically_unmute_topics_in_muted_streams_policy: 'Unmute topics of muted channels',
    automatically_follow_topics_where_mentioned: 'Follow topics in which you are mentioned',
  },
  Notifications: {
    enable_desktop_notifications: 'On the desktop',
    enable_offline_push_notifications: 'On phones while you are away',
    enable_online_push_notifications: 'On phones while you are here',
    enable_offline_email_notifications: 'By e-mail while you are away',
    enable_sounds: 'With a sound',
    notification_sound: 'Sound',
    wildcard_mentions_notify: 'When everybody is mentioned',
    pm_content_in_desktop_notifications: 'Show the text of direct messages',
    message_content_in_email_notifications: 'Show the text in mails',
    email_notifications_batching_period_seconds: 'Seconds until a mail, which gathers messages',
    realm_name_in_email_notifications_policy: 'Name of the organization in the subject of mails',
    desktop_icon_count_display: 'Number on the icon',
  },
  'Notifications of channels': {
    enable_stream_desktop_notifications: 'On the desktop',
    enable_stream_push_notifications: 'On phones',
    enable_stream_email_notifications: 'By e-mail',
    enable_stream_audible_notifications: 'With a sound',
  },
  'Notifications of followed topics': {
    enable_followed_topic_desktop_notifications: 'On the desktop',
    enable_followed_topic_push_notifications: 'On phones',
    enable_followed_topic_email_notifications: 'By e-mail',
    enable_followed_topic_audible_notifications: 'With a sound',
    enable_followed_topic_wildcard_mentions_notify: 'When everybody in it is mentioned',
  },
  'Other mails': {
    enable_digest_emails: 'What you missed, weekly',
    enable_login_emails: 'New logins',
    enable_marketing_emails: 'News',
  },
  Privacy: {
    presence_enabled: 'Show when you are active',
    send_private_typing_notifications: 'Show that you type direct messages',
    send_stream_typing_notifications: 'Show that you type in channels',
    receives_typing_notifications: 'See who is typing',
    send_read_receipts: 'Show what you have read',
    email_address_visibility: 'Who sees your e-mail address',
    allow_private_data_export: 'Administrators may export your private messages',
  },
} satisfies Readonly<Record<string, Partial<Record<UserSettingName, string>>>>;

type Labelled = { [G in keyof typeof userSettingGroups]: keyof (typeof userSettingGroups)[G] };
type MissingLabel = Exclude<UserSettingName, Labelled[keyof Labelled]>;
/** Does not compile if a setting has no label. */
void (true satisfies [MissingLabel] extends [never] ? true : MissingLabel);

const always = { 1: 'automatically', 2: 'always', 3: 'never' };
const policies = {
  1: 'where you take part',
  2: 'where you write',
  3: 'which you start',
  4: 'never',
};

/** The words for values of choices, by setting. */
export const userValueNames: Partial<Record<UserSettingName, ValueNames>> = {
  color_scheme: { 1: 'as the system', 2: 'dark', 3: 'light' },
  web_home_view: { inbox: 'inbox', recent_topics: 'recent topics', all_messages: 'all messages' },
  demote_inactive_streams: always,
  emojiset: {
    vendor_a: 'Vendor A',
    vendor_b: 'Vendor B',
    'vendor_a-blob': 'Vendor A, blobs',
    text: 'plain text',
  },
  desktop_icon_count_display: {
    1: 'all unread messages',
    2: 'direct messages, mentions and followed topics',
    3: 'direct messages and mentions',
    4: 'none',
  },
  realm_name_in_email_notifications_policy: always,
  email_address_visibility: {
    1: 'everybody',
    2: 'everybody but guests',
    3: 'administrators',
    4: 'nobody',
    5: 'moderators and administrators',
  },
  user_list_style: { 1: 'names', 2: 'with status', 3: 'with status and picture' },
  web_animate_image_previews: {
    on_hover: 'play under the pointer',
    always: 'always play',
    never: 'stand still',
  },
  web_channel_default_view: {
    1: 'its newest topic',
    2: 'all its messages',
    3: 'the list of its topics',
    4: 'its newest unread topic',
  },
  web_mark_read_on_scroll_policy: { 1: 'always', 2: 'in conversations', 3: 'never' },
  web_stream_unreads_count_display_policy: {
    1: 'all channels',
    2: 'channels and topics that are not muted',
    3: 'no channels',
  },
  resolved_topic_notice_auto_read_policy: {
    except_followed: 'but for followed topics',
    always: 'always',
    never: 'never',
  },
  automatically_follow_topics_policy: policies,
  automatically_unmute_topics_in_muted_streams_policy: policies,
};
