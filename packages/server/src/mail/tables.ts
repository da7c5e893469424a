import type { RealmId } from '@bellhop/protocol';

export interface MailTables {
  mail_count: { realm_id: RealmId; day: number; subject: string; count: number };
}
