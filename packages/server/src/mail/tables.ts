import type { MessageId, RealmId, UserId } from '@bellhop/protocol';

export interface MailTables {
  mail_count: { realm_id: RealmId; day: number; subject: string; count: number };
  mail_check: { realm_id: RealmId; message_id: MessageId };
  /** `due_at` in UNIX seconds. */
  missed_message: { realm_id: RealmId; user_id: UserId; message_id: MessageId; due_at: number };
}
