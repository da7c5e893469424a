import { z } from 'zod';

import { Markdown } from '../../values/fields.ts';
import { ChannelId, MessageId } from '../../values/ids.ts';
import { MAX_CONTENT_LENGTH, MAX_WORD_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { StreamEvent } from '../channels/channel-events.ts';
import { AttachmentEvent } from '../uploads.ts';
import { UserTopicEvent } from '../user-topics.ts';
import {
  DeleteMessageEvent,
  MessageEvent,
  PropagateMode,
  UpdateMessageEvent,
} from './message-events.ts';
import { deleteMessage, editMessage } from './message-permissions.ts';
import { MessageSnapshot } from './message.ts';
import { AllowEmptyTopicName, Topic } from './topic.ts';

export const messageEdits = {
  edit: endpoint('PATCH /messages/{message_id}', {
    summary: 'Edit or move a message',
    description:
      'The sender may change the content within the time limit of the organization. A message with a poll or a to-do list keeps its content; an edit of a message with buttons (`zform`) removes the buttons, and has no time limit. A user with permission to move messages may change the topic or the channel, of this message only or also of others in its topic.',
    access: 'user',
    // While it moves no channel is archived, no topics policy and no role changes.
    locksFor: ['topic', 'stream_id'],
    permissions: editMessage,
    params: {
      message_id: MessageId,
      content: Markdown.max(MAX_CONTENT_LENGTH).optional(),
      topic: Topic.optional(),
      stream_id: ChannelId.optional().meta({ description: 'The channel to move the message to' }),
      propagate_mode: PropagateMode.default('change_one'),
      send_notification_to_old_thread: z.boolean().default(false),
      send_notification_to_new_thread: z.boolean().default(true),
      prev_content_sha256: z.string().max(MAX_WORD_LENGTH).optional().meta({
        description:
          'SHA-256 of the raw content that you read, in hex. The edit fails if the content has changed since',
      }),
    },
    aliases: { subject: 'topic' },
    result: {
      detached_uploads: z
        .array(z.unknown())
        .default([])
        .meta({ description: 'Uploads that no message links to any longer' }),
    },
    errors: [
      'EXPECTATION_MISMATCH',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      'STREAM_DOES_NOT_EXIST',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    ],
    emits: [
      UpdateMessageEvent,
      DeleteMessageEvent,
      StreamEvent,
      MessageEvent,
      AttachmentEvent,
      UserTopicEvent,
    ],
  }),

  remove: endpoint('DELETE /messages/{message_id}', {
    summary: 'Delete a message',
    description: 'Deletes the message permanently, for all users.',
    access: 'user',
    // Deleting locks no realm, only the messages.
    locks: 'nothing',
    permissions: deleteMessage,
    params: { message_id: MessageId },
    emits: [DeleteMessageEvent, StreamEvent, AttachmentEvent],
  }),

  history: endpoint('GET /messages/{message_id}/history', {
    summary: "Get a message's edit history",
    description:
      'Returns the message after each edit, oldest first. The organization may hide the history.',
    access: 'user',
    paramsSince: { allow_empty_topic_name: 334 },
    params: { message_id: MessageId, allow_empty_topic_name: AllowEmptyTopicName },
    result: { message_history: z.array(MessageSnapshot) },
  }),
};
