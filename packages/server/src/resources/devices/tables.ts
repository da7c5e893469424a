import type { PushDeviceError, RealmId, TokenKind, UserId } from '@bellhop/protocol';
import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';

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
    /** The bouncer's number of the device: with it the device is active. */
    bouncer_device_id: number | null;
    /** Why it failed. With neither of the two it is pending. */
    error_code: z.output<typeof PushDeviceError> | null;
  };
}
