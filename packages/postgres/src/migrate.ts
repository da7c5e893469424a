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

export interface RecordedMigration extends AppliedMigration {
  package: string;
  applied_at: Date;
}

/** The database is that of another program. The message names both. */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';
}

/** Key of the advisory lock that a migrating program holds; any fixed number. */
const lockKey = 4_600_018;

const TURN_WITHIN_MS = 900_000;
/** How often a file runs again after a deadlock: nodes of the version before may hold a table that it locks. */
const DEADLOCKS = 5;

/**
 * Runs the migrations that the database lacks and returns their names. Each file runs in its own
 * transaction, one program at a time, and again after a deadlock. The functions of a package are replaced in the transaction of its
 * last migration, and in one of their own if only they have changed. Throws if the database is newer
 * than the files, or if a numbered file that ran has changed. Throws a ForeignDatabase, and changes
 * nothing, if the database is that of a program whose last set is another one.
 */
export async function migrate<Tables>(
  database: Database<Tables>,
  ...sets: Migrations[]
): Promise<string[]> {
  const ran: string[] = [];
  for (const set of sets) {
    const found = await readPackageFiles(set);
    for (;;) {
      let tries = 0;
      const names = await database
        .transaction((tx) => runNext(tx, { set, sets, found, tries: (tries += 1) }), {
          work: 'migration',
          retries: DEADLOCKS,
        })
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

interface Due {
  readonly set: Migrations;
  /** All sets of the program. */
  readonly sets: readonly Migrations[];
  readonly found: PackageFiles;
  readonly tries: number;
}

/** Runs the next file of a package, the functions behind the last. Returns the names of what ran. */
async function runNext<Tables>(
  tx: Transaction<Tables>,
  { set, sets, found: { files, functions }, tries }: Due,
): Promise<string[]> {
  await waitForTurn(tx);
  await tx.executeQuery(CompiledQuery.raw(createTable));
  const all = await tx.executeQuery<RecordedMigration>(CompiledQuery.raw(readRecorded));
  requireOwn(sets, all.rows);
  const rows = all.rows.filter((row) => row.package === set.package);
  const recorded = checkRecorded(set.package, files, rows);
  const next = files[recorded];
  const isLast = recorded + 1 >= files.length;
  const isNew = rows.every(({ checksum }) => checksum !== functions?.checksum);
  const due = [
    ...(next ? [next] : []),
    ...(functions && isLast && (next || isNew) ? [functions] : []),
  ];
  for (const { sql: text, number, name, checksum } of due) {
    // The same text again would be prepared, which takes one statement only.
    await tx.executeQuery(CompiledQuery.raw(`${text}\n-- ${tries}`));
    await tx.executeQuery(CompiledQuery.raw(record, [set.package, number, name, checksum]));
  }
  return due.map(({ name }) => name);
}

/** What the programs are called whose sets are the last ones. */
const programs: Readonly<Record<string, string>> = {
  server: 'a chat server',
  bouncer: 'a bouncer',
};

/**
 * Throws a ForeignDatabase if a package that is not among the sets ran before the last set, which is
 * that of the program itself: the sets before it are shared. The first of the two that ran decides,
 * since an older version ran some files of a bouncer in the database of a chat server.
 */
export function requireOwn(sets: readonly Migrations[], rows: readonly RecordedMigration[]): void {
  const own = sets.at(-1)?.package;
  const known = new Set(sets.map((set) => set.package));
  const first = rows
    .filter((row) => row.number === 1 && (row.package === own || !known.has(row.package)))
    .toSorted((a, b) => a.applied_at.getTime() - b.applied_at.getTime())[0];
  if (own === undefined || first === undefined || first.package === own) return;
  const nameOf = (name: string) => programs[name] ?? name;
  throw new ForeignDatabase(
    `This database belongs to ${nameOf(first.package)}, not to ${nameOf(own)}`,
  );
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
/** Reads the RecordedMigration of all packages. */
export const readRecorded =
  'select package, number, name, checksum, applied_at from schema_migration order by number';
const record = `
  insert into schema_migration (package, number, name, checksum) values ($1, $2, $3, $4)
  on conflict (package, number) do update
    set name = excluded.name, checksum = excluded.checksum, applied_at = now()`;
