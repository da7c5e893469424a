import type { MessageId, RealmId, UserId } from '@bellhop/protocol';

export interface MailsTables {
  /** `due_at` in UNIX seconds. */
  missed_message: { realm_id: RealmId; user_id: UserId; message_id: MessageId; due_at: number };
}
