import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { type Kysely, sql } from 'kysely';

import { clockOffset, isClockOff } from './clock-offset.ts';
import { failed, type Finding, ok, warning } from './finding.ts';
import { checkDataDirectory } from './make-cluster.ts';
import { ForeignDatabase } from './migrate.ts';
import type { Migrations } from './migration-files.ts';
import { missingMigrations } from './missing-migrations.ts';
import { type Database, openDatabase } from './open-database.ts';
import { UnsuitableDatabase } from './suitable-database.ts';

/** Connections that a program keeps open at most: its pool, one for LISTEN, one for flushes. */
const CONNECTIONS = 18;
/** Bytes of a disk below which the embedded PostgreSQL is at risk. */
const LITTLE_SPACE = 2 ** 30;

export interface Diagnosed {
  readonly program: 'chat server' | 'bouncer';
  /** The variable that holds the URL; advice names it. */
  readonly urlVariable: string;
}
export interface DatabaseDiagnosis extends Diagnosed {
  readonly url: string;
  readonly migrations: readonly Migrations[];
}

/**
 * Checks that a database can be reached and is as the program needs it. Changes nothing. `further` checks are
 * made if its tables are those of this version; `isCurrent` says so.
 */
export async function diagnoseDatabase<Tables>(
  { url, urlVariable, program, migrations }: DatabaseDiagnosis,
  further: (database: Database<Tables>) => Promise<readonly Finding[]>,
): Promise<{ readonly findings: readonly Finding[]; readonly isCurrent: boolean }> {
  const named = { program, urlVariable };
  try {
    await using database = await openDatabase<Tables>(url, {
      applicationName: `bellhop-doctor`,
      maxConnections: 1,
    });
    const { kysely } = database;
    const rights = await checkRights(kysely, named);
    const findings = [
      ...(await checkServer(kysely)),
      ...(await checkPromises(kysely)),
      await checkConnections(kysely),
      rights,
    ];
    if (rights.state === 'failed') return { findings, isCurrent: false };
    const tables = await checkTables(database, migrations, named);
    const isCurrent = tables === CURRENT;
    const more = isCurrent ? await further(database) : [];
    return { findings: [...findings, tables, ...more], isCurrent };
  } catch (error) {
    const fix =
      error instanceof Error && error.cause instanceof UnsuitableDatabase
        ? `The ${program} does not start on it.`
        : `Check host, port, name, password and sslmode in ${urlVariable}, and that PostgreSQL runs and lets this machine in (pg_hba.conf).`;
    return { findings: [failed('database', messageOf(error), fix)], isCurrent: false };
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function oneRow<Row>(rows: Promise<{ rows: Row[] }>): Promise<Row> {
  const [row] = (await rows).rows;
  if (!row) throw new Error('the database returned no row');
  return row;
}

async function checkServer<Tables>(kysely: Kysely<Tables>): Promise<readonly Finding[]> {
  const { version, role, size } = await oneRow(
    sql<{ version: string; role: string; size: string }>`
      select current_setting('server_version') as version, current_user as role,
        pg_size_pretty(pg_database_size(current_database())) as size`.execute(kysely),
  );
  const skew = Math.round(await clockOffset(kysely, Date.now));
  return [
    ok('database', `PostgreSQL ${version}, as ${role}, ${size}`),
    !isClockOff(skew)
      ? ok('clock: database', 'agrees with the clock of this machine')
      : failed(
          'clock: database',
          `the clock of this machine is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the database's`,
          'Let both keep time by NTP (timedatectl set-ntp true).',
        ),
  ];
}

/** What an acknowledged change survives: an end of the server, and that of its machine. */
async function checkPromises<Tables>(kysely: Kysely<Tables>): Promise<readonly Finding[]> {
  const row = await oneRow(
    sql<Replication & { fsync: string; full_page_writes: string }>`
      select current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('synchronous_standby_names') as wanted,
        pg_has_role('pg_read_all_stats', 'usage') as sees_all,
        count(pid)::int as standbys,
        (count(*) filter (where sync_state in ('sync', 'quorum')))::int as synchronous
      from (select) as one left join pg_stat_replication on true`.execute(kysely),
  );
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
  const off = names.filter((name) => row[name] === 'off');
  const disk =
    off.length === 0
      ? ok('database: disk', 'what is acknowledged is on its disk')
      : warning(
          'database: disk',
          `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a crash of its machine loses what was acknowledged, or more`,
          `Set ${off.map((name) => `${name} = on`).join(', ')}, in postgresql.conf or where it was changed (role, database).`,
        );
  return [disk, standbyFinding(row)];
}

interface Replication {
  readonly synchronous_commit: string;
  /** synchronous_standby_names */
  readonly wanted: string;
  /** Whether the role sees the state of each standby. */
  readonly sees_all: boolean;
  readonly standbys: number;
  readonly synchronous: number;
}

/** That a wanted standby is missing was noticed before: no commit comes to its end then. */
function standbyFinding(replication: Replication): Finding {
  const { synchronous_commit: commits, wanted, sees_all, standbys, synchronous } = replication;
  const check = 'database: standbys';
  const some = standbys === 1 ? 'one' : `${standbys}`;
  if (wanted !== '' && ['off', 'local'].includes(commits))
    return warning(
      check,
      `${some}, and no commit waits for it: synchronous_commit is ${commits}`,
      'Set synchronous_commit = on, in postgresql.conf or where it was changed (role, database).',
    );
  if (standbys === 0) return ok(check, 'none: the backup is what survives the end of its machine');
  if (wanted === '')
    return ok(check, `${some}, asynchronous: a failover may lose the last acknowledged changes`);
  if (!sees_all)
    return ok(
      check,
      `${some}; for the role to see whether one is synchronous: grant pg_monitor to it`,
    );
  return ok(check, `${some}, ${synchronous} synchronous: a failover to it loses nothing`);
}

async function checkConnections<Tables>(kysely: Kysely<Tables>): Promise<Finding> {
  const { most, used } = await oneRow(
    sql<{ most: number; used: number }>`
      select current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`.execute(
      kysely,
    ),
  );
  const check = 'database: connections';
  return most < CONNECTIONS
    ? warning(
        check,
        `it takes ${most}, and a program keeps up to ${CONNECTIONS}`,
        `Raise max_connections in postgresql.conf, by ${CONNECTIONS} for each node.`,
      )
    : ok(check, `${used} of ${most} are open; a program keeps up to ${CONNECTIONS}`);
}

const RIGHTS = 'database: rights';

/** Whether the role may do what a start does: it creates tables, and uses and changes those that exist. */
async function checkRights<Tables>(
  kysely: Kysely<Tables>,
  { urlVariable }: Diagnosed,
): Promise<Finding> {
  const row = await oneRow(
    sql<{
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
          and not pg_has_role(relowner, 'usage')) as foreign_tables`.execute(kysely),
  );
  const { role, name, creates, is_read_only: isReadOnly, foreign_tables: foreignTables } = row;
  const schema = row.schema ?? 'public';
  if (isReadOnly)
    return failed(RIGHTS, 'the database takes no writes', `Name the primary in ${urlVariable}.`);
  if (creates !== true)
    return failed(
      RIGHTS,
      `the role ${role} may not create tables in the schema ${schema}`,
      `As a superuser, in the database ${name}: grant usage, create on schema ${quoted(schema)} to ${quoted(role)};`,
    );
  if (foreignTables !== null)
    return failed(
      RIGHTS,
      `the role ${role} does not own these tables, and cannot change them: ${foreignTables}`,
      `As a superuser, in the database ${name}: grant their owner to ${quoted(role)}, or "alter table ... owner to ${quoted(role)}".`,
    );
  return ok(RIGHTS, `${role} may create and change the tables`);
}

const quoted = (name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

const CURRENT = ok('database: tables', 'are those of this version');

async function checkTables<Tables>(
  database: Database<Tables>,
  migrations: readonly Migrations[],
  { program, urlVariable }: Diagnosed,
): Promise<Finding> {
  const check = 'database: tables';
  try {
    const missing = await missingMigrations(database, ...migrations);
    if (missing.length === 0) return CURRENT;
    if (!(await hasHistory(database.kysely)))
      return ok(check, `none yet: the next start of the ${program} makes them`);
    return warning(
      check,
      `${missing.length} ${missing.length === 1 ? 'migration has' : 'migrations have'} not run: ${missing.join(', ')}`,
      `The next start of the ${program} runs them. Make a backup before.`,
    );
  } catch (error) {
    const fix =
      error instanceof ForeignDatabase
        ? `Name the database of the ${program} in ${urlVariable}.`
        : 'Start the version that made the tables.';
    return failed(check, messageOf(error), fix);
  }
}

/** Whether a migration ever ran. */
const hasHistory = async <Tables>(kysely: Kysely<Tables>): Promise<boolean> =>
  (
    await oneRow(
      sql<{ is_there: boolean }>`
        select to_regclass('schema_migration') is not null as is_there`.execute(kysely),
    )
  ).is_there;

/** Checks whether the embedded PostgreSQL would start in a directory, and has room. Changes nothing. */
export async function diagnoseEmbedded(
  dataDir: string,
  { program, urlVariable }: Diagnosed,
): Promise<readonly Finding[]> {
  const check = 'database: directory';
  const embedded = warning(
    'database',
    'the embedded PostgreSQL is used; its tables were not checked',
    `For production, set ${urlVariable}: it can be backed up while it runs, and serve several nodes.`,
  );
  try {
    const pid = await checkDataDirectory(dataDir);
    const space = await checkSpace(dataDir);
    if (pid === undefined) return [embedded, space];
    const why = `process ${pid} uses ${dataDir}`;
    const fix = `Unless it is this ${program}, end it, or change BELLHOP_DATA_DIR.`;
    return [embedded, warning(check, why, fix), space];
  } catch (error) {
    const fix = `Set BELLHOP_DATA_DIR to a directory of the ${program}, or a new one.`;
    return [embedded, failed(check, messageOf(error), fix)];
  }
}

/** Whether the disk of a directory, which may not exist yet, has room. */
async function checkSpace(directory: string): Promise<Finding> {
  let place = resolve(directory);
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  const { bavail, bsize } = await statfs(place);
  const detail = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB are free for ${directory}`;
  return bavail * bsize < LITTLE_SPACE
    ? warning(
        'database: space',
        detail,
        'Make room: without it, the server takes no messages and files.',
      )
    : ok('database: space', detail);
}
