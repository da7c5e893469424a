import { pipeline } from 'node:stream/promises';

import { sql } from 'kysely';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

import { checkedDatabaseUrl } from './database-url.ts';
import type { Database } from './open-database.ts';

export interface CopyOptions {
  /** The postgresql:// URL of the database that is copied. Nothing else must have it open. */
  readonly from: string;
  /** That of an empty one with the same tables: the same migrations ran in both. */
  readonly to: string;
  readonly progress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}
export interface CopyProgress {
  readonly table: string;
  /** Rows copied so far, of all tables. */
  readonly rows: number;
  readonly all: number;
}
export interface Copied {
  readonly tables: number;
  readonly rows: number;
}

/** The database takes no copy. The message says what to do; nothing was changed. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/**
 * Copies all rows and the values of the sequences to another database, in one transaction: all of it is
 * there, or nothing. An abort of the signal counts until the commit. Programs that start on the copy go on with it as with the original, whose next start
 * begins a new epoch: it must not give out the numbers that the copy gives out. Needs no superuser.
 * Throws a CopyRefused if the other database has rows or other tables, or if rows are missing there.
 */
export async function copyDatabase({ from, to, progress, signal }: CopyOptions): Promise<Copied> {
  const [source, target] = [connection(from), connection(to)];
  // Neither would end a query, nor answer to an orderly end, while rows are under way.
  const interrupt = () => [source, target].forEach(drop);
  signal?.addEventListener('abort', interrupt);
  try {
    signal?.throwIfAborted();
    for (const client of [source, target]) {
      await client.connect();
      await client.query(client === source ? beginRead : begin);
    }
    const tables = await tablesOf(source);
    await requireSame(tables, await tablesOf(target));
    await target.query(`lock table ${tables.map(({ name }) => name).join(', ')}`);
    await requireEmpty(target, tables);
    const counts = await rowsOf(source, tables);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const keys = await withoutChecks(target, tables);
    let rows = 0;
    for (const table of tables) {
      await copyTable({ source, target, signal }, table, (more) => {
        rows += more;
        progress?.({ table: table.name, rows, all });
      });
    }
    for (const key of keys) await target.query(key);
    const arrived = await rowsOf(target, tables);
    for (const [name, count] of counts)
      if (arrived.get(name) !== count)
        throw new CopyRefused(`${arrived.get(name)} of ${count} rows of ${name} arrived`);
    await copySequences(source, target);
    await endEpoch(source);
    await source.query('commit');
    signal?.throwIfAborted();
    signal?.removeEventListener('abort', interrupt);
    await target.query('commit');
    // A copy has no statistics: without them the first queries would read whole tables. If that fails,
    // autovacuum makes them soon.
    await target.query('analyze').catch(() => {});
    return { tables: tables.length, rows };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    for (const client of [source, target]) await client.end();
  }
}

/**
 * Throws a CopyRefused if a database has rows, or tables of another program: migrations would change the
 * former, and add theirs to the latter.
 */
export async function requireUnused<Tables>({
  kysely,
}: Pick<Database<Tables>, 'kysely'>): Promise<void> {
  const { rows: tables } = await sql<{ name: string; is_record: boolean }>`
    select quote_ident(relname) as name, relname in ('schema_migration', 'database_epoch') as is_record
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    order by relname`.execute(kysely);
  const [first] = tables;
  if (first && !tables.some(({ name }) => name === 'schema_migration'))
    throw new CopyRefused(
      `it has tables of another program, ${first.name} among them. Make an empty database`,
    );
  for (const { name } of tables.filter(({ is_record }) => !is_record)) {
    const { rows } = await sql`select from ${sql.raw(name)} limit 1`.execute(kysely);
    if (rows.length > 0) throw usedBy(name);
  }
}

const usedBy = (table: string) =>
  new CopyRefused(`it was used: it has rows in ${table}. Make an empty database`);

