import { z } from 'zod';

import { ChannelId, MessageId, UserId } from '../ids.ts';
import { section, type StateOf } from '../resource.ts';

const UnreadMessages = z.object({
  count: z.int(),
  pms: z.array(
    z.object({
      other_user_id: UserId,
      sender_id: UserId,
      unread_message_ids: z.array(MessageId),
    }),
  ),
  streams: z.array(
    z.object({
      stream_id: ChannelId,
      topic: z.string(),
      unread_message_ids: z.array(MessageId),
    }),
  ),
  huddles: z.array(
    z.object({ user_ids_string: z.string(), unread_message_ids: z.array(MessageId) }),
  ),
  mentions: z.array(MessageId),
  old_unreads_missing: z.boolean(),
});
/** Unread messages by conversation. */
export type UnreadMessages = z.output<typeof UnreadMessages>;

export const messageState = {
  /**
   * -1 for users without messages. Always sent: a widely used client reads it from every response.
   */
  message: section({ max_message_id: MessageId.or(z.literal(-1)) }, { always: true }),
  /** Only sent together with the fetch type `message`. */
  update_message_flags: section({ unread_msgs: UnreadMessages }),
  starred_messages: section({ starred_messages: z.array(MessageId) }),
  recent_private_conversations: section({
    recent_private_conversations: z.array(
      z.object({ user_ids: z.array(UserId), max_message_id: MessageId }),
    ),
  }),
};
export type MessageState = StateOf<typeof messageState>;
