import { names, type SpecSection } from './spec-section.ts';

/** Parameters of the defaults and of the settings of a user alike. */
const settings = names(`
  starred_message_counts receives_typing_notifications web_suggest_update_timezone
  fluid_layout_width high_contrast_mode enable_drafts_synchronization translate_emoticons
  display_emoji_reaction_users web_escape_navigates_to_home_view left_side_userlist
  hide_ai_features enable_stream_desktop_notifications enable_stream_email_notifications
  enable_stream_push_notifications enable_stream_audible_notifications
  enable_desktop_notifications enable_sounds enable_followed_topic_desktop_notifications
  enable_followed_topic_email_notifications enable_followed_topic_push_notifications
  enable_followed_topic_audible_notifications enable_offline_email_notifications
  enable_offline_push_notifications enable_online_push_notifications enable_digest_emails
  message_content_in_email_notifications pm_content_in_desktop_notifications
  wildcard_mentions_notify enable_followed_topic_wildcard_mentions_notify
  automatically_follow_topics_where_mentioned presence_enabled enter_sends
  twenty_four_hour_time send_private_typing_notifications send_stream_typing_notifications
  send_read_receipts web_navigate_to_sent_message web_channel_default_view color_scheme
  demote_inactive_streams user_list_style web_stream_unreads_count_display_policy
  desktop_icon_count_display automatically_follow_topics_policy
  automatically_unmute_topics_in_muted_streams_policy email_address_visibility web_font_size_px
  web_line_height_percent email_notifications_batching_period_seconds
  realm_name_in_email_notifications_policy web_home_view emojiset web_animate_image_previews
  resolved_topic_notice_auto_read_policy notification_sound`);

export const realmSettings: readonly SpecSection[] = [
  {
    section: 'Update realm-level defaults of user settings',
    route: 'PATCH /realm/user_settings_defaults',
    parameters: settings,
    events: ['realm_user_settings_defaults'],
    since: 96,
    parametersSince: {
      receives_typing_notifications: 253,
      web_suggest_update_timezone: 329,
      display_emoji_reaction_users: 125,
      web_escape_navigates_to_home_view: 219,
      hide_ai_features: 350,
      enable_followed_topic_desktop_notifications: 189,
      enable_followed_topic_email_notifications: 189,
      enable_followed_topic_push_notifications: 189,
      enable_followed_topic_audible_notifications: 189,
      enable_followed_topic_wildcard_mentions_notify: 189,
      automatically_follow_topics_where_mentioned: 235,
      twenty_four_hour_time: 99,
      send_private_typing_notifications: 105,
      send_stream_typing_notifications: 105,
      send_read_receipts: 105,
      web_navigate_to_sent_message: 268,
      user_list_style: 141,
      web_stream_unreads_count_display_policy: 210,
      automatically_follow_topics_policy: 214,
      automatically_unmute_topics_in_muted_streams_policy: 214,
      email_address_visibility: 163,
      web_font_size_px: 245,
      web_line_height_percent: 245,
      web_home_view: 219,
      web_animate_image_previews: 275,
      resolved_topic_notice_auto_read_policy: 385,
    },
    values: {
      web_channel_default_view: [1, 2, 3, 4],
      color_scheme: [1, 2, 3],
      demote_inactive_streams: [1, 2, 3],
      user_list_style: [1, 2, 3],
      web_stream_unreads_count_display_policy: [1, 2, 3],
      desktop_icon_count_display: [1, 2, 3, 4],
      automatically_follow_topics_policy: [1, 2, 3, 4],
      automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
      email_address_visibility: [1, 2, 3, 4, 5],
      web_home_view: ['recent_topics', 'inbox', 'all_messages'],
      emojiset: ['text', 'vendor_a', 'vendor_b', 'vendor_a-blob'],
      web_animate_image_previews: ['always', 'on_hover', 'never'],
      resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
    },
    rules: {
      'Only administrators may change the defaults':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'The defaults count for users who join later; existing users keep their settings':
        'settings/update-realm-defaults.test.ts > each default reaches new users and leaves existing ones as they are',
      'Parameters that the endpoint does not support are reported':
        'test/contract.test.ts > succeeds with its sample parameters and reports unknown ones',
      'Switching enable_drafts_synchronization off deletes the drafts of a user':
        'settings/update-settings.test.ts > switching off the synchronization of drafts deletes the drafts without an event for each',
      'dense_mode was removed: it is an unsupported parameter':
        'settings/update-realm-defaults.test.ts > settings that have no default of the realm are reported as unsupported',
      'All parameters are optional':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'A value outside the allowed ones is refused':
        'settings/update-settings.test.ts > refuse a value that %s does not allow',
    },
  },
];
