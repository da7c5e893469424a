import { badRequest, MAX_BOT_TOPICS } from '@bellhop/protocol';

import type { Account } from '../account.ts';
import type { BotTopic } from '../bot-topic.ts';
import type { Resource } from '../call.ts';
import type { Channel } from '../conversation.ts';
import { mayReadChannel } from '../stored-message.ts';
import type { World } from '../world.ts';

export const botTopics: Resource<'botTopics'> = {
  subscribe({ params: { stream_id, topic, expires_in }, user, world }) {
    const channel = world.channels.find((one) => one.stream_id === stream_id);
    if (!channel || !mayReadChannel(channel, user.user_id)) throw badRequest('Invalid channel ID');
    const earlier = topicsOf(world, user).find((one) => isSame(one, stream_id, topic));
    const expires_at = Math.max(world.now() + expires_in, earlier?.expires_at ?? 0);
    remove(world, user, (one) => isSame(one, stream_id, topic));
    if (topicsOf(world, user).length >= MAX_BOT_TOPICS)
      throw badRequest(
        `A bot has at most ${MAX_BOT_TOPICS} subscriptions to topics: end one first, or wait for one to expire.`,
      );
    world.botTopics.push({ bot: user, channel, topic, expires_at });
    return { expires_at };
  },

  list({ user, world }) {
    const topics = topicsOf(world, user).map(({ channel, topic, expires_at }) => ({
      stream_id: channel.stream_id,
      topic,
      expires_at,
    }));
    return { topics };
  },

  unsubscribe({ params: { stream_id, topic }, user, world }) {
    remove(world, user, (one) => isSame(one, stream_id, topic));
    return {};
  },
};

const topicsOf = (world: World, bot: Account) =>
  world.botTopics.filter((one) => one.bot === bot && one.expires_at > world.now());

const isSame = ({ channel, topic }: BotTopic, stream_id: number, other: string) =>
  channel.stream_id === stream_id && topic.toLowerCase() === other.toLowerCase();

function remove(world: World, bot: Account, isMeant: (one: BotTopic) => boolean): void {
  const at = world.botTopics.findIndex((one) => one.bot === bot && isMeant(one));
  if (at >= 0) world.botTopics.splice(at, 1);
}

/** The bots that are subscribed to a topic and may read its channel. */
export const followersOf = (world: World, channel: Channel, topic: string): Account[] =>
  world.botTopics
    .filter((one) => isSame(one, channel.stream_id, topic) && one.expires_at > world.now())
    .filter(({ bot }) => mayReadChannel(channel, bot.user_id))
    .map(({ bot }) => bot);
