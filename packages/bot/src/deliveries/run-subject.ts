import type { Delivery } from '../delivery.ts';
import type { Conversation } from './conversations.ts';
import type { PendingReply } from './pending-replies.ts';

/** A delivery, and where it belongs. */
export interface RunSubject {
  readonly delivery: Delivery;
  /** Identifies the delivery. */
  readonly key: number;
  readonly conversation: Conversation;
}

export interface RunOptions {
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest?: boolean;
  /** An earlier process may have sent the replies. */
  readonly maybeSent?: boolean;
  /** The pending reply that another process has left. */
  readonly left?: PendingReply;
}
