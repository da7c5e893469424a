import { z } from 'zod';

import {
  AvatarUrl,
  Email,
  EmojiCode,
  EmojiName,
  FullName,
  Html,
  Markdown,
  Name,
  Timestamp,
  TopicName,
  Url,
} from '../../values/fields.ts';
import { ChannelId, MessageId, RecipientId, UserId } from '../../values/ids.ts';
import { eitherName, publicNames } from '../../values/public-names.ts';

/** A participant of a direct message, in `display_recipient`. */
export const DisplayRecipient = z.object({
  id: UserId,
  email: Email,
  full_name: FullName,
  is_mirror_dummy: z.boolean(),
});
export type DisplayRecipient = z.output<typeof DisplayRecipient>;

const ReactionType = eitherName(
  ['unicode_emoji', 'realm_emoji', 'svc_extra_emoji'],
  publicNames.reaction_type,
);

export const Reaction = z
  .object({
    emoji_name: EmojiName,
    emoji_code: EmojiCode,
    reaction_type: ReactionType,
    user_id: UserId,
  })
  .meta({ id: 'Reaction' });
export type Reaction = z.output<typeof Reaction>;

export const Submessage = z
  .object({
    id: z.int(),
    message_id: MessageId,
    sender_id: UserId,
    msg_type: z.string().meta({ example: 'widget' }),
    content: Markdown,
  })
  .meta({ id: 'Submessage' });
export type Submessage = z.output<typeof Submessage>;

export const EditHistoryEntry = z
  .object({
    user_id: UserId.nullable(),
    timestamp: Timestamp,
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    prev_stream: ChannelId.optional(),
    stream: ChannelId.optional(),
    prev_topic: z.string().optional(),
    topic: TopicName.optional(),
  })
  .meta({ id: 'EditHistoryEntry' });
export type EditHistoryEntry = z.output<typeof EditHistoryEntry>;

/** A message as it was after an edit (spec, Message-history snapshot). */
export const MessageSnapshot = EditHistoryEntry.extend({
  topic: TopicName,
  content: Markdown,
  rendered_content: Html,
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
    id: MessageId.meta({ description: 'A later message has a greater one' }),
    type: z.enum(['stream', 'private']).meta({
      description: '`stream`: in a channel; `private`: a direct message',
    }),
    stream_id: ChannelId.optional().meta({
      description: 'The channel; absent in a direct message',
    }),
    subject: TopicName.meta({ description: 'The topic; empty in a direct message' }),
    content: Markdown,
    content_type: z.enum(['text/html', 'text/x-markdown']).meta({
      description: 'The form of `content`',
    }),
    sender_id: UserId,
    sender_email: Email,
    sender_full_name: FullName,
    sender_realm_str: z.string().meta({ description: 'The subdomain of the organization' }),
    avatar_url: AvatarUrl.nullable(),
    client: z.string().meta({ description: 'The program that sent it', example: 'website' }),
    display_recipient: z.union([Name, z.array(DisplayRecipient)]).meta({
      description:
        'The name of the channel; for a direct message all participants, sender and bots included',
    }),
    recipient_id: RecipientId.meta({ description: 'Identifies the channel or the participants' }),
    timestamp: Timestamp.meta({ description: 'UNIX time in seconds, as the other times' }),
    is_me_message: z.boolean().meta({ description: 'Whether it begins with `/me `' }),
    reactions: z.array(Reaction),
    submessages: z.array(Submessage).meta({ description: 'What belongs to widgets, as votes' }),
    topic_links: z
      .array(z.object({ text: Markdown, url: Url }))
      .meta({ description: 'Links that linkifiers make of the topic' }),
    edit_history: z.array(EditHistoryEntry).optional().meta({
      description: 'Its changes, the newest first; absent if there are none',
    }),
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
