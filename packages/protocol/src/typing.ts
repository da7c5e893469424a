import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { ChannelId, UserId } from './ids.ts';
import { MAX_LIST_LENGTH } from './limits.ts';
import { Topic } from './messages/topic.ts';
import { resource } from './resource.ts';

const TypingUser = z.object({ user_id: UserId, email: z.string() });
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
    topic: z.string(),
  }),
]);

const TypingTo = z
  .array(UserId)
  .max(MAX_LIST_LENGTH)
  .meta({ description: 'A list of user IDs, even for one recipient' });

const endpoints = {
  send: endpoint('POST /typing', {
    summary: 'Say that you are typing, or have stopped',
    access: 'user',
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
    emits: [TypingEvent],
  }),
};

export const typing = resource({ endpoints, events: [event(TypingEvent, 'changes no state')] });
