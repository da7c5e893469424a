import { randomInt, randomUUID } from 'node:crypto';

import type { ClientBase } from 'pg';

import { CANNOT_CONNECT_NOW, errorCode, READ_ONLY } from './error-code.ts';
import type { Database } from './open-database.ts';

/**
 * By how much every sequence jumps at least when a new epoch begins: the database may lack up to so
 * many rows that clients know. It jumps up to three times as far, by chance: a dump that is restored
 * twice must not give out the numbers of its first life again.
 */
export const EPOCH_GAP = 10_000_000;
const newJump = () => EPOCH_GAP + randomInt(2 * EPOCH_GAP);

/** What a package does when a new epoch begins, in its transaction. */
export interface EpochStatements {
  /** Of every epoch. `jump` is by how much sequences jump. */
  readonly begun: (jump: number) => readonly string[];
  /** Only if the database is a copy: an older state, which clients have gone beyond. */
  readonly restored: readonly string[];
}
interface EpochOptions {
  readonly statements: EpochStatements;
  /**
   * Called after this program has begun or noticed a new epoch: what it remembers of the database
   * may be undone.
   */
  readonly onEpoch: (epoch: Epoch) => void;
}
export interface Epoch {
  /** A number would repeat after a restore. */
  readonly id: string;
  readonly cause: 'restored' | 'promoted';
}
/** Checks again whether the database is still the same. */
export type CheckEpoch = () => Promise<void>;

/**
 * Begins a new epoch if the database is not the one that the last program used: it was restored or
 * copied, or a standby that may lack its last changes was promoted. All sequences jump then, so
 * that no number that clients remember is given out again. From now on checks each server that
 * connections lead to, before a connection is used.
 */
export async function watchEpoch<Tables>(
  database: Database<Tables>,
  { statements, onEpoch }: EpochOptions,
): Promise<CheckEpoch> {
  let known: string | undefined;
  const check = async (client: ClientBase) => {
    if (known !== undefined) {
      if (await isUnchanged(client, known)) return;
      await requireRestored(client);
    }
    const { epoch, isBegun } = await enter(client, statements);
    const isNew = isBegun || (known !== undefined && epoch.id !== known);
    known = epoch.id;
    if (isNew) onEpoch(epoch);
  };
  return database.checkServers(check);
}

interface State {
  readonly id: string;
  readonly cause: Epoch['cause'];
  /** What a copy of the database changes, and of the files of the server. */
  readonly copy: string;
  readonly files: string | null;
  /** What a promotion changes. */
  readonly timeline: string;
}
type Present = Pick<State, 'copy' | 'files' | 'timeline'>;

/** Whether the epoch is the one that this program knows, and the database that of the epoch. */
async function isUnchanged(client: ClientBase, known: string): Promise<boolean> {
  const present = await readPresent(client).catch((error: unknown) => {
    // The table is missing: a restore has begun to replace the tables.
    if (errorCode(error) === '42P01') return undefined;
    throw error;
  });
  if (!present) return false;
  const recorded = await readRecorded(client);
  return (
    recorded !== undefined && recorded.id === known && causeOf(recorded, present) === undefined
  );
}

/**
 * Throws while the database is being restored: an epoch that began now would be undone by what follows.
 * A dump adds keys after all rows and the values of sequences.
 */
async function requireRestored(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isRestored: boolean }>(restoredSql);
  if (rows[0]?.isRestored) return;
  throw Object.assign(new Error('The database is being restored'), { code: CANNOT_CONNECT_NOW });
}

/** Records the database, and begins an epoch if it is not the recorded one. One program at a time. */
async function enter(
  client: ClientBase,
  statements: EpochStatements,
): Promise<{ epoch: Epoch; isBegun: boolean }> {
  await client.query(`begin; select pg_advisory_xact_lock(${LOCK_KEY})`);
  try {
    await client.query(createTable);
    const recorded = await readRecorded(client);
    const present = await readPresent(client);
    const cause = recorded && causeOf(recorded, present);
    if (recorded && !cause) {
      await client.query('commit');
      return { epoch: recorded, isBegun: false };
    }
    const epoch: Epoch = { id: randomUUID(), cause: cause ?? 'restored' };
    if (cause) {
      const jump = newJump();
      await client.query(jumpSql, [jump]);
      const all = [...statements.begun(jump), ...(cause === 'restored' ? statements.restored : [])];
      for (const statement of all) await client.query(statement);
    }
    const { copy, files, timeline } = present;
    await client.query(recordSql, [epoch.id, epoch.cause, copy, files, timeline]);
    await client.query('commit');
    return { epoch, isBegun: cause !== undefined };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Why a new epoch begins. The files of a promoted standby are others too, but it was promoted to
 * go on: its clients lose nothing if it has all that they have seen.
 */
function causeOf(recorded: Present, present: Present): Epoch['cause'] | undefined {
  if (recorded.copy !== present.copy) return 'restored';
  if (recorded.timeline !== present.timeline) return 'promoted';
  const isMoved = recorded.files !== null && present.files !== null;
  return isMoved && recorded.files !== present.files ? 'restored' : undefined;
}

async function readRecorded(client: ClientBase): Promise<State | undefined> {
  const { rows } = await client.query<State>(
    'select id, cause, copy, files, timeline from database_epoch',
  );
  return rows[0];
}

async function readPresent(client: ClientBase): Promise<Present> {
  const { rows } = await client.query<Present & { readsFiles: boolean }>(presentSql);
  const present = rows[0];
  if (!present?.timeline)
    throw Object.assign(new Error('The server is a standby'), { code: READ_ONLY });
  const { copy, timeline, readsFiles } = present;
  const files = readsFiles ? (await client.query<{ files: string }>(filesSql)).rows[0] : undefined;
  return { copy, timeline, files: files?.files ?? null };
}

/** Key of the advisory lock of a program that enters an epoch; any fixed number. */
const LOCK_KEY = 4_600_020;

const createTable = `
  create table if not exists database_epoch (
    the_only boolean primary key default true check (the_only),
    id uuid not null,
    cause text not null,
    copy text not null,
    files text,
    timeline text not null,
    began_at timestamptz not null
  )`;

// A dump that is restored has another database, or at least other tables. The timeline of
// pg_control_checkpoint() is that of the last checkpoint, which a promoted server may not have made.
const presentSql = `
  select concat_ws('/', (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database()),
      'database_epoch'::regclass::oid) as copy,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end
      as timeline,
    has_function_privilege('pg_stat_file(text)', 'execute') as "readsFiles"`;

const restoredSql = `select exists (select from pg_constraint
  where conrelid = to_regclass('database_epoch') and contype = 'p') as "isRestored"`;

// PostgreSQL never writes this file again; whoever copies the directory back does. The text must not
// depend on the time zone of the session.
const filesSql = `select to_char(coalesce(change, creation) at time zone 'UTC',
  'YYYY-MM-DD HH24:MI:SS"+00"') as files from pg_stat_file('PG_VERSION')`;

const jumpSql = `
  select setval(format('%I.%I', schemaname, sequencename)::regclass,
    least(max_value, coalesce(last_value, start_value - 1) + $1::bigint))
  from pg_sequences where schemaname = current_schema()`;

const recordSql = `
  insert into database_epoch (id, cause, copy, files, timeline, began_at)
  values ($1, $2, $3, $4, $5, now())
  on conflict (the_only) do update set id = excluded.id, cause = excluded.cause,
    copy = excluded.copy, files = excluded.files, timeline = excluded.timeline,
    began_at = excluded.began_at`;
