import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Delivery } from '../delivery.ts';

/** A channel topic, or the users of direct messages. `user_ids` may leave out the bot. */
export type Conversation =
  | { readonly type: 'channel'; readonly channel_id: ChannelId; readonly topic: string }
  | { readonly type: 'direct'; readonly user_ids: readonly UserId[] };

/** A channel topic. */
export type ChannelConversation = Extract<Conversation, { readonly type: 'channel' }>;

/** A conversation, also by the name of its channel, or by the IDs or e-mail addresses of its users. */
export type Destination =
  | Conversation
  | { readonly channel: string; readonly topic: string }
  | { readonly users: readonly number[] | readonly string[] };

/** The conversation of a delivery, without the bot. */
export function conversationOf(delivery: Delivery): Conversation {
  if ('channel' in delivery.message) {
    const { channel, topic } = delivery.message;
    return { type: 'channel', channel_id: channel.id, topic };
  }
  const { recipients } = delivery.message;
  const self = delivery.bot_email.toLowerCase();
  const others = recipients.filter(({ email }) => email.toLowerCase() !== self);
  // A bot that writes to itself is the only recipient.
  const chosen = others.length > 0 ? others : recipients;
  return { type: 'direct', user_ids: chosen.map(({ id }) => id) };
}

/**
 * The same text for equal conversations: topics in any letter case, users in any order. Destinations by
 * name have keys of their own.
 */
export function destinationKey(destination: Destination): string {
  if (!('type' in destination))
    return 'channel' in destination
      ? `#${destination.channel}:${destination.topic}`
      : `@${destination.users.join(',')}`;
  return destination.type === 'channel'
    ? `c${destination.channel_id}:${destination.topic.toLowerCase()}`
    : `d${destination.user_ids.toSorted((a, b) => a - b).join(',')}`;
}
