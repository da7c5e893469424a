import { z } from 'zod';

import { Html, Markdown, TopicName } from '../../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../../values/ids.ts';
import { Message, MessageFlag } from './message.ts';

/**
 * Which messages an edit moves: the message, it and the later ones of its topic, or the whole
 * topic.
 */
export const PropagateMode = z.enum(['change_one', 'change_later', 'change_all']);
export type PropagateMode = z.output<typeof PropagateMode>;

/** A message was sent. `local_message_id` is only in the queue that `POST /messages` named. */
export const MessageEvent = z.object({
  type: z.literal('message'),
  message: Message,
  flags: z.array(MessageFlag),
  local_message_id: z.string().optional(),
});

/**
 * The content of a message changed, or messages moved to another topic or channel. Keys about
 * unchanged properties are absent. `flags` are the flags of this reader on `message_id`. If
 * `rendering_only` is true, nobody edited the message: only its HTML changed.
 */
export const UpdateMessageEvent = z.object({
  type: z.literal('update_message'),
  user_id: UserId.nullable(),
  rendering_only: z.boolean(),
  message_id: MessageId,
  message_ids: z.array(MessageId),
  flags: z.array(MessageFlag),
  edit_timestamp: z.int(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  content: Markdown.optional(),
  rendered_content: Html.optional(),
  is_me_message: z.boolean().optional(),
  stream_id: ChannelId.optional(),
  stream_name: z.string().optional(),
  propagate_mode: PropagateMode.optional(),
  orig_subject: z.string().optional(),
  subject: TopicName.optional(),
  topic_links: Message.shape.topic_links.optional(),
  new_stream_id: ChannelId.optional(),
});

const deletion = {
  type: z.literal('delete_message'),
  message_type: Message.shape.type,
  stream_id: ChannelId.optional(),
  topic: TopicName.optional(),
};
/**
 * Messages were deleted, or moved to a channel that this reader cannot access. Queues without the
 * capability `bulk_message_deletion` get one event per message.
 */
export const DeleteMessageEvent = z.union([
  z.object({ ...deletion, message_ids: z.array(MessageId) }),
  z.object({ ...deletion, message_id: MessageId }),
]);
