import { ApiError, type ChannelId, type UserId } from '@bellhop/protocol';

import type { Agent } from '../agent.ts';
import type { ChatMessage } from '../chat-contract.ts';
import { ToolError } from '../failure.ts';
import type { Terms } from '../message-page.ts';

/** A message by ID, with raw Markdown. Throws a ToolError if the agent may not read it. */
export async function readableMessage(
  { client, channels }: Agent,
  message_id: number,
  signal: AbortSignal,
): Promise<ChatMessage> {
  const { message } = await client.messages
    .fetchOne({ message_id, apply_markdown: false }, { signal })
    .catch((error: unknown) => {
      // A missing message and one that is not for the bot are answered alike.
      if (error instanceof ApiError && error.code === 'BAD_REQUEST') throw unreadable(message_id);
      throw error;
    });
  // Direct messages belong to no channel.
  if (!channels.isAllowed(message.stream_id)) throw unreadable(message_id);
  return message;
}

const unreadable = (message_id: number) =>
  new ToolError(
    `There is no message ${message_id} that you may read. IDs are in the results of read_messages and search_messages.`,
  );

export type Conversation =
  | { readonly channel: { readonly id: ChannelId; readonly name: string }; readonly topic: string }
  /** Without the bot, unless it writes to itself. */
  | { readonly people: readonly UserId[] };

/** The conversation that a message belongs to. */
export function conversationOf(
  { stream_id, subject, display_recipient }: ChatMessage,
  { me }: Agent,
): Conversation {
  if (typeof display_recipient === 'string' && stream_id !== undefined)
    return { channel: { id: stream_id, name: display_recipient }, topic: subject };
  const ids = typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id);
  const others = ids.filter((id) => id !== me.id);
  return { people: others.length > 0 ? others : [me.id] };
}

/** The narrow of the messages of a conversation. */
export const narrowTo = (conversation: Conversation): Terms =>
  'channel' in conversation
    ? [
        { operator: 'channel', operand: conversation.channel.id },
        { operator: 'topic', operand: conversation.topic },
      ]
    : [{ operator: 'dm', operand: [...conversation.people] }];
