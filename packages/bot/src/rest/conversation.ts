import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Delivery } from '../delivery.ts';

/** Where a message goes. The bot itself need not be among the users. */
export type Conversation =
  | { readonly type: 'channel'; readonly channel_id: ChannelId; readonly topic: string }
  | { readonly type: 'direct'; readonly user_ids: readonly UserId[] };

/** A place, or one that people know by name: a channel, users by their IDs or e-mail addresses. */
export type Destination =
  | Conversation
  | { readonly channel: string; readonly topic: string }
  | { readonly users: readonly number[] | readonly string[] };

/** The conversation that a delivery came from. */
export function conversationOf(delivery: Delivery): Conversation {
  if (delivery.trigger === 'mention') {
    const { channel, topic } = delivery.message;
    return { type: 'channel', channel_id: channel.id, topic };
  }
  const { recipients } = delivery.message;
  const self = delivery.bot_email.toLowerCase();
  const others = recipients.filter(({ email }) => email.toLowerCase() !== self);
  // A bot that writes to itself is alone with itself.
  const chosen = others.length > 0 ? others : recipients;
  return { type: 'direct', user_ids: chosen.map(({ id }) => id) };
}

/** The same for places that are the same conversation. */
export function destinationKey(place: Destination): string {
  if (!('type' in place))
    return 'channel' in place ? `#${place.channel}:${place.topic}` : `@${place.users.join(',')}`;
  return place.type === 'channel'
    ? `c${place.channel_id}:${place.topic.toLowerCase()}`
    : `d${place.user_ids.toSorted((a, b) => a - b).join(',')}`;
}
