import { z } from 'zod';

import { Markdown } from '../../values/fields.ts';
import { MessageId, QueueId } from '../../values/ids.ts';
import {
  MAX_CONTENT_LENGTH,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
} from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import { resource } from '../../wire/resource.ts';
import { StreamEvent } from '../channels/channel-events.ts';
import { AttachmentEvent } from '../uploads.ts';
import { UserTopicEvent } from '../user-topics.ts';
import { sightEvents } from '../users/sight-events.ts';
import { Anchor, AnchorId, MAX_FETCHED } from './anchor.ts';
import { applyDeleteMessage, applyUpdateMessage } from './apply-message-changes.ts';
import { applyUpdateMessageFlags } from './apply-message-flags.ts';
import { applyMessage } from './apply-message.ts';
import { messageEdits } from './message-edits.ts';
import { DeleteMessageEvent, MessageEvent, UpdateMessageEvent } from './message-events.ts';
import { mergeUpdateMessageFlags, messageFlags, UpdateMessageFlagsEvent } from './message-flags.ts';
import { sendMessage } from './message-permissions.ts';
import { messageQueries } from './message-queries.ts';
import { messageReports } from './message-reports.ts';
import { messageState } from './message-state.ts';
import { FetchedMessage } from './message.ts';
import { Narrow } from './narrow.ts';
import { AllowEmptyTopicName, Topic } from './topic.ts';

const MAX_LOCAL_ID_LENGTH = 500;
/** The addresses of the largest direct message, with commas. */
const MAX_TO_LENGTH = 100_000;

/** The users of a direct message, its sender included. An index of the server holds all their ids. */
export const MAX_PARTICIPANTS = 300;

const To = z
  .union([
    z.string().max(MAX_TO_LENGTH),
    z.int(),
    z.array(z.union([z.int(), z.string().max(MAX_NAME_LENGTH)])).max(MAX_LIST_LENGTH),
  ])
  .meta({
    description: `For a channel: its name or ID, or a list with one of them. For a direct message: a list of user IDs or e-mail addresses, or comma-separated addresses; at most ${MAX_PARTICIPANTS} users with the sender.`,
    example: '[7]',
  });

const endpoints = {
  send: endpoint('POST /messages', {
    summary: 'Send a message',
    description: 'Sends a message to a topic of a channel, or to one or more users.',
    access: 'user',
    // Sending locks no realm (decision 9).
    locks: 'nothing',
    permissions: sendMessage,
    params: {
      type: z
        .enum(['direct', 'private', 'stream', 'channel'])
        .transform((type) => (type === 'direct' || type === 'private' ? 'direct' : 'channel')),
      to: To,
      topic: Topic.optional().meta({ description: 'Required for channel messages' }),
      content: Markdown.max(MAX_CONTENT_LENGTH),
      queue_id: QueueId.optional(),
      local_id: z.string().max(MAX_LOCAL_ID_LENGTH).optional(),
      read_by_sender: z.boolean().optional(),
      widget_content: z.string().max(MAX_TEXT_LENGTH).optional().meta({
        description: 'A poll, todo or zform widget as JSON text. It becomes the first submessage',
      }),
    },
    aliases: { subject: 'topic' },
    result: { id: MessageId, automatic_new_visibility_policy: z.literal([2, 3]).optional() },
    errors: [
      'STREAM_DOES_NOT_EXIST',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    ],
    emits: [MessageEvent, AttachmentEvent, UserTopicEvent, StreamEvent, ...sightEvents],
    steps: true,
  }),

  fetch: endpoint('GET /messages', {
    summary: 'Fetch messages matching a narrow',
    description:
      'Without a login, in realms with spectator access: messages of web-public channels, narrowed by channel, channels, topic, sender, has, search, near, id or with.',
    access: 'optional',
    paramsSince: { allow_empty_topic_name: 334 },
    params: {
      anchor: Anchor.optional(),
      use_first_unread_anchor: z.boolean().default(false),
      include_anchor: z.boolean().default(true),
      num_before: z.int().nonnegative().max(MAX_FETCHED).default(0),
      num_after: z.int().nonnegative().max(MAX_FETCHED).default(0),
      narrow: Narrow.nullable().default([]),
      message_ids: z.array(MessageId).max(MAX_FETCHED).optional(),
      client_gravatar: z.boolean().default(true),
      apply_markdown: z.boolean().default(true),
      allow_empty_topic_name: AllowEmptyTopicName,
    },
    result: {
      messages: z.array(FetchedMessage),
      anchor: AnchorId.optional(),
      found_anchor: z.boolean(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      history_limited: z.boolean(),
    },
    errors: ['BAD_NARROW'],
  }),

  fetchOne: endpoint('GET /messages/{message_id}', {
    summary: 'Fetch a single message',
    description:
      'Without a login, in realms with spectator access: a message of a web-public channel.',
    access: 'optional',
    paramsSince: { apply_markdown: 120, allow_empty_topic_name: 334 },
    params: {
      message_id: MessageId,
      apply_markdown: z.boolean().default(true),
      allow_empty_topic_name: AllowEmptyTopicName,
    },
    result: { raw_content: Markdown, message: FetchedMessage },
  }),

  ...messageEdits,
  ...messageFlags,
  ...messageQueries,
  ...messageReports,
};

export const messages = resource({
  endpoints,
  events: [
    event(MessageEvent, applyMessage),
    event(UpdateMessageEvent, applyUpdateMessage),
    event(DeleteMessageEvent, applyDeleteMessage),
    event(UpdateMessageFlagsEvent, applyUpdateMessageFlags, mergeUpdateMessageFlags),
  ],
  state: messageState,
});
