import { z } from 'zod';

import { Html, Markdown, Timestamp, TopicName } from '../values/fields.ts';
import { ChannelId, UserId } from '../values/ids.ts';
import { MAX_CONTENT_LENGTH, MAX_LIST_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { byDeliveryTime } from './by-delivery-time.ts';
import { changed } from './changed.ts';
import { sendMessage } from './messages/message-permissions.ts';
import { AllowEmptyTopicName, Topic } from './messages/topic.ts';

/** Messages that a user may have scheduled at most, those that could not be sent included. */
export const MAX_SCHEDULED_MESSAGES = 1000;
/** The end of the year 9999 in UNIX seconds. */
const MAX_TIMESTAMP = 253_402_300_799;

export const ScheduledMessageId = z.int().nonnegative().brand<'ScheduledMessageId'>();
export type ScheduledMessageId = z.output<typeof ScheduledMessageId>;

const scheduledMessage = {
  scheduled_message_id: ScheduledMessageId,
  content: Markdown,
  /** The content as HTML at the time of scheduling or editing. Sending renders it again. */
  rendered_content: Html,
  /** UNIX time in seconds. */
  scheduled_delivery_timestamp: Timestamp,
  /** Whether the server tried to send the message and could not. */
  failed: z.boolean(),
};
/** A message that the server sends later. */
export const ScheduledMessage = z
  .discriminatedUnion('type', [
    z.object({ ...scheduledMessage, type: z.literal('stream'), to: ChannelId, topic: TopicName }),
    z.object({
      ...scheduledMessage,
      type: z.literal('private'),
      /** The other participants; of a note to self the user's own ID. */
      to: z.array(UserId),
    }),
  ])
  .meta({ id: 'ScheduledMessage' });
export type ScheduledMessage = z.output<typeof ScheduledMessage>;

/** The user scheduled, edited or deleted messages, or the server sent one or could not. */
export const ScheduledMessagesEvent = z.discriminatedUnion('op', [
  z.object({
    type: z.literal('scheduled_messages'),
    op: z.literal('add'),
    scheduled_messages: z.array(ScheduledMessage),
  }),
  z.object({
    type: z.literal('scheduled_messages'),
    op: z.literal('update'),
    scheduled_message: ScheduledMessage,
  }),
  z.object({
    type: z.literal('scheduled_messages'),
    op: z.literal('remove'),
    scheduled_message_id: ScheduledMessageId,
  }),
]);

/** Scheduled messages in the order in which they are due. */
const state = {
  scheduled_messages: section({ scheduled_messages: z.array(ScheduledMessage) }),
};

const applyScheduledMessages = (
  known: StateOf<typeof state>,
  event: z.output<typeof ScheduledMessagesEvent>,
): StateOf<typeof state> =>
  changed(known, 'scheduled_messages', (all) => {
    if (event.op === 'remove')
      return all.filter((one) => one.scheduled_message_id !== event.scheduled_message_id);
    const added = event.op === 'add' ? event.scheduled_messages : [event.scheduled_message];
    const ids = new Set(added.map((one) => one.scheduled_message_id));
    return [...all.filter((one) => !ids.has(one.scheduled_message_id)), ...added].sort(
      byDeliveryTime('scheduled_message_id'),
    );
  });

const type = z
  .enum(['direct', 'private', 'stream', 'channel'])
  .transform((name): 'direct' | 'channel' =>
    name === 'direct' || name === 'private' ? 'direct' : 'channel',
  );
const to = z.union([z.int(), z.array(z.int()).max(MAX_LIST_LENGTH)]).meta({
  description: 'The ID of a channel, or a list of user IDs',
});
const content = Markdown.max(MAX_CONTENT_LENGTH);
const scheduled_delivery_timestamp = Timestamp.nonnegative().max(MAX_TIMESTAMP).meta({
  description: 'When to send the message: a future UNIX time in seconds',
});
const wildcardErrors = [
  'STREAM_DOES_NOT_EXIST',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
] as const;

const ownMessage: Permission = { to: 'change the scheduled message', grants: ['own'] };

export const scheduledMessages = resource({
  endpoints: {
    list: endpoint('GET /scheduled_messages', {
      summary: 'Get your scheduled messages that were not sent yet',
      since: 173,
      access: 'user',
      params: { allow_empty_topic_name: AllowEmptyTopicName },
      result: { scheduled_messages: z.array(ScheduledMessage) },
    }),

    add: endpoint('POST /scheduled_messages', {
      summary: 'Schedule a message',
      since: 179,
      access: 'user',
      // Its message is checked again when it is sent.
      locks: 'nothing',
      permissions: sendMessage,
      params: {
        type,
        to,
        topic: Topic.optional().meta({ description: 'Required for channel messages' }),
        content,
        scheduled_delivery_timestamp,
        read_by_sender: z.boolean().optional(),
      },
      aliases: { subject: 'topic' },
      result: { scheduled_message_id: ScheduledMessageId },
      errors: wildcardErrors,
      emits: [ScheduledMessagesEvent],
    }),

    update: endpoint('PATCH /scheduled_messages/{scheduled_message_id}', {
      summary: 'Edit a scheduled message',
      description:
        'A message that could not be sent needs a new time, and is then sent at that time.',
      since: 184,
      access: 'user',
      permissions: [ownMessage],
      params: {
        scheduled_message_id: ScheduledMessageId,
        type: type.optional().meta({ description: 'Needs `to`; for a channel also `topic`' }),
        to: to.optional(),
        topic: Topic.optional(),
        content: content.optional(),
        scheduled_delivery_timestamp: scheduled_delivery_timestamp.optional(),
      },
      aliases: { subject: 'topic' },
      errors: wildcardErrors,
      emits: [ScheduledMessagesEvent],
    }),

    remove: endpoint('DELETE /scheduled_messages/{scheduled_message_id}', {
      summary: 'Delete a scheduled message',
      since: 173,
      access: 'user',
      permissions: [ownMessage],
      params: { scheduled_message_id: ScheduledMessageId },
      emits: [ScheduledMessagesEvent],
    }),
  },
  events: [event(ScheduledMessagesEvent, applyScheduledMessages)],
  state,
});
