export { openDatabase, type Database, type DatabaseOptions } from './open-database.ts';
export { startPostgres, type PostgresOptions, type PostgresServer } from './start-postgres.ts';
export { migrate } from './migrate.ts';
export { type Migrations } from './migration-files.ts';
export { type Last } from './last.ts';
export { Transaction } from './transaction.ts';
export { type TransactionOptions } from './run-transaction.ts';
export { jsonb } from './jsonb.ts';
export { errorCode, isRolledBack } from './error-code.ts';
