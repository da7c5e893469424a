import type { MessageId, UserId } from '@bellhop/protocol';

import type { Trigger } from '../delivery.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { RestAction } from '../rest/observe.ts';

/** An action of a bot, or a delivery that it took. */
export type AuditAction =
  /** A delivery reached a handler; `userId` is undefined for a deletion. */
  | {
      readonly action: 'received';
      readonly trigger: Trigger;
      readonly messageId: MessageId;
      readonly userId: UserId | undefined;
      readonly conversation: Conversation;
    }
  /** The bot replied to a message in the answer to the webhook. */
  | { readonly action: 'answered'; readonly messageId: MessageId; readonly content: string }
  | RestAction;

/** An entry of the audit log of a bot. */
export type AuditRecord = AuditAction & {
  readonly botEmail: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Records an action of a bot. An error of the audit log does not affect the bot. */
export type RecordAction = (action: AuditAction) => void;