function connection(url: string): Client {
  const client = new Client({
    connectionString: checkedDatabaseUrl(url),
    application_name: 'bellhop-copy',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
  });
  // A query reports it too.
  client.on('error', () => {});
  return client;
}

function drop(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection;
  stream.destroy();
}

// All tables are read as they were at one moment.
const noLimits = `set statement_timeout = 0; set lock_timeout = '30s';
  set idle_in_transaction_session_timeout = 0`;
const begin = `${noLimits}; begin`;
const beginRead = `${noLimits}; begin isolation level repeatable read`;

interface Table {
  /** Quoted where SQL wants it. */
  readonly name: string;
  /** Columns whose values are stored, not computed. */
  readonly columns: readonly string[];
  /** Names and types, to compare. */
  readonly form: string;
}

/** The tables of the schema, but for the records of which database this is and what ran in it. */
async function tablesOf(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(`
    select quote_ident(relname) as name,
      array_agg(quote_ident(attname) order by attname) filter (where attgenerated = '') as columns,
      string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attgenerated), ', '
        order by attname) as form
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname not in ('schema_migration', 'database_epoch')
    group by relname order by relname`);
  return rows;
}

async function requireSame(from: readonly Table[], to: readonly Table[]): Promise<void> {
  const forms = (tables: readonly Table[]) => new Map(tables.map(({ name, form }) => [name, form]));
  const [source, target] = [forms(from), forms(to)];
  const differing = [...new Set([...source.keys(), ...target.keys()])].filter(
    (name) => source.get(name) !== target.get(name),
  );
  if (differing.length > 0)
    throw new CopyRefused(
      `its tables are not those of this version: ${differing.join(', ')}. Make an empty database`,
    );
}

async function requireEmpty(client: Client, tables: readonly Table[]): Promise<void> {
  const counts = await rowsOf(client, tables);
  const [used] = [...counts].find(([, count]) => count > 0) ?? [];
  if (used !== undefined) throw usedBy(used);
}

async function rowsOf(
  client: Client,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${name}`);
    counts.set(name, Number(rows[0]?.count));
  }
  return counts;
}

/**
 * Takes away the foreign keys, and stops the triggers, until the rows are there: tables refer to each
 * other in circles. Returns the statements that bring them back and check the rows.
 */
async function withoutChecks(client: Client, tables: readonly Table[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select quote_ident(relname) as table, quote_ident(conname) as name,
      pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and relnamespace = current_schema()::regnamespace and conparentid = 0`);
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  return [
    ...tables.map(({ name }) => `alter table ${name} enable trigger user`),
    ...rows.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
    ),
  ];
}

interface Ends {
  readonly source: Client;
  readonly target: Client;
  readonly signal: AbortSignal | undefined;
}

/** As text, which every version of PostgreSQL reads in the same way. `onRows` gets the rows of a piece. */
async function copyTable(
  { source, target, signal }: Ends,
  { name, columns }: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const list = `${name} (${columns.join(', ')})`;
  await pipeline(
    source.query(copyTo(`copy ${list} to stdout`)),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        onRows(lineEnds(piece));
        yield piece;
      }
    },
    target.query(copyFrom(`copy ${list} from stdin`)),
    { signal },
  );
}

/** The text form of COPY has one at the end of each row, and no other. */
function lineEnds(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) count += 1;
  return count;
}

async function copySequences(source: Client, target: Client): Promise<void> {
  const { rows } = await source.query<{ name: string; value: string }>(`
    select format('%I', sequencename) as name, last_value as value
    from pg_sequences where schemaname = current_schema() and last_value is not null`);
  for (const { name, value } of rows) await target.query('select setval($1, $2)', [name, value]);
}

/** A program that starts on the original again begins a new epoch. */
async function endEpoch(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "select to_regclass('database_epoch') is not null as is_there",
  );
  if (rows[0]?.is_there) await client.query("update database_epoch set copy = 'moved'");
}
