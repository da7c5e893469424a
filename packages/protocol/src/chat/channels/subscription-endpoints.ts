import { z } from 'zod';

import { Name } from '../../values/fields.ts';
import { ChannelId, UserId } from '../../values/ids.ts';
import {
  MAX_EMAIL_LENGTH,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WORD_LENGTH,
} from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { UpdateMessageFlagsEvent } from '../messages/message-flags.ts';
import { sightEvents } from '../users/sight-events.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
import { subscribe, subscribeOthers, unsubscribeOthers } from './channel-permissions.ts';
import { channelCreation, Subscription } from './channel.ts';

export const IncludeSubscribers = z
  .union([z.boolean(), z.enum(['partial'])])
  .default(false)
  .meta({ description: 'true, false or partial (feature level 412)' });

/** A text that may be missing or null. */
const optionalText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .nullish()
    .transform((text) => text ?? undefined);

/** How many channels one request may name. */
const MAX_CHANNELS = 1000;
/** How many settings one request may change. */
const MAX_PROPERTIES = 10_000;
const NamedChannel = z.object({
  name: Name.max(MAX_NAME_LENGTH),
  color: optionalText(MAX_WORD_LENGTH),
  description: optionalText(MAX_TEXT_LENGTH),
});

/** The users of a request, by ID or by e-mail address. */
const Principals = z
  .union([
    z.array(UserId).max(MAX_LIST_LENGTH),
    z.array(z.string().max(MAX_EMAIL_LENGTH)).max(MAX_LIST_LENGTH),
  ])
  .optional();
const channelNames = z.array(z.string().max(MAX_NAME_LENGTH)).max(MAX_CHANNELS);

/** Channel names by user ID. */
const channelsByUser = z.record(z.string(), z.array(z.string()));

/** The operations on subscriptions. */
export const subscriptionEndpoints = {
  list: endpoint('GET /users/me/subscriptions', {
    summary: 'Get the channels you are subscribed to',
    access: 'user',
    params: { include_subscribers: IncludeSubscribers },
    result: { subscriptions: z.array(Subscription) },
  }),

  add: endpoint('POST /users/me/subscriptions', {
    summary: 'Subscribe to channels, creating those that do not exist',
    access: 'user',
    locks: 'realm',
    permissions: [...subscribe, subscribeOthers],
    params: {
      subscriptions: z.array(NamedChannel).min(1).max(MAX_CHANNELS),
      principals: Principals.meta({
        description: 'The users to subscribe, by ID or e-mail address. Yourself if omitted',
      }),
      authorization_errors_fatal: z.boolean().default(true),
      announce: z.boolean().default(false),
      send_new_subscription_messages: z.boolean().default(true),
      ...channelCreation,
    },
    result: {
      subscribed: channelsByUser,
      already_subscribed: channelsByUser,
      unauthorized: z.array(z.string()).optional(),
      new_subscription_messages_sent: z.boolean().optional(),
    },
    emits: [StreamEvent, SubscriptionEvent, DefaultStreamsEvent, MessageEvent, ...sightEvents],
  }),

  remove: endpoint('DELETE /users/me/subscriptions', {
    summary: 'Unsubscribe from channels',
    access: 'user',
    locks: 'realm',
    permissions: [unsubscribeOthers],
    params: {
      subscriptions: channelNames,
      principals: Principals.meta({
        description: 'The users to unsubscribe, by ID or e-mail address. Yourself if omitted',
      }),
    },
    result: { removed: z.array(z.string()), not_removed: z.array(z.string()) },
    emits: [StreamEvent, SubscriptionEvent, UpdateMessageFlagsEvent],
  }),

  update: endpoint('PATCH /users/me/subscriptions', {
    summary: 'Subscribe to some channels and unsubscribe from others',
    access: 'user',
    locks: 'realm',
    permissions: subscribe,
    params: {
      delete: channelNames.default([]),
      add: z.array(NamedChannel).max(MAX_CHANNELS).default([]),
    },
    result: {
      subscribed: channelsByUser,
      already_subscribed: channelsByUser,
      removed: z.array(z.string()),
      not_removed: z.array(z.string()),
    },
    emits: [StreamEvent, SubscriptionEvent, MessageEvent, UpdateMessageFlagsEvent, ...sightEvents],
  }),

  setProperties: endpoint('POST /users/me/subscriptions/properties', {
    summary: 'Change your settings of channels you are subscribed to',
    access: 'user',
    params: {
      subscription_data: z
        .array(
          z.object({
            stream_id: ChannelId,
            property: z.string().max(MAX_WORD_LENGTH).meta({
              description:
                'color (#rrggbb), is_muted, in_home_view (the opposite of is_muted), pin_to_top, desktop_notifications, audible_notifications, push_notifications, email_notifications or wildcard_mentions_notify',
              example: 'pin_to_top',
            }),
            value: z.union([z.boolean(), z.string().max(MAX_WORD_LENGTH)]),
          }),
        )
        .max(MAX_PROPERTIES),
    },
    emits: [SubscriptionEvent],
  }),

  status: endpoint('GET /users/{user_id}/subscriptions/{stream_id}', {
    summary: 'Get whether a user is subscribed to a channel',
    access: 'user',
    params: { user_id: UserId, stream_id: ChannelId },
    result: { is_subscribed: z.boolean() },
  }),
};
