import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { startDatabaseProxy } from './database-proxy.fixture.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { openDatabase } from './open-database.ts';
import { createTestDatabase, type TestDatabaseOptions } from './testing.fixture.ts';

interface Tables {
  item: { id: number; name: string };
}

async function itemDatabase(limits: TestDatabaseOptions['limits'] = {}) {
  const made = await createTestDatabase<Tables>({ limits });
  const { kysely } = made.database;
  await sql`create table item (id int primary key, name text)`.execute(kysely);
  await kysely.insertInto('item').values({ id: 1, name: 'first' }).execute();
  const rename = (name: string) => kysely.updateTable('item').set({ name }).execute();
  return { ...made, kysely, rename };
}

test('a transaction that stops between two statements loses its locks', async () => {
  await using made = await itemDatabase({ idleMs: 1500 });
  const { database, rename } = made;
  const locked = Promise.withResolvers<void>();
  const renamed = Promise.withResolvers<void>();
  const stuck = database
    .transaction(async (tx) => {
      await tx.updateTable('item').set({ name: 'stuck' }).execute();
      locked.resolve();
      await renamed.promise;
    })
    .catch((e) => e);
  await locked.promise;
  await rename('free').finally(renamed.resolve);
  expect(await stuck).toBeInstanceOf(DatabaseUnavailable);
  expect(await made.kysely.selectFrom('item').select('name').execute()).toEqual([{ name: 'free' }]);
});

test('a statement that waits too long for a lock is refused, and says that nothing was changed', async () => {
  await using made = await itemDatabase({ lockMs: 100 });
  const { database, rename } = made;
  const held = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await tx.updateTable('item').set({ name: 'held' }).execute();
    held.resolve();
    await done.promise;
  });
  await held.promise;
  const error = await rename('waits').catch((e) => e);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error).toMatchObject({ code: '55P03', mayBeCommitted: false });
  expect(error.message).toContain('nothing was changed. Try again');
  done.resolve();
  await holding;
});

test('a statement that takes too long is stopped', async () => {
  await using made = await createTestDatabase();
  // On a busy machine the statement with which openDatabase checks its right to flush may take too long.
  await using db = await vi.waitFor(
    () => openDatabase(made.url, { limits: { statementMs: 100 } }),
    15_000,
  );
  const error = await sql`select pg_sleep(30)`.execute(db.kysely).catch((e) => e);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error).toMatchObject({ code: '57014' });
});

test('each kind of work has its own limits', async () => {
  await using made = await itemDatabase();
  const limits = async (work?: 'job' | 'sweep' | 'migration') =>
    made.database.transaction(
      async (tx) => {
        const { rows } = await sql<{ statement: string; lock: string; idle: string }>`select
          current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(tx);
        return Object.values(rows[0] ?? {}).join(' ');
      },
      { ...(work && { work }) },
    );
  expect(await limits()).toBe('15s 5s 10s');
  expect(await limits('job')).toBe('1min 10s 30s');
  expect(await limits('sweep')).toBe('5min 5s 30s');
  expect(await limits('migration')).toBe('0 30s 1min');
  expect(await limits()).toBe('15s 5s 10s');
});

test('a query on a silent connection is given up, and the next one gets another connection', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  // This process gives up five seconds after the limit of the database.
  await using db = await openDatabase(proxy.url, { limits: { statementMs: 1500 } });
  await sql`select 1`.execute(db.kysely);
  proxy.silence('select 1');
  const error = await sql`select 2`.execute(db.kysely).catch((e) => e);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  await expect(sql`select 3 as three`.execute(db.kysely)).resolves.toMatchObject({
    rows: [{ three: 3 }],
  });
});

test('a check of the database on a connection that goes silent is given up, and made on the next one', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  // This process gives up five seconds after the limit of the database.
  await using db = await openDatabase(proxy.url, { limits: { statementMs: 1500 } });
  let checks = 0;
  const checking = db.checkServers(async (client) => {
    checks += 1;
    if (checks === 1) proxy.silence('deallocate all');
    await client.query('select 1');
  });
  await expect(checking).rejects.toThrow(DatabaseUnavailable);
  await expect(sql`select 3 as three`.execute(db.kysely)).resolves.toMatchObject({
    rows: [{ three: 3 }],
  });
  expect(checks).toBe(2);
});

test('a running query is stopped when its caller leaves', async () => {
  await using made = await itemDatabase();
  const { database, kysely } = made;
  const caller = new AbortController();
  const query = sql`select pg_sleep(60)`.execute(database.kyselyFor(() => caller.signal));
  const running = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where query = 'select pg_sleep(60)' and state = 'active'
        and datname = current_database()`.execute(kysely);
    return rows.length;
  };
  await expect.poll(running).toBe(1);
  caller.abort();
  await expect(query).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(running).toBe(0);
  await expect(
    sql`select 1`.execute(database.kyselyFor(() => caller.signal)),
  ).resolves.toBeDefined();
});
