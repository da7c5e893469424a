import { z } from 'zod';

import { Html, Name } from '../../values/fields.ts';
import { ChannelId, UserId } from '../../values/ids.ts';
import { Channel, Subscription } from './channel.ts';

const stream = z.literal('stream');
const subscription = z.literal('subscription');

/**
 * Channels were created, changed or deleted, or became visible or invisible to this reader. A channel
 * that the reader was subscribed to comes with their settings for it.
 */
export const StreamEvent = z.discriminatedUnion('op', [
  z.object({
    type: stream,
    op: z.literal('create'),
    streams: z.array(z.union([Subscription, Channel])),
  }),
  z.object({
    type: stream,
    op: z.literal('delete'),
    streams: z.array(z.object({ stream_id: ChannelId })),
    stream_ids: z.array(ChannelId),
  }),
  z.object({
    type: stream,
    op: z.literal('update'),
    stream_id: ChannelId,
    name: Name,
    property: z.string(),
    value: z.unknown(),
    /** Only if `property` is `description`. */
    rendered_description: Html.optional(),
    /** This key and `is_web_public` are present only if `property` is `invite_only`. */
    history_public_to_subscribers: z.boolean().optional(),
    is_web_public: z.boolean().optional(),
  }),
]);

/**
 * The subscriptions of this reader changed, or (`peer_`) those of other users to a channel the
 * reader can see.
 */
export const SubscriptionEvent = z.discriminatedUnion('op', [
  z.object({ type: subscription, op: z.literal('add'), subscriptions: z.array(Subscription) }),
  z.object({
    type: subscription,
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ name: Name, stream_id: ChannelId })),
  }),
  z.object({
    type: subscription,
    op: z.literal('update'),
    stream_id: ChannelId,
    property: z.string(),
    value: z.unknown(),
  }),
  z.object({
    type: subscription,
    op: z.enum(['peer_add', 'peer_remove']),
    user_ids: z.array(UserId),
    stream_ids: z.array(ChannelId),
  }),
]);

/** The default channels of new users changed. Guests do not get it. */
export const DefaultStreamsEvent = z.object({
  type: z.literal('default_streams'),
  default_streams: z.array(ChannelId),
});
