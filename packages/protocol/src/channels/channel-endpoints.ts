import { z } from 'zod';

import { endpoint } from '../endpoint.ts';
import { ChannelId, UserId } from '../ids.ts';
import { MAX_LIST_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../limits.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
import { Channel, channelCreation } from './channel.ts';

/** The operations on channels. */
export const channelEndpoints = {
  list: endpoint('GET /streams', {
    summary: 'Get the channels of the realm',
    access: 'user',
    params: {
      include_public: z.boolean().default(true),
      include_web_public: z.boolean().default(false),
      include_subscribed: z.boolean().default(true),
      include_all: z.boolean().default(false),
      include_all_active: z.boolean().default(false),
      include_default: z.boolean().default(false),
      include_owner_subscribed: z.boolean().default(false),
      include_can_access_content: z.boolean().default(false),
      exclude_archived: z.boolean().default(true),
    },
    result: { streams: z.array(Channel) },
  }),

  id: endpoint('GET /get_stream_id', {
    summary: 'Get the ID of a channel by its name',
    access: 'user',
    params: { stream: z.string().max(MAX_NAME_LENGTH) },
    aliases: { channel: 'stream' },
    result: { stream_id: ChannelId },
  }),

  subscribers: endpoint('GET /streams/{stream_id}/members', {
    summary: 'Get the subscribers of a channel',
    access: 'user',
    params: { stream_id: ChannelId },
    result: { subscribers: z.array(UserId) },
  }),

  create: endpoint('POST /channels/create', {
    summary: 'Create a channel',
    since: 417,
    access: 'member',
    params: {
      name: z.string().max(MAX_NAME_LENGTH),
      description: z.string().max(MAX_TEXT_LENGTH).default(''),
      subscribers: z.array(UserId).max(MAX_LIST_LENGTH),
      announce: z.boolean().default(false),
      ...channelCreation,
    },
    result: { id: ChannelId },
    errors: ['CHANNEL_ALREADY_EXISTS'],
    emits: [StreamEvent, SubscriptionEvent, DefaultStreamsEvent, MessageEvent],
  }),
};
