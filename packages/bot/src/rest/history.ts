import type { Client } from '@bellhop/client';
import type { FetchedMessage, MessageId, UserId } from '@bellhop/protocol';

import type { Conversation } from './conversation.ts';
import { narrowTo } from './narrow-to.ts';

/** An earlier message of a conversation. */
export interface HistoryMessage {
  readonly id: MessageId;
  readonly sender: { readonly id: UserId; readonly email: string; readonly fullName: string };
  /** Raw Markdown. */
  readonly content: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface HistoryRange {
  /** Only messages before this one. */
  readonly before: MessageId;
  /** The newest so many, at most 1000. */
  readonly limit: number;
  /** The contents are HTML. */
  readonly rendered?: boolean;
}

export const MAX_HISTORY = 1000;

/** The newest messages of a conversation before another one, oldest first. */
export async function fetchHistory(
  client: Client,
  conversation: Conversation,
  { before, limit, rendered = false }: HistoryRange,
): Promise<readonly HistoryMessage[]> {
  const { messages } = await client.messages.fetch({
    anchor: before,
    include_anchor: false,
    num_before: limit,
    num_after: 0,
    narrow: narrowTo(conversation),
    apply_markdown: rendered,
  });
  return messages.map(historyMessage);
}

/** A message of the bot, by its content. */
export interface OwnMessage {
  /** Only messages after this one. */
  readonly after: MessageId;
  /** Raw Markdown. */
  readonly content: string;
}

/** How many messages of the bot are searched. */
const MAX_SEARCHED = 100;

/** The ID of the first message that a user has sent to a conversation with this content. */
export async function findOwn(
  client: Client,
  conversation: Conversation,
  { after, content, email }: OwnMessage & { readonly email: string },
): Promise<MessageId | undefined> {
  const { messages } = await client.messages.fetch({
    anchor: after,
    include_anchor: false,
    num_before: 0,
    num_after: MAX_SEARCHED,
    apply_markdown: false,
    narrow: [...narrowTo(conversation), { operator: 'sender', operand: email }],
  });
  // The server trims the content of a message.
  return messages.find((message) => message.content.trim() === content.trim())?.id;
}

const historyMessage = (message: FetchedMessage): HistoryMessage => ({
  id: message.id,
  sender: {
    id: message.sender_id,
    email: message.sender_email,
    fullName: message.sender_full_name,
  },
  content: message.content,
  timestamp: message.timestamp,
});
