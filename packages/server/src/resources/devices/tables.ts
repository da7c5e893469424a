import type { RealmId, TokenKind, UserId } from '@bellhop/protocol';
import type { ColumnType, Generated } from 'kysely';

/** A signed 64-bit integer: read it with BigInt(), write it as bigint. */
type Int64 = ColumnType<number | bigint, bigint, bigint>;

export interface DevicesTables {
  push_device: {
    id: Generated<number>;
    realm_id: RealmId;
    user_id: UserId;
    push_account_id: Int64;
    token_kind: TokenKind;
    push_public_key: string;
    bouncer_device_id: number | null;
    error_code: 'INVALID_BOUNCER_PUBLIC_KEY' | 'REQUEST_EXPIRED' | 'BAD_REQUEST' | null;
  };
}
