import type { Clock } from '../../clock.ts';
import type { ChannelTopic, FollowUps } from '../../follow-ups/follow-ups.ts';
import { destinationKey } from '../../rest/conversation.ts';
import type { ChatRoom } from './chat-room.ts';

const keyOf = ({ channel, topic }: ChannelTopic) =>
  destinationKey({ type: 'channel', channelId: channel.id, topic });

/** The subscriptions of a bot in a chat in memory. */
export function chatFollowUps(
  { topics }: Pick<ChatRoom, 'topics'>,
  clock: Pick<Clock, 'now'>,
): FollowUps {
  return {
    async subscribe(topic, forMs) {
      const key = keyOf(topic);
      topics.set(key, Math.max(clock.now() + forMs, topics.get(key) ?? 0));
    },
    async unsubscribe(topic) {
      topics.delete(keyOf(topic));
    },
  };
}

/** Whether the bot gets messages of a topic without a mention. `now` is in milliseconds since 1970. */
export const isSubscribed = ({ topics }: ChatRoom, topic: ChannelTopic, now: number): boolean =>
  (topics.get(keyOf(topic)) ?? 0) > now;
