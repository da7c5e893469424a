import { createHash } from 'node:crypto';

import {
  badRequest,
  type FetchedMessage,
  type Message,
  type MessageFlag,
  type MessageId,
  type RecipientId,
  shownTopic,
  type UserId,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Channel, Conversation } from './conversation.ts';

/** A message with its recipients. */
export interface StoredMessage {
  readonly id: MessageId;
  readonly sender: Account;
  conversation: Conversation;
  content: string;
  rendered_content: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  readonly client: string;
  readonly reactions: Message['reactions'];
  readonly submessages: Message['submessages'];
  edit_history: NonNullable<Message['edit_history']>;
  last_edit_timestamp: number | undefined;
  last_moved_timestamp: number | undefined;
  /** The flags of each recipient. */
  readonly received: Map<UserId, Set<MessageFlag>>;
}

export interface RenderOptions {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly allow_empty_topic_name: boolean;
}

/** A message as the API shows it with the options of a client. */
export function shownMessage(stored: StoredMessage, options: RenderOptions): Message {
  const { id, sender, conversation, timestamp, client, reactions, submessages } = stored;
  const inChannel = 'channel' in conversation;
  const topic = inChannel ? shownTopic(conversation.topic, options.allow_empty_topic_name) : '';
  return {
    id,
    type: inChannel ? 'stream' : 'private',
    ...(inChannel ? { stream_id: conversation.channel.stream_id } : {}),
    subject: topic,
    content: options.apply_markdown ? stored.rendered_content : stored.content,
    content_type: options.apply_markdown ? 'text/html' : 'text/x-markdown',
    sender_id: sender.user_id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: '',
    avatar_url: options.client_gravatar ? null : avatarUrl(sender.email),
    client,
    display_recipient: inChannel
      ? conversation.channel.name
      : conversation.participants.map(participant),
    recipient_id: recipientId(conversation),
    timestamp,
    is_me_message: stored.content.startsWith('/me '),
    reactions: [...reactions],
    submessages: [...submessages],
    topic_links: [],
    ...(stored.edit_history.length > 0 ? { edit_history: [...stored.edit_history] } : {}),
    ...(stored.last_edit_timestamp === undefined
      ? {}
      : { last_edit_timestamp: stored.last_edit_timestamp }),
    ...(stored.last_moved_timestamp === undefined
      ? {}
      : { last_moved_timestamp: stored.last_moved_timestamp }),
  };
}

/** A message with the flags of its reader. */
export const fetchedMessage = (
  stored: StoredMessage,
  reader: Account,
  options: RenderOptions,
): FetchedMessage => ({ ...shownMessage(stored, options), flags: flagsOf(stored, reader.user_id) });

/** The flags of a reader; of a message they did not receive, `read` and `historical`. */
export const flagsOf = ({ received }: StoredMessage, reader: UserId): MessageFlag[] => [
  ...(received.get(reader) ?? (['read', 'historical'] as const)),
];

/** Whether a user may read a message: they received it, subscribe to its channel, or it is public. */
export const mayRead = ({ conversation, received }: StoredMessage, reader: UserId): boolean =>
  received.has(reader) ||
  ('channel' in conversation && mayReadChannel(conversation.channel, reader));

/** Whether a user may read a channel: it is public, or they subscribe to it. */
export const mayReadChannel = ({ invite_only, subscribers }: Channel, reader: UserId): boolean =>
  !invite_only || subscribers.has(reader);

/** A message that the user may read. Throws BAD_REQUEST if there is none. */
export function readable(
  { messages }: { readonly messages: readonly StoredMessage[] },
  id: MessageId,
  { user_id }: Account,
): StoredMessage {
  const message = messages.find((one) => one.id === id);
  if (message && mayRead(message, user_id)) return message;
  throw badRequest('Invalid message(s)');
}

/** The audience of events about a message: its recipients and the subscribers of its channel. */
export const audienceOf = ({ conversation, received }: StoredMessage) => ({
  audience: [
    ...received.keys(),
    ...('channel' in conversation ? conversation.channel.subscribers : []),
  ],
  isPublic: 'channel' in conversation && !conversation.channel.invite_only,
});

/** The same for all messages of a conversation. */
function recipientId(conversation: Conversation): RecipientId {
  if ('channel' in conversation) return (1000 + conversation.channel.stream_id) as RecipientId;
  const ids = conversation.participants.map(({ user_id }) => user_id).join(',');
  return createHash('md5').update(ids).digest().readUInt32BE(0) as RecipientId;
}

const participant = ({ user_id, email, full_name }: Account) => ({
  id: user_id,
  email,
  full_name,
  is_mirror_dummy: false,
});

export const avatarUrl = (email: string): string =>
  `https://secure.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}?d=identicon&version=1`;
