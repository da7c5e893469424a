import type { Channel, Subscription } from './channel.ts';

/** The properties of a channel that was created without settings. */
export const newChannelProperties = {
  description: '',
  rendered_description: '',
  creator_id: null,
  invite_only: false,
  is_web_public: false,
  is_archived: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  stream_weekly_traffic: null,
  folder_id: null,
  topics_policy: 'inherit',
  stream_post_policy: 1,
  is_announcement_only: false,
} as const satisfies Partial<Channel>;

/** The personal properties of a new subscription, without its colour. */
export const newSubscriptionProperties = {
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  audible_notifications: null,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  wildcard_mentions_notify: null,
} as const satisfies Partial<Subscription>;
