import type { Client } from '@bellhop/client';
import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Destination, Place } from './conversation.ts';

/**
 * Looks up the channel or the users of a destination. Direct messages to others leave out the bot
 * itself, whose e-mail address is `own`.
 */
export async function locate(client: Client, to: Destination, own: string): Promise<Place> {
  if ('topic' in to) {
    const topic = to.topic.trim();
    const channel = 'channel' in to ? await byName(client, to.channel) : await byId(client, to);
    return {
      conversation: { type: 'channel', channelId: channel.id, topic },
      topic: { channel, topic },
    };
  }
  const wanted = 'emails' in to ? to.emails : (to.userIds as readonly UserId[]);
  const users = await Promise.all(
    wanted.map(async (user_id) => (await client.users.get({ user_id })).user),
  );
  const others = users.filter(({ email }) => email.toLowerCase() !== own.toLowerCase());
  const chosen = others.length > 0 ? others : users;
  const userIds = [...new Set(chosen.map(({ user_id }) => user_id))];
  return { conversation: { type: 'direct', userIds }, topic: undefined };
}

async function byName(client: Client, name: string) {
  const { stream_id: id } = await client.channels.id({ stream: name });
  return { id, name };
}

async function byId(client: Client, { channelId }: { readonly channelId: number }) {
  const { stream } = await client.channels.one({ stream_id: channelId as ChannelId });
  return { id: stream.stream_id, name: stream.name };
}
