import type { MessageId } from '@bellhop/protocol';

import type { Conversation } from './conversation.ts';
import type { CheckedReply } from './reply.ts';

/** Sends replies that do not go in the answer to a delivery. */
export interface ReplySender {
  /** Rejects when the message could not be sent; it may have arrived all the same. */
  readonly send: (conversation: Conversation, reply: CheckedReply) => Promise<void>;
  /** Whether the bot has sent this content to a conversation, after a message. */
  readonly hasSent: (
    conversation: Conversation,
    after: MessageId,
    content: string,
  ) => Promise<boolean>;
}
