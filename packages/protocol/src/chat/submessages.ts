import { z } from 'zod';

import { Markdown } from '../values/fields.ts';
import { MessageId, UserId } from '../values/ids.ts';
import { MAX_TEXT_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource } from '../wire/resource.ts';
import { Submessage } from './messages/message.ts';
import { UserTopicEvent } from './user-topics.ts';

/** Characters of all submessages of a message: everybody who reads the message gets them. */
export const MAX_SUBMESSAGES_LENGTH = 1_000_000;

const { msg_type, content } = Submessage.shape;
/** A user took part in the widget of a message. */
export const SubmessageEvent = z.object({
  type: z.literal('submessage'),
  message_id: MessageId,
  submessage_id: z.int(),
  sender_id: UserId,
  msg_type,
  content,
});

const endpoints = {
  add: endpoint('POST /submessage', {
    summary: 'Take part in a widget',
    description:
      'Votes in a poll, adds an option, completes a task. The first submessage is sent by the author of the message.',
    access: 'user',
    permissions: [{ to: 'send the first submessage of a message', grants: ['own'] }],
    params: {
      message_id: MessageId,
      msg_type: z
        .string()
        .max(MAX_WORD_LENGTH)
        .meta({ description: '`widget`', example: 'widget' }),
      content: Markdown.max(MAX_TEXT_LENGTH).meta({ description: 'JSON text' }),
    },
    emits: [SubmessageEvent, UserTopicEvent],
  }),
};

export const submessages = resource({
  endpoints,
  events: [event(SubmessageEvent, 'changes no state')],
});
