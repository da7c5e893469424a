import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase } from './open-database.ts';
import { readiness } from './readiness.ts';
import { createTestDatabase, startDatabaseProxy } from './testing.fixture.ts';

test('a database that can be read and written is ready', async () => {
  await using made = await createTestDatabase();
  expect(await readiness(made.database)()).toEqual({ isReady: true, body: { status: 'ready' } });
});

test('a frozen database is named within a second, by questions that share one query', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  await using database = await openDatabase(proxy.url);
  const why = readiness(database);
  proxy.hold();
  proxy.silence('');
  const before = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, why));
  expect(performance.now() - before).toBeLessThan(1000);
  for (const answer of answers)
    expect(answer).toEqual({
      isReady: false,
      body: { status: 'no database', msg: 'The database cannot be reached or is too busy.' },
    });
  expect(database.connections().open + database.connections().waiting).toBeLessThan(3);
  proxy.forwardTo(made.url);
  proxy.cut('');
  await expect.poll(why).toMatchObject({ isReady: true });
});

test('a database that became read-only is named', async () => {
  await using made = await createTestDatabase({ maxConnections: 1 });
  const { kysely } = made.database;
  await sql`set default_transaction_read_only = on`.execute(kysely);
  expect(await readiness(made.database)()).toEqual({
    isReady: false,
    body: { status: 'read-only database', msg: 'The database is read-only, or a standby.' },
  });
});

const states = [
  ['53100', 'disk full', 'The disk of the database is full.'],
  ['53200', 'database out of memory', 'The database is out of memory.'],
  ['53300', 'too many connections', 'The database has too many connections.'],
  ['57P03', 'database starting', 'The database is starting, stopping or recovering.'],
  ['42P01', 'no database', 'The database cannot be reached or is too busy.'],
] as const;
test.for(states)('SQLSTATE %s is the status "%s"', async ([code, status, msg]) => {
  await using made = await createTestDatabase();
  const { kysely } = made.database;
  const raise = sql.raw(`do $$ begin raise sqlstate '${code}'; end $$`);
  const answer = await readiness(made.database, () => raise.execute(kysely))();
  expect(answer).toEqual({ isReady: false, body: { status, msg } });
});

test('a table that is locked is named within a second', async () => {
  await using made = await createTestDatabase();
  const { kysely } = made.database;
  await sql`create table state (id int)`.execute(kysely);
  const why = readiness(made.database, () => sql`select from state`.execute(kysely));
  await made.database.transaction(async (tx) => {
    await sql`lock table state`.execute(tx);
    const before = performance.now();
    expect(await why()).toMatchObject({ isReady: false, body: { status: 'no database' } });
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

test('a database that refuses another connection has too many', async () => {
  await using made = await createTestDatabase();
  const name = new URL(made.url).pathname.slice(1);
  const role = `visitor_${Date.now()}`;
  const { kysely } = made.database;
  await sql`create role ${sql.id(role)} login`.execute(kysely);
  const url = new URL(made.url);
  url.username = role;
  const visitor = await openDatabase(url.href, { maxConnections: 2 });
  await sql`alter role ${sql.id(role)} connection limit 0`.execute(kysely);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and usename = ${role}`.execute(kysely);
  await expect.poll(readiness(visitor)).toEqual({
    isReady: false,
    body: { status: 'too many connections', msg: 'The database has too many connections.' },
  });
  await visitor.close();
  await sql`drop role ${sql.id(role)}`.execute(kysely);
});
