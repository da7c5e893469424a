import { z } from 'zod';

import { TopicName } from '../../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../../values/ids.ts';
import { MAX_LIST_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { Anchor } from './anchor.ts';
import { MessageFlag } from './message.ts';
import { Narrow } from './narrow.ts';
import { Topic } from './topic.ts';

/** A flag that users set themselves. The server sets the others. */
export const SettableFlag = MessageFlag.extract(['read', 'starred', 'collapsed']);
export type SettableFlag = z.output<typeof SettableFlag>;
const FlagOperation = z.enum(['add', 'remove']);

const mentioned = z.literal(true).optional();
/** The conversation of a message that became unread, for `unread_msgs`. */
const UnreadDetails = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('private'),
    /** The other participants. Empty for a message to oneself. */
    user_ids: z.array(UserId),
    mentioned,
  }),
  z.object({
    type: z.literal('stream'),
    stream_id: ChannelId,
    topic: TopicName,
    /** Neither the channel nor the topic is muted. */
    unmuted_stream_msg: z.boolean(),
    mentioned,
  }),
]);
export type UnreadDetails = z.output<typeof UnreadDetails>;

/**
 * A flag of yours changed on these messages. `message_details`, by message ID, is present if they
 * became unread. For older clients: `operation` repeats `op`, and `all` is always false.
 */
export const UpdateMessageFlagsEvent = z.object({
  type: z.literal('update_message_flags'),
  op: FlagOperation,
  operation: FlagOperation,
  flag: SettableFlag,
  messages: z.array(MessageId),
  all: z.literal(false),
  message_details: z.record(z.string(), UnreadDetails).optional(),
});

export type UpdateMessageFlagsEvent = z.output<typeof UpdateMessageFlagsEvent>;

/** Joins events that add or remove the same flag, unless messages became unread. */
export const mergeUpdateMessageFlags = (
  earlier: UpdateMessageFlagsEvent,
  later: UpdateMessageFlagsEvent,
): UpdateMessageFlagsEvent | undefined =>
  earlier.op === later.op && earlier.flag === later.flag && !later.message_details
    ? { ...later, messages: [...new Set([...earlier.messages, ...later.messages])] }
    : undefined;

const change = {
  op: FlagOperation,
  flag: SettableFlag.meta({ description: 'The server sets the other flags of messages itself' }),
};
const ignored_because_not_subscribed_channels = z.array(ChannelId).optional().meta({
  description:
    'Only for marking as unread, which skips the messages of archived channels, and of those that you are not subscribed to: the IDs of these channels',
});
const emits = [UpdateMessageFlagsEvent] as const;

export const messageFlags = {
  setFlag: endpoint('POST /messages/flags', {
    summary: 'Add or remove a personal flag of messages',
    description:
      'All messages must exist and be visible to you, else none is changed. Messages of a public channel that you never received get the flag historical.',
    access: 'user',
    params: { messages: z.array(MessageId).max(MAX_LIST_LENGTH), ...change },
    result: {
      messages: z.array(MessageId).meta({
        description: 'The messages of the request that were not ignored, changed or not',
      }),
      ignored_because_not_subscribed_channels,
    },
    emits,
  }),

  setFlagInNarrow: endpoint('POST /messages/flags/narrow', {
    summary: 'Add or remove a personal flag of the messages around an anchor',
    description:
      'Changes a range of the messages matching a narrow: at most 5,000 before and after the anchor together. Repeat the request with first_processed_id or last_processed_id as the anchor to change more.',
    since: 155,
    access: 'user',
    params: {
      anchor: Anchor,
      include_anchor: z.boolean().default(true),
      num_before: z.int().nonnegative(),
      num_after: z.int().nonnegative(),
      narrow: Narrow.nullable().default([]),
      ...change,
    },
    result: {
      processed_count: z.int(),
      updated_count: z.int(),
      first_processed_id: MessageId.nullable(),
      last_processed_id: MessageId.nullable(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      ignored_because_not_subscribed_channels,
    },
    errors: ['BAD_NARROW'],
    emits,
    steps: true,
  }),

  markAllAsRead: endpoint('POST /mark_all_as_read', {
    summary: 'Mark all messages as read',
    description: 'Deprecated: use POST /messages/flags/narrow.',
    access: 'user',
    result: {
      complete: z.boolean().meta({
        description: 'False if more unread messages are left than one request marks',
      }),
    },
    emits,
    steps: true,
  }),

  markChannelAsRead: endpoint('POST /mark_stream_as_read', {
    summary: 'Mark the messages of a channel as read',
    description: 'Deprecated: use POST /messages/flags/narrow.',
    access: 'user',
    params: { stream_id: ChannelId },
    emits,
    steps: true,
  }),

  markTopicAsRead: endpoint('POST /mark_topic_as_read', {
    summary: 'Mark the messages of a topic as read',
    description: 'Deprecated: use POST /messages/flags/narrow.',
    access: 'user',
    params: { stream_id: ChannelId, topic_name: Topic },
    emits,
    steps: true,
  }),
};
