import { z } from 'zod';

import { TopicName } from '../../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../../values/ids.ts';
import { section, type StateOf } from '../../wire/resource.ts';

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
      topic: TopicName,
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
   * Always sent: a widely used client reads it from every response. After that message is deleted, no event
   * tells which one is the newest now, and a state kept by events has a higher ID than a new one.
   */
  message: section(
    {
      max_message_id: MessageId.or(z.literal(-1)).meta({
        description:
          'The newest message that you received and that is not deleted; -1 if there is none. Events do not lower it: after a deletion it is an upper limit',
      }),
    },
    { always: true },
  ),
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
