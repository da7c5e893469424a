import { type Client, isUnknownRoute } from '@bellhop/client/plain';
import type { ChannelId } from '@bellhop/protocol';
import type { Logger } from 'chat';

import { calling } from './adapter-error.ts';
import { type BellhopThreadId, encodeThreadId } from './thread-id.ts';

/** The longest that the server allows, in seconds. */
const SECONDS = 30 * 24 * 60 * 60;
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 5000;

/** The topics whose messages the webhook of the bot gets without a mention: an extension of Bellhop. */
export function topicSubscriptions(client: Client, logger: () => Logger) {
  /** When this process has subscribed to a thread, in milliseconds. */
  const renewed = new Map<string, number>();
  let isMissing = false;

  async function subscribe(thread: BellhopThreadId): Promise<void> {
    if ('userIds' in thread || isMissing) return;
    const { channelId: stream_id, topic } = thread;
    try {
      await calling('subscribe the bot to a topic', () =>
        client.botTopics.subscribe({
          stream_id: stream_id as ChannelId,
          topic,
          expires_in: SECONDS,
        }),
      );
      if (renewed.size >= MAX_REMEMBERED) renewed.clear();
      renewed.set(encodeThreadId(thread), Date.now());
    } catch (error) {
      if (!(error instanceof Error && isUnknownRoute(error.cause))) throw error;
      isMissing = true;
      logger().warn(
        'This chat server sends only mentions and direct messages to webhooks, also from threads that the bot has subscribed to. With mode: "polling" the bot gets all their messages.',
      );
    }
  }

  return {
    subscribe,
    async leave(thread: BellhopThreadId): Promise<void> {
      if ('userIds' in thread) return;
      const { channelId, topic } = thread;
      renewed.delete(encodeThreadId(thread));
      await calling('leave a topic', () =>
        client.botTopics.unsubscribe({ stream_id: channelId as ChannelId, topic }),
      );
    },
    /** Renews the subscription of a thread in which the bot still listens, at most once a day. */
    async renew(threadId: string, thread: BellhopThreadId): Promise<void> {
      if (Date.now() - (renewed.get(threadId) ?? 0) < RENEWED_AFTER_MS) return;
      renewed.set(threadId, Date.now());
      await subscribe(thread);
    },
  };
}
