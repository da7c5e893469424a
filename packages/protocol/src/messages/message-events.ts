import { z } from 'zod';

import { ChannelId, MessageId, UserId } from '../ids.ts';
import { Message, MessageFlag } from './message.ts';

/** Which messages move along with one: none, those after it in its topic, or all of its topic. */
export const PropagateMode = z.enum(['change_one', 'change_later', 'change_all']);
export type PropagateMode = z.output<typeof PropagateMode>;

/** A message arrived. `local_message_id` goes only to the queue that `POST /messages` named. */
export const MessageEvent = z.object({
  type: z.literal('message'),
  message: Message,
  flags: z.array(MessageFlag),
  local_message_id: z.string().optional(),
});

/**
 * The content of a message changed, or messages moved to another topic or channel; what did not
 * change is absent. `flags` are the reader's on `message_id`. With `rendering_only` only the HTML
 * changed, and nobody edited anything.
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
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  is_me_message: z.boolean().optional(),
  stream_id: ChannelId.optional(),
  stream_name: z.string().optional(),
  propagate_mode: PropagateMode.optional(),
  orig_subject: z.string().optional(),
  subject: z.string().optional(),
  topic_links: Message.shape.topic_links.optional(),
  new_stream_id: ChannelId.optional(),
});

const deletion = {
  type: z.literal('delete_message'),
  message_type: Message.shape.type,
  stream_id: ChannelId.optional(),
  topic: z.string().optional(),
};
/**
 * Messages were deleted, or moved to where this reader cannot follow. One by one to queues without
 * the capability `bulk_message_deletion`.
 */
export const DeleteMessageEvent = z.union([
  z.object({ ...deletion, message_ids: z.array(MessageId) }),
  z.object({ ...deletion, message_id: MessageId }),
]);
