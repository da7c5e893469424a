import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Generated, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.fixture.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { type Database, openDatabase } from './open-database.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';
import { createTestDatabase } from './testing.fixture.ts';

interface Tables {
  item: { id: Generated<number>; name: string };
}

/** The name of the statement that only the connection for flushes sends. */
const FLUSH = 'flush\0';
const flushed = { groupFlush: true } as const;

const createItems = (db: Database<Tables>) =>
  sql`create table item (id bigint generated always as identity primary key, name text)`.execute(
    db.kysely,
  );
const insert = (db: Database<Tables>, name: string) =>
  db.transaction((tx) => tx.insertInto('item').values({ name }).execute(), flushed);
const names = async (db: Database<Tables>) =>
  (await db.kysely.selectFrom('item').select('name').orderBy('id').execute()).map(
    ({ name }) => name,
  );

/** Waits until the connection for flushes is gone, as the server sees it. */
async function cutFlushes(proxy: DatabaseProxy, kysely: Kysely<Tables>): Promise<void> {
  proxy.cut(FLUSH);
  const flushing = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and query like 'select pg_logical_emit_message%server%'`.execute(
      kysely,
    );
    return rows.length;
  };
  await vi.waitFor(async () => expect(await flushing()).toBe(0), { timeout: 15_000 });
}

/** A database with the table item, behind an address that can fail. */
async function databaseBehindProxy(flushMs?: number) {
  await using ends = new AsyncDisposableStack();
  const { url } = ends.use(await createTestDatabase());
  const proxy = ends.use(await startDatabaseProxy(url));
  const db = ends.use(
    await openDatabase<Tables>(proxy.url, flushMs === undefined ? {} : { flushMs }),
  );
  await createItems(db);
  // A busy machine may need longer than a short time limit of flushes.
  await vi.waitFor(() => insert(db, 'first'), { timeout: 15_000 });
  const parts = ends.move();
  return { db, proxy, url, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test('a commit is not acknowledged if its flush would go through a newer connection', async () => {
  await using parts = await databaseBehindProxy();
  const { db, proxy } = parts;
  const error = await db
    .transaction(async (tx) => {
      await tx.insertInto('item').values({ name: 'second' }).execute();
      await cutFlushes(proxy, db.kysely);
    }, flushed)
    .catch((e) => e);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error).toMatchObject({ mayBeCommitted: true });
  expect(error.message).toContain('may or may not have been made');
  await insert(db, 'third');
  expect(await names(db)).toEqual(['first', 'second', 'third']);
});

test('commits that wait for a silent connection for flushes get an error, and later ones a new connection', async () => {
  await using parts = await databaseBehindProxy(300);
  const { db, proxy } = parts;
  proxy.silence(FLUSH);
  const writes = await Promise.allSettled([1, 2, 3].map((at) => insert(db, `silent ${at}`)));
  for (const write of writes)
    expect(write).toMatchObject({ status: 'rejected', reason: { mayBeCommitted: true } });
  await vi.waitFor(() => insert(db, 'after'), { timeout: 15_000 });
  expect((await names(db)).at(-1)).toBe('after');
});

test('rows are not handed out if their flush would go through a newer connection', async () => {
  await using parts = await databaseBehindProxy();
  const { db, proxy } = parts;
  const error = await db
    .readDurable(async (reads) => {
      const rows = await reads.selectFrom('item').select('name').execute();
      await cutFlushes(proxy, reads);
      return rows;
    })
    .catch((e) => e);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error).toMatchObject({ mayBeCommitted: false });
  const read = await db.readDurable((reads) => reads.selectFrom('item').select('name').execute());
  expect(read).toEqual([{ name: 'first' }]);
});

test('an empty read needs no flush', async () => {
  await using parts = await databaseBehindProxy();
  const { db, proxy } = parts;
  const read = db.readDurable(
    async (reads) => {
      proxy.cut(FLUSH);
      return await reads.selectFrom('item').where('name', '=', 'none').select('name').execute();
    },
    (rows) => rows.length === 0,
  );
  expect(await read).toEqual([]);
});

test('openDatabase names the right that the role lacks to flush commits', async () => {
  await using test = await createTestDatabase();
  const { kysely } = test.database;
  const role = `limited_${Date.now()}`;
  await sql`create role ${sql.id(role)} login`.execute(kysely);
  try {
    const revoke = await sql<{ flush: string }>`select oid::regprocedure::text as flush
      from pg_proc where proname = 'pg_logical_emit_message'`.execute(kysely);
    for (const { flush } of revoke.rows)
      await sql`revoke execute on function ${sql.raw(flush)} from public`.execute(kysely);
    const url = new URL(test.url);
    url.username = role;
    await expect(openDatabase(url.href)).rejects.toThrow(
      new RegExp(
        `the role ${role} may not execute functions that are needed. As a superuser, run: grant execute on ` +
          `function pg_logical_emit_message\\(.*text.*\\) to ${role}`,
      ),
    );
  } finally {
    await sql`drop role ${sql.id(role)}`.execute(kysely);
  }
});

/** Two servers: a primary, and the server that replaces it in a failover. */
let servers: { old: PostgresServer; promoted: PostgresServer };
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-failover-'));
  const [old, promoted] = await Promise.all(
    ['old', 'promoted'].map((name) =>
      startPostgres({ dataDir: join(directory, name), fsync: false }),
    ),
  );
  if (!old || !promoted) throw new Error('Two servers were started');
  servers = { old, promoted };
});
afterAll(async () => {
  await Promise.all([servers.old.stop(), servers.promoted.stop()]);
  await rm(directory, { recursive: true, force: true });
});

test('a commit on an idle connection to the old primary is not acknowledged after a failover', async () => {
  const { old, promoted } = servers;
  await using proxy = await startDatabaseProxy(old.url);
  await using db = await openDatabase<Tables>(proxy.url);
  await createItems(db);
  await insert(db, 'on the old primary');
  await using direct = await openDatabase<Tables>(promoted.url);
  await createItems(direct);
  proxy.forwardTo(promoted.url);
  proxy.cut(FLUSH);
  // Idle connections of the pool still lead to the old primary.
  await vi.waitFor(() => insert(db, 'on the new primary'), { timeout: 15_000 });
  expect(await names(direct)).toEqual(['on the new primary']);
});
