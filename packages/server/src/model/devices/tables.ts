import type {
  MessageId,
  PushDeviceError,
  RealmId,
  TokenKind,
  TraceAttempt,
  UserId,
} from '@bellhop/protocol';
import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';

import type { PushFacts } from './traces/push-facts.ts';

/** A signed 64-bit integer: convert it with BigInt() when read, write a bigint. */
type Int64 = ColumnType<number | bigint, bigint, bigint>;

export interface DevicesTables {
  push_device: {
    id: Generated<number>;
    realm_id: RealmId;
    user_id: UserId;
    push_account_id: Int64;
    token_kind: TokenKind;
    push_public_key: string;
    registration_hash: Buffer | null;
    /** The bouncer's id of the device. The device is active if it is not null. */
    bouncer_device_id: number | null;
    /** Why the registration failed. The device is pending if both columns are null. */
    error_code: z.output<typeof PushDeviceError> | null;
    /** Tells the user what is wrong and what to do. Null if `error_code` is null. */
    error_message: string | null;
  };
  message_push: {
    realm_id: RealmId;
    user_id: UserId;
    message_id: MessageId;
    /** Whether the bouncer has taken it for all devices of the user. */
    job_id: string;
    is_sent: Generated<boolean>;
    is_withdrawn: Generated<boolean>;
  };
  push_request: {
    realm_id: RealmId;
    job_id: string;
    idempotency_key: string;
    /** JSON text: a `push_account_id` is wider than a double. */
    items: string;
  };
  push_trace: {
    realm_id: RealmId;
    cipher_id: string;
    trace_id: Generated<number>;
    user_id: UserId;
    push_account_id: Int64;
    message_id: MessageId | null;
    created_at: Generated<Date>;
    facts: PushFacts;
    /** The oldest first. */
    attempts: TraceAttempt[];
  };
}
