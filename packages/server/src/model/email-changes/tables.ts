import type { RealmId, UserId } from '@bellhop/protocol';

export interface EmailChangesTables {
  email_change: {
    realm_id: RealmId;
    user_id: UserId;
    former_email: string;
    new_email: string;
    expires_at: number;
    token_mac: Buffer;
  };
}
