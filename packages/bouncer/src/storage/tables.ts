import type {
  AuditAction,
  PushOutcome,
  PushStage,
  TokenKind,
  WebPushKeys,
} from '@bellhop/protocol/bouncer';
import type { ColumnType, Generated } from 'kysely';

/** Apple's two services; a provider without such a division has `production` only. */
export type PushEnvironment = 'production' | 'sandbox';

/** An int8 that always fits a double. */
export type Int8 = ColumnType<number, number, number>;

export interface RemoteServerTable {
  server_uuid: string;
  key_hash: Buffer;
  former_key_hash: Buffer | null;
  former_key_until: Date | null;
  hostname: string;
  contact_email: string;
  deactivated: Generated<boolean>;
  version: string | null;
  last_realm_count_id: Generated<number>;
  last_installation_count_id: Generated<number>;
  last_realmauditlog_id: Generated<number>;
  last_feedback_number: Generated<number>;
  /** By the names of the quotas; null: unlimited. */
  quotas: ColumnType<Readonly<Record<string, number | null>>, string | undefined, string>;
  created_at: Generated<Date>;
}

export interface HostChallengeTable {
  secret_hash: Buffer;
  /** Lower case. */
  hostname: string;
  expires_at: Date;
}

export interface RemoteRealmTable {
  realm_uuid: string;
  server_uuid: string;
  owner_secret_hash: Buffer;
  realm_id: Int8;
  host: string;
  url: string;
  name: string;
  deactivated: boolean;
  can_push: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface DeviceTable {
  realm_uuid: string;
  device_id: Generated<number>;
  /** Null: the device is named by its `token_id`, which is null otherwise. */
  push_account_id: ColumnType<number | bigint | null, bigint | null, never>;
  token_id: ColumnType<Buffer | null, Buffer | null, never>;
  token_hash: Buffer;
  token: string;
  token_kind: TokenKind;
  ios_app_id: string | null;
  bouncer_public_key: string;
  webpush_keys: ColumnType<WebPushKeys | null, string | null, string | null>;
  android_app_id: string | null;
  environment: PushEnvironment | null;
  registered_at: Int8;
  expired_at: Date | null;
  quarantined_until: Date | null;
  quarantined_since: Date | null;
  is_doubted: Generated<boolean>;
  is_mismatched: Generated<boolean>;
}

/** A line of the feedback log. */
export interface PushOutcomeTable {
  realm_uuid: string;
  push_id: string;
  server_uuid: string;
  /** Null until the server has read its log. */
  number: ColumnType<number | null, never, number>;
  device_id: number | null;
  token_id: Buffer | null;
  provider: TokenKind | null;
  outcome: PushOutcome['outcome'];
  reason: string | null;
  provider_id: string | null;
  at: Date;
}

export interface PushRequestTable {
  realm_uuid: string;
  idempotency_key: string;
  item_hashes: string[];
  started_at: Date;
  outcomes: ColumnType<PushOutcome[] | null, string | null, string>;
}

export interface UsedRegistrationTable {
  registration_hash: Buffer;
  /** Of the realm and the name of the device in it. */
  account_hash: Buffer;
  used_at: Date;
}

/** Why a provider takes no notifications. The operator gets one alarm for each. */
export type ProviderAlarm = 'credentials' | 'clock';

export interface ProviderStateTable {
  token_kind: TokenKind;
  credentials: Buffer;
  app: string;
  paused_until: Date | null;
  pauses: Generated<number>;
  reason: string | null;
  alarm: ProviderAlarm | null;
  is_proven: Generated<boolean>;
  deletions: Generated<number>;
  is_doubted: Generated<boolean>;
}

export interface InvitationTable {
  invitation_number: Generated<number>;
  token_hash: Buffer | null;
  server_uuid: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  used_by: string | null;
}

export interface RegistrationKeyTable {
  number: Generated<number>;
  public_key: string;
  sealed_secret: Buffer | null;
  created_at: Date;
  retired_at: Date | null;
}

export interface QuotaUseTable {
  subject: string;
  quota: string;
  quota_limit: Int8;
  window_start: Date;
  used: Int8;
  granted: Int8;
  exceeded_window: Date | null;
}

export interface BanTable {
  subject: string;
  host_like: string | null;
  reason: string;
  created_at: Date;
}

export interface AuditEntryTable {
  number: Generated<number>;
  at: Date;
  actor: string;
  action: AuditAction;
  server_uuid: string | null;
  realm_uuid: string | null;
  device_id: number | null;
  detail: ColumnType<Readonly<Record<string, unknown>>, string, never>;
}

/** The fields of a trace that its row stores as JSON. */
export interface StoredStage {
  /** Of an item that names its device by it. */
  readonly token_id?: string;
  readonly provider: TokenKind | null;
  readonly token_hash: string | null;
  readonly priority: string;
  readonly expires_ms: number | null;
  readonly stage: PushStage;
}

export interface PushTraceTable {
  realm_uuid: string;
  server_uuid: string;
  number: Generated<number>;
  cipher_id: string;
  push_id: string;
  device_id: number | null;
  at: Date;
  entry: StoredStage;
}

/** The tables of migrations/. */
export interface BouncerTables {
  invitation: InvitationTable;
  ban: BanTable;
  quota_use: QuotaUseTable;
  registration_key: RegistrationKeyTable;
  audit_entry: AuditEntryTable;
  remote_server: RemoteServerTable;
  host_challenge: HostChallengeTable;
  remote_realm: RemoteRealmTable;
  device: DeviceTable;
  used_registration: UsedRegistrationTable;
  provider_state: ProviderStateTable;
  push_outcome: PushOutcomeTable;
  push_request: PushRequestTable;
  push_trace: PushTraceTable;
}
