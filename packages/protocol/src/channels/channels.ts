import { z } from 'zod';

import { changed } from '../changed.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { ChannelId, UserId } from '../ids.ts';
import {
  MAX_EMAIL_LENGTH,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WORD_LENGTH,
} from '../limits.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { resource } from '../resource.ts';
import { applyStream } from './apply-stream.ts';
import { applySubscription } from './apply-subscription.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
import { type ChannelState, channelState, subscriptionState } from './channel-state.ts';
import { Channel, channelCreation, Subscription } from './channel.ts';

export const IncludeSubscribers = z
  .union([z.boolean(), z.enum(['partial'])])
  .default(false)
  .meta({ description: 'true, false or partial (feature level 412)' });

const ofChannels = {
  list: endpoint('GET /streams', {
    summary: 'Get the channels of the realm',
    access: 'user',
    params: {
      include_public: z.boolean().default(true),
      include_web_public: z.boolean().default(false),
      include_subscribed: z.boolean().default(true),
      include_all: z.boolean().default(false),
      include_all_active: z.boolean().default(false),
      include_default: z.boolean().default(false),
      include_owner_subscribed: z.boolean().default(false),
      include_can_access_content: z.boolean().default(false),
      exclude_archived: z.boolean().default(true),
    },
    result: { streams: z.array(Channel) },
  }),

  id: endpoint('GET /get_stream_id', {
    summary: 'Get the ID of a channel by its name',
    access: 'user',
    params: { stream: z.string().max(MAX_NAME_LENGTH) },
    aliases: { channel: 'stream' },
    result: { stream_id: ChannelId },
  }),
};

/** A text that may be missing or null. */
const optionalText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .nullish()
    .transform((text) => text ?? undefined);

/** How many channels one request may name. */
const MAX_CHANNELS = 1000;
const NamedChannel = z.object({
  name: z.string().max(MAX_NAME_LENGTH),
  color: optionalText(MAX_WORD_LENGTH),
  description: optionalText(MAX_TEXT_LENGTH),
});

const ofSubscriptions = {
  list: endpoint('GET /users/me/subscriptions', {
    summary: 'Get the channels you are subscribed to',
    access: 'user',
    params: { include_subscribers: IncludeSubscribers },
    result: { subscriptions: z.array(Subscription) },
  }),

  add: endpoint('POST /users/me/subscriptions', {
    summary: 'Subscribe to channels, creating those that do not exist',
    access: 'user',
    params: {
      subscriptions: z.array(NamedChannel).min(1).max(MAX_CHANNELS),
      principals: z
        .union([
          z.array(UserId).max(MAX_LIST_LENGTH),
          z.array(z.string().max(MAX_EMAIL_LENGTH)).max(MAX_LIST_LENGTH),
        ])
        .optional()
        .meta({
          description: 'The users to subscribe, by ID or e-mail address. Yourself if omitted',
        }),
      authorization_errors_fatal: z.boolean().default(true),
      announce: z.boolean().default(false),
      send_new_subscription_messages: z.boolean().default(true),
      ...channelCreation,
    },
    result: {
      subscribed: z.record(z.string(), z.array(z.string())),
      already_subscribed: z.record(z.string(), z.array(z.string())),
      unauthorized: z.array(z.string()).optional(),
      new_subscription_messages_sent: z.boolean().optional(),
    },
    emits: [StreamEvent, SubscriptionEvent, DefaultStreamsEvent, MessageEvent],
  }),
};

const applyDefaultStreams = (
  state: ChannelState,
  { default_streams }: z.output<typeof DefaultStreamsEvent>,
): ChannelState => changed(state, 'realm_default_streams', () => default_streams);

export const channels = resource({
  endpoints: ofChannels,
  events: [event(StreamEvent, applyStream), event(DefaultStreamsEvent, applyDefaultStreams)],
  state: channelState,
});
export const subscriptions = resource({
  endpoints: ofSubscriptions,
  events: [event(SubscriptionEvent, applySubscription)],
  state: subscriptionState,
});
