import { z } from 'zod';

import { endpoint } from '../endpoint.ts';
import { UserId } from '../ids.ts';
import {
  MAX_EMAIL_LENGTH,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WORD_LENGTH,
} from '../limits.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
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
const NamedChannel = z.object({
  name: z.string().max(MAX_NAME_LENGTH),
  color: optionalText(MAX_WORD_LENGTH),
  description: optionalText(MAX_TEXT_LENGTH),
});

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
