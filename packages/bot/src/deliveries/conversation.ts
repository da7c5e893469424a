import type { Delivery } from '../delivery.ts';
import { destinationKey } from '../rest/conversation.ts';

/** One text per conversation: a topic in any letter case, or a set of people in any order. */
export function conversationKey({ message }: Delivery): string {
  return 'channel' in message
    ? destinationKey({ type: 'channel', channelId: message.channel.id, topic: message.topic })
    : destinationKey({ type: 'direct', userIds: message.recipients.map(({ id }) => id) });
}
