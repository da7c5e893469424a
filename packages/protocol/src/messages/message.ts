import { z } from 'zod';

import { ChannelId, MessageId, RecipientId, UserId } from '../ids.ts';

/** A participant of a direct message, in `display_recipient`. */
export const DisplayRecipient = z.object({
  id: UserId,
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});
export type DisplayRecipient = z.output<typeof DisplayRecipient>;

export const Reaction = z
  .object({
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji']),
    user_id: UserId,
  })
  .meta({ id: 'Reaction' });
export type Reaction = z.output<typeof Reaction>;

export const Submessage = z
  .object({
    id: z.int(),
    message_id: MessageId,
    sender_id: UserId,
    msg_type: z.string(),
    content: z.string(),
  })
  .meta({ id: 'Submessage' });
export type Submessage = z.output<typeof Submessage>;

export const EditHistoryEntry = z
  .object({
    user_id: UserId.nullable(),
    timestamp: z.int(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    prev_stream: ChannelId.optional(),
    stream: ChannelId.optional(),
    prev_topic: z.string().optional(),
    topic: z.string().optional(),
  })
  .meta({ id: 'EditHistoryEntry' });
export type EditHistoryEntry = z.output<typeof EditHistoryEntry>;

/** A message as it was after an edit (spec, Message-history snapshot). */
export const MessageSnapshot = EditHistoryEntry.extend({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  content_html_diff: z.string().optional(),
}).meta({ id: 'MessageSnapshot' });
export type MessageSnapshot = z.output<typeof MessageSnapshot>;

/** A flag of a message (spec, Message flags). */
export const MessageFlag = z.enum([
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
  'wildcard_mentioned',
]);
export type MessageFlag = z.output<typeof MessageFlag>;

/** A message as one reader sees it, without their flags (spec, Message object). */
export const Message = z
  .object({
    id: MessageId,
    type: z.enum(['stream', 'private']),
    stream_id: ChannelId.optional(),
    subject: z.string(),
    content: z.string(),
    content_type: z.enum(['text/html', 'text/x-markdown']),
    sender_id: UserId,
    sender_email: z.string(),
    sender_full_name: z.string(),
    sender_realm_str: z.string(),
    avatar_url: z.string().nullable(),
    client: z.string(),
    display_recipient: z.union([z.string(), z.array(DisplayRecipient)]),
    recipient_id: RecipientId,
    timestamp: z.int(),
    is_me_message: z.boolean(),
    reactions: z.array(Reaction),
    submessages: z.array(Submessage),
    topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
    edit_history: z.array(EditHistoryEntry).optional(),
    last_edit_timestamp: z.int().optional(),
    last_moved_timestamp: z.int().optional(),
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof Message>;

/** A message with the flags of its reader, and the highlighted text if a search found it. */
export const FetchedMessage = Message.extend({
  flags: z.array(MessageFlag),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
}).meta({ id: 'FetchedMessage' });
export type FetchedMessage = z.output<typeof FetchedMessage>;
