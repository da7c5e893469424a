import type { RealmId, UserId } from '@bellhop/protocol';
import type { GeneratedAlways } from 'kysely';

export interface ConsoleSessionsTables {
  console_session: {
    realm_id: RealmId;
    id: GeneratedAlways<number>;
    key_hash: Buffer;
    cookie_hash: Buffer;
    expires_at: number;
  };
  console_account: {
    realm_id: RealmId;
    session_id: number;
    user_id: UserId;
    api_key_mac: Buffer;
    signed_in_at: number;
  };
  console_sign_in_key: {
    realm_id: RealmId;
    key_hash: Buffer;
    user_id: UserId;
    expires_at: number;
  };
}
