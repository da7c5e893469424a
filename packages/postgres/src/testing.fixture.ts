export {
  type ForeignKey,
  keyFindings,
  type KeyFindings,
  readCatalogue,
  type TableColumn,
} from './catalogue.fixture.ts';
export {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from './create-test-database.fixture.ts';
export { setup } from './test-server.fixture.ts';
export { type DatabaseProxy, startDatabaseProxy } from './database-proxy.fixture.ts';
export { type RecordedStatements, recordStatements } from './record-statements.fixture.ts';
export { type DatabaseDump, dumpDatabase } from './database-dump.fixture.ts';
