import { isUnknownRoute } from '@bellhop/client/plain';
import type { ChannelId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import { callApi } from '../rest/call-api.ts';
import type { Rest } from '../rest/rest.ts';

/** A topic in a channel. */
export interface ChannelTopic {
  readonly channel: { readonly id: ChannelId; readonly name: string };
  readonly topic: string;
}

/** The topics whose messages reach the bot without a mention. */
export interface FollowUps {
  /** Subscribes the bot for this time, in milliseconds. A longer earlier subscription stays. */
  readonly subscribe: (topic: ChannelTopic, forMs: number, signal?: AbortSignal) => Promise<void>;
  readonly unsubscribe: (topic: ChannelTopic) => Promise<void>;
}

/** Subscriptions on the chat server, which delivers the messages as outgoing webhooks. */
export function webhookFollowUps(rest: Pick<Rest, 'client'>): FollowUps {
  return {
    subscribe: ({ channel, topic }, forMs, signal) =>
      callApi('subscribe the bot to a topic', async () => {
        const expires_in = Math.max(1, Math.ceil(forMs / 1000));
        await rest.client.botTopics
          .subscribe({ stream_id: channel.id, topic, expires_in }, signal ? { signal } : {})
          .catch(refuseUnknown);
      }),
    unsubscribe: ({ channel, topic }) =>
      callApi('end the subscription of the bot to a topic', async () => {
        await rest.client.botTopics
          .unsubscribe({ stream_id: channel.id, topic })
          .catch(refuseUnknown);
      }),
  };
}

/** Servers without this extension of the protocol do not know the route. */
function refuseUnknown(error: unknown): never {
  if (isUnknownRoute(error))
    throw new BotError(
      'api_rejected',
      'This server delivers only direct messages and mentions to webhooks. Start the bot with ' +
        "`transport: 'queue'`, and it gets the messages of topics too.",
      { cause: error },
    );
  throw error;
}
