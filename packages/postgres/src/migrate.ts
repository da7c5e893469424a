import { CompiledQuery, sql } from 'kysely';

import { errorCode } from './error-code.ts';
import {
  FUNCTIONS,
  type MigrationFile,
  type Migrations,
  type PackageFiles,
  readPackageFiles,
} from './migration-files.ts';
import type { Database } from './open-database.ts';
import type { Transaction } from './transaction.ts';
import { workLimits } from './work-limits.ts';

export interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
}

/** Key of the advisory lock that a migrating program holds; any fixed number. */
const lockKey = 4_600_018;

const TURN_WITHIN_MS = 900_000;

/**
 * Runs the migrations that the database lacks and returns their names. Each file runs in its own
 * transaction, one program at a time. The functions of a package are replaced in the transaction of its
 * last migration, and in one of their own if only they have changed. Throws if the database is newer
 * than the files, or if a numbered file that ran has changed.
 */
export async function migrate<Tables>(
  database: Database<Tables>,
  ...sets: Migrations[]
): Promise<string[]> {
  const ran: string[] = [];
  for (const set of sets) {
    const found = await readPackageFiles(set);
    for (;;) {
      const names = await database
        .transaction((tx) => runNext(tx, set, found), { work: 'migration' })
        .catch((error: unknown) => rethrowWithRight(database, error));
      if (names.length === 0) break;
      ran.push(...names.map((name) => `${set.package}/${name}`));
    }
  }
  return ran;
}

/** Rethrows an error. That of a missing right says which role lacks it, and how a superuser gives it. */
async function rethrowWithRight<Tables>(
  { kysely }: Database<Tables>,
  error: unknown,
): Promise<never> {
  if (errorCode(error) !== '42501' || !(error instanceof Error)) throw error;
  const { rows } = await sql<{ role: string; name: string; schema: string; creates: boolean }>`
    with present as (select coalesce(current_schema(), 'public') as schema)
    select quote_ident(current_user) as role, quote_ident(current_database()) as name,
      quote_ident(schema) as schema, has_schema_privilege(schema, 'create') as creates
    from present`.execute(kysely);
  const [row] = rows;
  if (!row) throw error;
  const { role, name, schema, creates } = row;
  const what = creates ? 'change' : 'create';
  const repair = creates
    ? `grant their owner to ${role}`
    : `grant usage, create on schema ${schema} to ${role}`;
  throw new Error(
    `The role ${role} may not ${what} the tables: ${error.message}. ` +
      `As a superuser, in the database ${name}, run: ${repair}`,
    { cause: error },
  );
}

/** Runs the next file of a package, the functions behind the last. Returns the names of what ran. */
async function runNext<Tables>(
  tx: Transaction<Tables>,
  set: Migrations,
  { files, functions }: PackageFiles,
): Promise<string[]> {
  await waitForTurn(tx);
  await tx.executeQuery(CompiledQuery.raw(createTable));
  const { rows } = await tx.executeQuery<AppliedMigration>(
    CompiledQuery.raw(readRecorded, [set.package]),
  );
  const recorded = checkRecorded(set.package, files, rows);
  const next = files[recorded];
  const isLast = recorded + 1 >= files.length;
  const isNew = rows.every(({ checksum }) => checksum !== functions?.checksum);
  const due = [
    ...(next ? [next] : []),
    ...(functions && isLast && (next || isNew) ? [functions] : []),
  ];
  for (const { sql: text, number, name, checksum } of due) {
    await tx.executeQuery(CompiledQuery.raw(text));
    await tx.executeQuery(CompiledQuery.raw(record, [set.package, number, name, checksum]));
  }
  return due.map(({ name }) => name);
}

/** Waits for other programs that migrate, longer than a migration may wait for a table. */
async function waitForTurn<Tables>(tx: Transaction<Tables>): Promise<void> {
  const { lockMs } = workLimits.migration;
  for (const text of [
    `set local lock_timeout = ${TURN_WITHIN_MS}`,
    `select pg_advisory_xact_lock(${lockKey})`,
    `set local lock_timeout = ${lockMs}`,
  ])
    await tx.executeQuery(CompiledQuery.raw(text));
}

/**
 * Returns how many numbered files ran. Throws if the database is newer than the files, or if one that
 * ran has changed.
 */
export function checkRecorded(
  owner: string,
  files: MigrationFile[],
  rows: AppliedMigration[],
): number {
  const recorded = rows.filter(({ number }) => number !== FUNCTIONS);
  const newest = recorded.at(-1);
  if (newest && newest.number > files.length) {
    throw new Error(
      `The database is newer than this program: it has ${newest.name} of ${owner}, ` +
        `this program knows ${files.length} migrations. Start a newer version`,
    );
  }
  for (const [index, { name, checksum }] of recorded.entries()) {
    const file = files[index];
    if (file?.name === name && [file.checksum, ...file.former].includes(checksum)) continue;
    throw new Error(
      `Migration ${name} of ${owner} has changed since it ran in this database. ` +
        'Restore the old file and add a new one',
    );
  }
  return recorded.length;
}

const createTable = `
  create table if not exists schema_migration (
    package text not null,
    number integer not null,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    primary key (package, number)
  )`;
const readRecorded =
  'select number, name, checksum from schema_migration where package = $1 order by number';
const record = `
  insert into schema_migration (package, number, name, checksum) values ($1, $2, $3, $4)
  on conflict (package, number) do update
    set name = excluded.name, checksum = excluded.checksum, applied_at = now()`;
