import { z } from 'zod';

import { Description, Email, Name } from '../../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../../values/ids.ts';
import { MAX_LIST_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { RealmBotEvent } from '../bots/bot-events.ts';
import { DefaultStreamGroupsEvent } from '../default-channel-groups.ts';
import { DeleteMessageEvent, MessageEvent } from '../messages/message-events.ts';
import { UpdateMessageFlagsEvent } from '../messages/message-flags.ts';
import { deleteTopic } from '../messages/message-permissions.ts';
import { AllowEmptyTopicName, Topic } from '../messages/topic.ts';
import { RealmEvent } from '../realms/realm-events.ts';
import { AttachmentEvent } from '../uploads.ts';
import { UserTopicEvent } from '../user-topics.ts';
import { sightEvents } from '../users/sight-events.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
import { administerChannel, changeChannel, createChannel } from './channel-permissions.ts';
import { Channel, channelCreation, channelSettingsSince, channelUpdate } from './channel.ts';

const archivingEvents = [
  StreamEvent,
  DefaultStreamsEvent,
  DefaultStreamGroupsEvent,
  MessageEvent,
  UpdateMessageFlagsEvent,
  UserTopicEvent,
  RealmEvent,
] as const;
const changeEvents = [...archivingEvents, SubscriptionEvent, RealmBotEvent] as const;

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
    params: { stream: Name.max(MAX_NAME_LENGTH) },
    aliases: { channel: 'stream' },
    result: { stream_id: ChannelId },
  }),

  subscribers: endpoint('GET /streams/{stream_id}/members', {
    summary: 'Get the subscribers of a channel',
    access: 'user',
    params: { stream_id: ChannelId },
    result: { subscribers: z.array(UserId) },
  }),

  one: endpoint('GET /streams/{stream_id}', {
    summary: 'Get a channel',
    since: 132,
    access: 'user',
    params: { stream_id: ChannelId },
    result: { stream: Channel },
  }),

  topics: endpoint('GET /users/me/{stream_id}/topics', {
    summary: 'Get the topics of a channel, the one with the newest message first',
    description:
      'Of a channel with protected history: the topics of the messages that you received. Without a login, in realms with spectator access: the topics of a web-public channel.',
    access: 'optional',
    params: {
      stream_id: ChannelId,
      allow_empty_topic_name: AllowEmptyTopicName,
    },
    result: { topics: z.array(z.object({ name: Name, max_id: MessageId })) },
  }),

  emailAddress: endpoint('GET /streams/{stream_id}/email_address', {
    summary: 'Get the address to which mails for a channel are sent',
    description: 'Empty, as on every server that receives no mails.',
    since: 226,
    access: 'user',
    params: { stream_id: ChannelId },
    result: { email: Email },
  }),

  update: endpoint('PATCH /streams/{stream_id}', {
    summary: 'Change a channel',
    access: 'user',
    locks: 'realm',
    permissions: changeChannel,
    params: {
      stream_id: ChannelId,
      new_name: Name.max(MAX_NAME_LENGTH).optional(),
      description: Description.max(MAX_TEXT_LENGTH).optional(),
      ...channelUpdate,
      is_archived: z.boolean().optional().meta({
        description: 'false makes an archived channel usable again, true archives a channel',
      }),
    },
    errors: ['CHANNEL_ALREADY_EXISTS', 'EXPECTATION_MISMATCH'],
    emits: changeEvents,
  }),

  addDefault: endpoint('POST /default_streams', {
    summary: 'Make a channel a default channel of new users',
    access: 'admin',
    params: { stream_id: ChannelId },
    emits: [DefaultStreamsEvent],
  }),

  removeDefault: endpoint('DELETE /default_streams', {
    summary: 'Remove a channel from the default channels of new users',
    access: 'admin',
    params: { stream_id: ChannelId },
    emits: [DefaultStreamsEvent],
  }),

  deleteTopic: endpoint('POST /streams/{stream_id}/delete_topic', {
    summary: 'Delete the messages of a topic',
    description: 'Stops after 50 seconds: repeat the request until the answer is `complete`.',
    access: 'user',
    // Deleting locks no realm, only the messages.
    locks: 'nothing',
    permissions: [deleteTopic],
    params: { stream_id: ChannelId, topic_name: Topic },
    result: { complete: z.boolean() },
    emits: [DeleteMessageEvent, StreamEvent, AttachmentEvent],
    steps: true,
  }),

  archive: endpoint('DELETE /streams/{stream_id}', {
    summary: 'Archive a channel',
    description: 'Its messages stay. `PATCH /streams/{stream_id}` makes it usable again.',
    access: 'user',
    locks: 'realm',
    permissions: [administerChannel],
    params: { stream_id: ChannelId },
    emits: archivingEvents,
  }),

  create: endpoint('POST /channels/create', {
    summary: 'Create a channel',
    since: 417,
    paramsSince: channelSettingsSince,
    access: 'member',
    locks: 'realm',
    permissions: createChannel,
    params: {
      name: Name.max(MAX_NAME_LENGTH),
      description: Description.max(MAX_TEXT_LENGTH).default(''),
      subscribers: z.array(UserId).max(MAX_LIST_LENGTH),
      announce: z.boolean().default(false),
      ...channelCreation,
    },
    result: { id: ChannelId },
    errors: ['CHANNEL_ALREADY_EXISTS'],
    emits: [StreamEvent, SubscriptionEvent, DefaultStreamsEvent, MessageEvent, ...sightEvents],
  }),
};
