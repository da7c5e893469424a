import { z } from 'zod';

import { Timestamp, TopicName } from '../values/fields.ts';
import { ChannelId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { Topic } from './messages/topic.ts';

/** How many topics one bot may be subscribed to at a time. */
export const MAX_BOT_TOPICS = 1000;
/** The longest subscription of a bot to a topic, in seconds. */
export const MAX_BOT_TOPIC_SECONDS = 30 * 24 * 60 * 60;

/** A topic whose messages reach the webhook of a bot without a mention. */
const BotTopic = z
  .object({
    stream_id: ChannelId,
    topic: TopicName,
    expires_at: Timestamp.meta({ description: 'UNIX time in seconds' }),
  })
  .meta({ id: 'BotTopic' });

const endpoints = {
  subscribe: endpoint('POST /bot_topics', {
    summary: 'Subscribe your bot to a topic',
    description: `An extension of the protocol. Until the subscription expires, the outgoing webhook of the bot gets every message of the topic that a person sends, with the trigger \`follow_up\` if the message does not mention the bot. The bot must be able to read the channel, both now and when the message is delivered, and its reply is posted only if the bot may post in the channel. A later subscription to the same topic replaces the earlier one unless it would end sooner. A bot has at most ${MAX_BOT_TOPICS} subscriptions. Topics differ regardless of case.`,
    access: 'bot',
    params: {
      stream_id: ChannelId,
      topic: Topic,
      expires_in: z.int().min(1).max(MAX_BOT_TOPIC_SECONDS).default(3600).meta({
        description: 'Seconds until the subscription expires; at most 30 days',
      }),
    },
    result: { expires_at: BotTopic.shape.expires_at },
  }),

  list: endpoint('GET /bot_topics', {
    summary: 'Get the topics that your bot is subscribed to',
    description: 'An extension of the protocol.',
    access: 'bot',
    result: { topics: z.array(BotTopic) },
  }),

  unsubscribe: endpoint('DELETE /bot_topics', {
    summary: 'End the subscription of your bot to a topic',
    description: 'An extension of the protocol. Succeeds also without a subscription.',
    access: 'bot',
    params: { stream_id: ChannelId, topic: Topic },
  }),
};

export const botTopics = resource({ endpoints });
