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
