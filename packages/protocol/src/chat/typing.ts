import { z } from 'zod';

import { Email, TopicName } from '../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../values/ids.ts';
import { MAX_LIST_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource } from '../wire/resource.ts';
import { postInChannel } from './channels/channel-permissions.ts';
import { Topic } from './messages/topic.ts';

const TypingUser = z.object({ user_id: UserId, email: Email });
const typingEvent = {
  type: z.literal('typing'),
  op: z.enum(['start', 'stop']),
  sender: TypingUser,
};
/** A user started or stopped typing a message to this reader. */
export const TypingEvent = z.discriminatedUnion('message_type', [
  z.object({ ...typingEvent, message_type: z.literal('direct'), recipients: z.array(TypingUser) }),
  z.object({
    ...typingEvent,
    message_type: z.literal('stream'),
    stream_id: ChannelId,
    topic: TopicName,
  }),
]);

/** A user started or stopped editing a message that this reader may read. */
const TypingEditMessageEvent = z.object({
  type: z.literal('typing_edit_message'),
  op: z.enum(['start', 'stop']),
  sender_id: UserId,
  message_id: MessageId,
  recipient: z.discriminatedUnion('type', [
    z.object({ type: z.literal('channel'), channel_id: ChannelId, topic: TopicName }),
    z.object({ type: z.literal('direct'), user_ids: z.array(UserId) }),
  ]),
});

const TypingTo = z
  .array(UserId)
  .max(MAX_LIST_LENGTH)
  .meta({ description: 'A list of user IDs, even for one recipient' });

const editOwn: Permission = { to: 'edit the message', grants: ['own'] };

const endpoints = {
  send: endpoint('POST /typing', {
    summary: 'Say that you are typing, or have stopped',
    paramsSince: { stream_id: 215 },
    access: 'user',
    // It changes nothing.
    locks: 'nothing',
    permissions: [postInChannel],
    params: {
      type: z
        .enum(['direct', 'stream', 'channel'])
        .default('direct')
        .transform((type) => (type === 'direct' ? 'direct' : 'channel')),
      op: z.enum(['start', 'stop']),
      to: TypingTo.optional(),
      stream_id: ChannelId.optional(),
      topic: Topic.optional(),
    },
    aliases: { subject: 'topic' },
    // Older clients send the name of the channel in `to`, or an empty `stream_id`.
    meaningless: ({ type = 'direct' }) => (type === 'direct' ? ['stream_id', 'topic'] : ['to']),
    emits: [TypingEvent],
  }),

  edit: endpoint('POST /messages/{message_id}/typing', {
    summary: 'Say that you are editing a message, or have stopped',
    since: 361,
    access: 'user',
    permissions: [editOwn],
    params: { message_id: MessageId, op: z.enum(['start', 'stop']) },
    emits: [TypingEditMessageEvent],
  }),

  editByBody: endpoint('POST /message_edit_typing', {
    summary: 'Say that you are editing a message: the route before feature level 361',
    since: 351,
    access: 'user',
    permissions: [editOwn],
    params: { message_id: MessageId, op: z.enum(['start', 'stop']) },
    emits: [TypingEditMessageEvent],
  }),
};

export const typing = resource({
  endpoints,
  events: [
    event(TypingEvent, 'changes no state'),
    event(TypingEditMessageEvent, 'changes no state'),
  ],
});
