import {
  clockOffset,
  type Database,
  ForeignDatabase,
  isClockOff,
  missingMigrations,
  type Migrations,
  openDatabase,
  UnsuitableDatabase,
} from '@bellhop/postgres';
import { sql } from 'kysely';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { keyPairsOf } from '../keys/key-pairs.ts';
import { openKeyRing } from '../keys/key-ring.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { failed, type Finding, ok, warning } from './finding.ts';

const silent = { error: () => {}, warn: () => {} };
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export interface DatabaseChecks {
  readonly config: BouncerConfig;
  readonly url: string;
  readonly migrations: readonly Migrations[];
}

/** Checks that the database can be reached and is as this version needs it. Changes nothing. */
export async function checkDatabase(checks: DatabaseChecks): Promise<Finding[]> {
  try {
    await using database = await openDatabase<BouncerTables>(checks.url, {
      applicationName: 'bellhop-bouncer-doctor',
      maxConnections: 1,
    });
    const reached = [...(await checkServer(database)), ...(await checkRights(database))];
    if (reached.some(({ check, state }) => check === RIGHTS && state === 'failed'))
      return [...reached, checkGivenKeys(checks)];
    const tables = await checkTables(database, checks);
    if (tables.state !== 'ok') return [...reached, tables, checkGivenKeys(checks)];
    return [
      ...reached,
      tables,
      await checkKeys(database, checks.config),
      await checkQueue(database),
    ];
  } catch (error) {
    if (error instanceof Error && error.cause instanceof UnsuitableDatabase)
      return [failed('database', messageOf(error), 'The bouncer does not start on it.')];
    const fix =
      'Check host, port, name, password and sslmode in BELLHOP_BOUNCER_DATABASE_URL, and that PostgreSQL runs and lets this machine in (pg_hba.conf).';
    return [failed('database', messageOf(error), fix)];
  }
}

async function checkTables(
  database: Database<BouncerTables>,
  { migrations }: DatabaseChecks,
): Promise<Finding> {
  try {
    const missing = await missingMigrations(database, ...migrations);
    return missing.length > 0
      ? migrationsMissing(missing)
      : ok('database: tables', 'are those of this version');
  } catch (error) {
    if (error instanceof ForeignDatabase)
      return failed(
        'database: tables',
        messageOf(error),
        'Name the database of the bouncer in BELLHOP_BOUNCER_DATABASE_URL.',
      );
    return failed('database: tables', messageOf(error), 'Start the version that made the tables.');
  }
}

const RIGHTS = 'database: rights';

/** Whether the role may do what a start does: it creates tables, and uses and changes those that exist. */
async function checkRights({ kysely }: Database<BouncerTables>): Promise<Finding[]> {
  const { rows } = await sql<{
    role: string;
    name: string;
    schema: string | null;
    creates: boolean | null;
    is_read_only: boolean;
    foreign_tables: string | null;
  }>`
    select current_user as role, current_database() as name, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as creates,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only,
      (select string_agg(relname, ', ' order by relname) from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and not pg_has_role(relowner, 'usage')) as foreign_tables`.execute(kysely);
  const [row] = rows;
  if (!row) throw new Error('the database returned no row');
  const { role, name, creates, is_read_only: isReadOnly, foreign_tables: foreignTables } = row;
  const schema = row.schema ?? 'public';
  if (isReadOnly)
    return [
      failed(
        RIGHTS,
        'the database takes no writes',
        'Name the primary in BELLHOP_BOUNCER_DATABASE_URL.',
      ),
    ];
  if (creates !== true)
    return [
      failed(
        RIGHTS,
        `the role ${role} may not create tables in the schema ${schema}`,
        `As a superuser, in the database ${name}: grant usage, create on schema ${quoted(schema)} to ${quoted(role)};`,
      ),
    ];
  if (foreignTables !== null)
    return [
      failed(
        RIGHTS,
        `the role ${role} does not own these tables, and cannot change them: ${foreignTables}`,
        `As a superuser, in the database ${name}: grant their owner to ${quoted(role)}, or "alter table ... owner to ${quoted(role)}".`,
      ),
    ];
  return [ok(RIGHTS, `${role} may create and change the tables`)];
}

const quoted = (name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

const migrationsMissing = (missing: readonly string[]) =>
  warning(
    'database: tables',
    `${missing.length} ${missing.length === 1 ? 'migration has' : 'migrations have'} not run: ${missing.join(', ')}`,
    'The next start of the bouncer runs them. Make a backup before.',
  );

async function checkServer({ kysely }: Database<BouncerTables>): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; role: string }>`
    select current_setting('server_version') as version, current_user as role`.execute(kysely);
  const [row] = rows;
  if (!row) throw new Error('the database returned no row');
  const skew = Math.round(await clockOffset(kysely, Date.now));
  return [
    ok('database', `PostgreSQL ${row.version}, as ${row.role}`),
    !isClockOff(skew)
      ? ok('clock: database', 'agrees with the clock of this machine')
      : failed(
          'clock: database',
          `the clock of this machine is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the database's`,
          'Let both keep time by NTP (timedatectl set-ntp true).',
        ),
  ];
}

const NO_KEY = 'Run "bellhop bouncer keys first", or set BELLHOP_BOUNCER_KEYS.';

async function checkKeys(
  { kysely }: Database<BouncerTables>,
  { keys, encryptionKeys }: BouncerConfig,
): Promise<Finding> {
  try {
    const ring = await openKeyRing({ kysely, keys, encryptionKeys, log: silent });
    return describeKeys((await ring.current()).size);
  } catch (error) {
    const fix = 'docs/bouncer/operations.md says how to go on without it.';
    return failed('keys', messageOf(error), fix);
  }
}

const checkGivenKeys = ({ config }: DatabaseChecks) => describeKeys(keyPairsOf(config.keys).size);

const describeKeys = (count: number): Finding =>
  count === 0
    ? failed('keys', 'there is no key pair: no phone can register', NO_KEY)
    : ok('keys', `${count} key ${count === 1 ? 'pair' : 'pairs'} for registrations`);

async function checkQueue({ kysely }: Database<BouncerTables>): Promise<Finding> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from job
    where name like 'bouncer.push%' and state = 'queued'
      and created_at < now() - interval '10 minutes'`.execute(kysely);
  const count = rows[0]?.count ?? 0;
  return count === 0
    ? ok('queue', 'no notification has waited for more than ten minutes')
    : warning(
        'queue',
        `${count} notifications have waited for more than ten minutes`,
        '"bellhop bouncer queue list --state waiting" lists them with their reasons.',
      );
}
