export { asApiError } from './as-api-error.ts';
export { checkedDatabaseUrl } from './database-url.ts';
export { openDatabase, type Database, type DatabaseOptions } from './open-database.ts';
export { startPostgres, type PostgresOptions, type PostgresServer } from './start-postgres.ts';
export { EPOCH_GAP, type EpochStatements } from './epoch.ts';
export { clockOffset, isClockOff } from './clock-offset.ts';
export { type DatabaseWatch, watchDatabase } from './watch-database.ts';
export { UnsuitableDatabase } from './suitable-database.ts';
export {
  type Copied,
  copyDatabase,
  type CopyOptions,
  type CopyProgress,
  CopyRefused,
  requireUnused,
} from './copy-database.ts';
export {
  type DatabaseDiagnosis,
  diagnoseDatabase,
  diagnoseEmbedded,
  type Diagnosed,
} from './diagnose-database.ts';
export { failed, type Finding, ok, warning } from './finding.ts';
export { ForeignDatabase, migrate } from './migrate.ts';
export { missingMigrations } from './missing-migrations.ts';
export { type Migrations } from './migration-files.ts';
export { type Last } from './transaction-session.ts';
export { Transaction } from './transaction.ts';
export { type TransactionOptions } from './run-transaction.ts';
export type { DatabaseTrouble } from './database-trouble.ts';
export { DatabaseUnavailable, passingTrouble } from './database-unavailable.ts';
export { jsonb, lowerAll, numberArray } from './parameter-values.ts';
export { Batcher, batchedReads, fulfilled } from './batcher.ts';
export { errorCode, isRolledBack } from './error-code.ts';
export { NotReady, readiness } from './readiness.ts';
export type { BatchRun, BatcherOptions } from './batcher.ts';
export type { Epoch } from './epoch.ts';
export type { Readiness } from './readiness.ts';
export type { SendOptions } from './send-query.ts';
export type { StatementNames } from './statement-names.ts';
export type { SessionOptions, TransactionSession } from './transaction-session.ts';
export type { Log, WatchOptions } from './watch-database.ts';
export type { KindOfWork, WorkLimits } from './work-limits.ts';
