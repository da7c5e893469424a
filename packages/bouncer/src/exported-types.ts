// The types that the signatures of both entries name.
export type { Proxies } from '@bellhop/http/proxy';
export type { Database, Migrations } from '@bellhop/postgres';
export type {
  AuditAction,
  PushOutcome,
  PushStage,
  TokenKind,
  WebPushKeys,
} from '@bellhop/protocol/bouncer';
export type { WayOut } from './providers/connect-provider.ts';
export type { SenderConfigs } from './providers/sender-config.ts';
export type { QuotaName, Quotas, RateName, StockName } from './quotas/quota-table.ts';
export type { Registration } from './servers/warn-of-registration.ts';
export type { Environment } from './settings/variable-reader.ts';
export type {
  AuditEntryTable,
  BanTable,
  BouncerTables,
  DeviceTable,
  HostChallengeTable,
  Int8,
  InvitationTable,
  ProviderAlarm,
  ProviderStateTable,
  PushEnvironment,
  PushOutcomeTable,
  PushRequestTable,
  PushTraceTable,
  QuotaUseTable,
  RegistrationKeyTable,
  RemoteRealmTable,
  RemoteServerTable,
  StoredStage,
  UsedRegistrationTable,
} from './storage/tables.ts';
