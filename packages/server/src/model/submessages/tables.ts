import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface SubmessagesTables {
  submessage: {
    id: Generated<number>;
    realm_id: RealmId;
    message_id: MessageId;
    sender_id: UserId;
    msg_type: string;
    content: string;
  };
}
