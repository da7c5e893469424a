import type { MessageId, RealmId, ReminderId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface RemindersTables {
  reminder: {
    realm_id: RealmId;
    id: Generated<ReminderId>;
    user_id: UserId;
    message_id: MessageId;
    note: string;
    content: string;
    rendered_content: string;
    deliver_at: number;
    failed: Generated<boolean>;
  };
}
