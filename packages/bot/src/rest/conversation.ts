import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Delivery } from '../delivery.ts';

/** A channel topic, or the users of direct messages. `userIds` may leave out the bot. */
export type Conversation =
  | { readonly type: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly UserId[] };

/** A channel topic. */
export type ChannelConversation = Extract<Conversation, { readonly type: 'channel' }>;

/** A channel topic or the users of direct messages, by IDs or by names and e-mail addresses. */
export type Destination =
  | Conversation
  | { readonly channelId: number; readonly topic: string }
  | { readonly channel: string; readonly topic: string }
  | { readonly userIds: readonly number[] }
  | { readonly emails: readonly string[] };

/** Where a destination is. */
export interface Place {
  readonly conversation: Conversation;
  /** The topic, with the name of its channel, if it is in a channel. */
  readonly topic:
    | {
        readonly channel: { readonly id: ChannelId; readonly name: string };
        readonly topic: string;
      }
    | undefined;
}

/** The conversation of a delivery, without the bot. */
export function conversationOf(delivery: Pick<Delivery, 'message' | 'botEmail'>): Conversation {
  if ('channel' in delivery.message) {
    const { channel, topic } = delivery.message;
    return { type: 'channel', channelId: channel.id, topic };
  }
  const { recipients } = delivery.message;
  const self = delivery.botEmail.toLowerCase();
  const others = recipients.filter(({ email }) => email.toLowerCase() !== self);
  // A bot that writes to itself is the only recipient.
  const chosen = others.length > 0 ? others : recipients;
  return { type: 'direct', userIds: chosen.map(({ id }) => id) };
}

/** One text per conversation: a topic in any letter case, or a set of people in any order. */
export function conversationKey({ message }: Delivery): string {
  return 'channel' in message
    ? destinationKey({ channelId: message.channel.id, topic: message.topic })
    : destinationKey({ userIds: message.recipients.map(({ id }) => id) });
}

/**
 * The same text for equal conversations: topics in any letter case, users in any order. Destinations by
 * name have keys of their own.
 */
export function destinationKey(destination: Destination): string {
  if ('channel' in destination) return `#${destination.channel}:${destination.topic}`;
  if ('emails' in destination) return `@${destination.emails.join(',')}`;
  return 'topic' in destination
    ? `c${destination.channelId}:${destination.topic.toLowerCase()}`
    : `d${destination.userIds.toSorted((a, b) => a - b).join(',')}`;
}
