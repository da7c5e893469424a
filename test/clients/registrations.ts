import type { PythonValue } from './client-call.ts';

/** A call of `POST /register`, and the keys of the answer that the client reads without a default. */
interface Registration {
  readonly params: Readonly<Record<string, PythonValue>>;
  readonly reads: readonly string[];
}

const keys = (prefix: string, names: string) => names.split(' ').map((name) => prefix + name);

const subscription =
  'stream_id name color description rendered_description date_created invite_only is_muted ' +
  'pin_to_top desktop_notifications message_retention_days history_public_to_subscribers ' +
  'stream_weekly_traffic stream_post_policy subscribers';

/** The registration of the public terminal client, which sends no client capabilities. */
export const terminalRegistration: Registration = {
  params: {
    event_types:
      'message update_message reaction submessage subscription typing update_message_flags user_settings realm_emoji realm_user'.split(
        ' ',
      ),
    fetch_event_types:
      'realm presence subscription message starred_messages update_message_flags muted_topics realm_user realm_user_groups user_settings realm_emoji custom_profile_fields zulip_version'.split(
        ' ',
      ),
    client_gravatar: true,
    apply_markdown: true,
    include_subscribers: true,
  },
  reads: [
    ...keys(
      '',
      'queue_id last_event_id max_message_id zulip_version zulip_feature_level user_id email ' +
        'full_name realm_name realm_users cross_realm_bots presences subscriptions muted_topics ' +
        'realm_user_groups realm_emoji starred_messages realm_message_retention_days ' +
        'realm_allow_message_editing realm_message_content_edit_limit_seconds ' +
        'realm_allow_edit_history custom_profile_fields max_stream_name_length max_topic_length ' +
        'max_message_length server_typing_started_wait_period_milliseconds ' +
        'server_typing_stopped_wait_period_milliseconds ' +
        'server_typing_started_expiry_period_milliseconds',
    ),
    ...keys('unread_msgs.', 'mentions pms streams huddles'),
    ...keys(
      'user_settings.',
      'send_private_typing_notifications twenty_four_hour_time pm_content_in_desktop_notifications',
    ),
    ...keys('subscriptions.0.', subscription),
    ...keys('realm_users.0.', 'user_id full_name email is_bot role timezone'),
    ...keys('realm_user_groups.0.', 'id name members description'),
  ],
};

/** The registration of the public mobile client, which fetches everything. */
export const mobileRegistration: Registration = {
  params: {
    apply_markdown: true,
    slim_presence: true,
    client_gravatar: false,
    idle_queue_timeout: '"mobile"',
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
      individual_emoji_changes: true,
    },
  },
  reads: [
    ...keys(
      '',
      'queue_id last_event_id zulip_version zulip_feature_level zulip_merge_base alert_words ' +
        'custom_profile_fields max_stream_name_length max_topic_length muted_users presences ' +
        'server_presence_ping_interval_seconds server_presence_offline_threshold_seconds ' +
        'server_typing_started_wait_period_milliseconds ' +
        'server_typing_stopped_wait_period_milliseconds ' +
        'server_typing_started_expiry_period_milliseconds realm_emoji realm_user_groups ' +
        'recent_private_conversations subscriptions unread_msgs starred_messages streams ' +
        'user_status user_settings user_topics realm_wildcard_mention_policy realm_name ' +
        'realm_waiting_period_threshold realm_allow_message_editing ' +
        'realm_enable_read_receipts realm_icon_url realm_presence_disabled ' +
        'realm_default_external_accounts max_file_upload_size_mib server_thumbnail_formats ' +
        'server_emoji_data_url event_queue_longpoll_timeout_seconds realm_users ' +
        'realm_non_active_users cross_realm_bots server_report_message_types',
    ),
    ...keys('user_settings.', 'web_inbox_show_channel_folders'),
    ...keys('streams.0.', 'topics_policy history_public_to_subscribers is_archived date_created'),
  ],
};
