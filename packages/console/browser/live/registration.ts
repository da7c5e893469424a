import type { Api, AskOf } from '@bellhop/protocol';

/** The registration of the console's event queue: all events, in the newest form. */
export const registration: AskOf<Api['queues']['register']> = {
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: true,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    console_events: true,
    push_device_error_message: true,
    simplified_presence_events: true,
  },
};
