import {
  badRequest,
  type ChannelGroupSetting,
  channelGroupSettings,
  newChannelProperties,
  newSubscriptionProperties,
  type Subscription,
} from '@bellhop/protocol';

import type { Resource } from '../call.ts';
import type { Channel } from '../conversation.ts';
import { usersFor } from '../recipients.ts';
import { addChannel, channelNamed, type World } from '../world.ts';

export const subscriptions: Resource<'subscriptions'> = {
  list: ({ user, world }) => ({
    subscriptions: world.channels
      .filter(({ subscribers }) => subscribers.has(user.user_id))
      .map((channel) => subscriptionOf(world, channel)),
  }),

  add({ params, user, world }) {
    const subscribers = params.principals ? usersFor(world, params.principals) : [user];
    const subscribed: Record<string, string[]> = {};
    const already_subscribed: Record<string, string[]> = {};
    const unauthorized: string[] = [];
    for (const subscription of params.subscriptions) {
      const name = subscription.name.trim();
      if (name === '') throw badRequest("Channel name can't be empty.");
      const existing = channelNamed(world, name);
      if (existing?.invite_only && !existing.subscribers.has(user.user_id)) {
        if (params.authorization_errors_fatal)
          throw badRequest(`Unable to access channel (${name}).`);
        unauthorized.push(name);
        continue;
      }
      const { invite_only } = params;
      const channel = existing ?? addChannel(world, { name, invite_only, subscribers: [] });
      for (const { user_id } of subscribers) {
        const list = channel.subscribers.has(user_id) ? already_subscribed : subscribed;
        (list[user_id] ??= []).push(channel.name);
        channel.subscribers.add(user_id);
      }
    }
    return {
      subscribed,
      already_subscribed,
      ...(params.authorization_errors_fatal ? {} : { unauthorized }),
    };
  },
};

export const channels: Resource<'channels'> = {
  list: ({ user, world }) => ({
    streams: world.channels
      .filter(({ invite_only, subscribers }) => !invite_only || subscribers.has(user.user_id))
      .map((channel) => channelRecord(world, channel)),
  }),

  one({ params, user, world }) {
    const channel = world.channels.find(({ stream_id }) => stream_id === params.stream_id);
    if (!channel || (channel.invite_only && !channel.subscribers.has(user.user_id)))
      throw badRequest('Invalid channel ID');
    return { stream: channelRecord(world, channel) };
  },

  id({ params, user, world }) {
    const channel = channelNamed(world, params.stream);
    if (!channel || (channel.invite_only && !channel.subscribers.has(user.user_id)))
      throw badRequest(`Invalid channel name '${params.stream}'`);
    return { stream_id: channel.stream_id };
  },
};

/** The id of the group of all users; the fake server has no other groups. */
const EVERYBODY = 11;

function channelRecord(world: World, { stream_id, name, invite_only, subscribers }: Channel) {
  const first = world.messages.find(
    ({ conversation }) => 'channel' in conversation && conversation.channel.stream_id === stream_id,
  );
  const groups = Object.fromEntries(
    channelGroupSettings.map((setting) => [setting, EVERYBODY]),
  ) as Record<ChannelGroupSetting, typeof EVERYBODY & Subscription[ChannelGroupSetting]>;
  return {
    ...newChannelProperties,
    stream_id,
    name,
    date_created: 1_790_000_000,
    invite_only,
    first_message_id: first?.id ?? null,
    is_recently_active: first !== undefined,
    subscriber_count: subscribers.size,
    ...groups,
  };
}

export const subscriptionOf = (world: World, channel: Channel): Subscription => ({
  ...channelRecord(world, channel),
  color: '#76ce90',
  ...newSubscriptionProperties,
});
