import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { passingTrouble } from './database-unavailable.ts';
import { errorCode } from './error-code.ts';
import { openDatabase } from './open-database.ts';
import { jsonb } from './parameter-values.ts';
import { createTestDatabase, startDatabaseProxy } from './testing.fixture.ts';

test('columns are converted to numbers, dates, text and exact bigints', async () => {
  await using test = await createTestDatabase();
  const { rows } = await sql<Record<string, unknown>>`select
    count(*) as count, 9223372036854775807::int8 as big, -5::int8 as small,
    array[1, null, 9007199254740993]::int8[] as list, array[]::int8[] as none,
    '2026-11-21'::date as day, '2026-11-21T10:00:00Z'::timestamptz as at, ${jsonb([1, 'a'])} as json
  `.execute(test.database.kysely);
  expect(rows[0]).toEqual({
    count: 1,
    big: 9223372036854775807n,
    small: -5,
    list: [1, null, 9007199254740993n],
    none: [],
    day: '2026-11-21',
    at: new Date('2026-11-21T10:00:00Z'),
    json: [1, 'a'],
  });
});

test.for([
  ['2026-11-21 12:30:05.123456+02', Date.UTC(2026, 10, 21, 10, 30, 5, 123)],
  ['12026-01-01 00:00:00+00', Date.UTC(12_026, 0)],
  ['0099-01-01 00:00:00+00', Date.parse('0099-01-01T00:00:00Z')],
  ['0044-03-15 00:00:00+00 BC', Date.parse('-000043-03-15T00:00:00Z')],
  ['1900-01-01 00:19:32+00:19:32', Date.UTC(1900, 0)],
  ['infinity', Number.POSITIVE_INFINITY],
] as const)('the timestamp %s is read exactly', async ([text, time]) => {
  await using test = await createTestDatabase({ maxConnections: 1 });
  const { kysely } = test.database;
  await sql`set time zone 'Europe/Amsterdam'`.execute(kysely);
  const { rows } = await sql<{ at: Date | number }>`
    select ${text}::timestamptz as at`.execute(kysely);
  expect(Number(rows[0]?.at)).toBe(time);
});

test('a repeated statement is prepared once per connection, a long one is not', async () => {
  await using test = await createTestDatabase({ maxConnections: 1 });
  const { kysely } = test.database;
  const long = sql`select ${1}::int as value ${sql.raw(`-- ${'x'.repeat(16_384)}`)}`;
  for (let i = 0; i < 4; i += 1) {
    await sql`select ${i}::int as value`.execute(kysely);
    await long.execute(kysely);
  }
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements`.execute(kysely);
  expect(rows.map((row) => row.statement)).toEqual(['select $1::int as value']);
});

test('a connection with stale prepared plans is replaced', async () => {
  await using test = await createTestDatabase({ maxConnections: 1 });
  const { kysely } = test.database;
  await sql`create table thing (a int)`.execute(kysely);
  const read = () => sql`select * from thing where a > ${0}`.execute(kysely);
  await read();
  await read();
  await read();
  await sql`alter table thing add b int`.execute(kysely);
  await expect(read()).rejects.toThrow('cached plan');
  await expect(read()).resolves.toMatchObject({ rows: [] });
});

test('errorCode returns the SQLSTATE of a database error', async () => {
  await using test = await createTestDatabase();
  const error: unknown = await sql`select 1 / 0`.execute(test.database.kysely).catch((e) => e);
  expect(errorCode(error)).toBe('22012');
  expect(errorCode(new Error('other'))).toBeUndefined();
});

test('notify reaches local listeners at once, and other databases once for equal notifications', async () => {
  await using test = await createTestDatabase();
  const { database } = test;
  await using elsewhere = await openDatabase(test.url);
  const here: string[] = [];
  const there: string[] = [];
  const all = Promise.withResolvers<void>();
  const unlisten = await database.listen('news', (payload) => here.push(payload));
  await elsewhere.listen('news', (payload) => {
    there.push(payload);
    if (payload === 'end') all.resolve();
  });
  for (const payload of ['a', 'b', 'b', 'end']) database.notify('news', payload);
  expect(here).toEqual(['a', 'b', 'b', 'end']);
  await all.promise;
  expect(there).toEqual(['a', 'b', 'end']);
  const back = new Promise((resolve) => void database.listen('news', resolve));
  elsewhere.notify('news', 'from there');
  expect(await back).toBe('from there');
  expect(here).toEqual(['a', 'b', 'b', 'end', 'from there']);
  unlisten();
  database.notify('news', 'unheard');
  expect(here).toHaveLength(5);
});

test('concurrent calls of listen all receive notifications', async () => {
  await using test = await createTestDatabase();
  await using elsewhere = await openDatabase(test.url);
  const heard = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  await Promise.all(heard.map(({ resolve }) => test.database.listen('news', resolve)));
  elsewhere.notify('news', 'a');
  expect(await Promise.all(heard.map(({ promise }) => promise))).toEqual(['a', 'a']);
});

test('a listener reconnects and is called with an empty payload', async () => {
  await using test = await createTestDatabase();
  const { database } = test;
  const told = new Promise((resolve) => void database.listen('news', resolve));
  await database.listen('other', () => {});
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen %' and datname = current_database()`.execute(database.kysely);
  expect(await told).toBe('');
  const again = new Promise((resolve) => void database.listen('news', resolve));
  await using elsewhere = await openDatabase(test.url);
  elsewhere.notify('news', 'again');
  expect(await again).toBe('again');
});

test('a lost connection rejects its query and is replaced', async () => {
  await using test = await createTestDatabase({ maxConnections: 1 });
  const { kysely } = test.database;
  await expect(
    sql`select pg_terminate_backend(pg_backend_pid())`.execute(kysely),
  ).rejects.toThrow();
  await expect(sql`select 1 as one`.execute(kysely)).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('a listener whose new server refuses LISTEN, as a standby does, leaves no connection there', async () => {
  await using test = await createTestDatabase();
  await using proxy = await startDatabaseProxy(test.url);
  const errors: unknown[] = [];
  const database = await openDatabase(proxy.url, {
    applicationName: 'refused',
    onError: (error) => errors.push(error),
  });
  try {
    const told = Promise.withResolvers<string>();
    await database.listen('news', told.resolve);
    proxy.refuse('listen');
    proxy.cut('listen ');
    const refusals = () => errors.filter((error) => errorCode(error) === '42601').length;
    await expect.poll(refusals).toBeGreaterThan(1);
    proxy.refuse(undefined);
    expect(await told.promise).toBe('');
    const listening = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where application_name = 'refused' and query like '%"news"'`.execute(test.database.kysely);
      return rows.length;
    };
    await expect.poll(listening).toBe(1);
  } finally {
    await database.close();
  }
});

test('openDatabase rejects with a clear error if nothing listens at the URL', async () => {
  await expect(openDatabase('postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(
    'Cannot open the database: connect ECONNREFUSED 127.0.0.1:1',
  );
});

test('a database that is closed while it does not answer ends its queries in a few seconds', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  const database = await openDatabase(proxy.url);
  await database.listen('any', () => {});
  proxy.hold();
  proxy.silence('');
  const query = sql`select 1`.execute(database.kysely).catch(errorCode);
  const change = database.transaction((tx) => sql`select 1`.execute(tx), { groupFlush: true });
  const before = performance.now();
  await Promise.all([database.close(), expect(change).rejects.toThrow(), query]);
  expect(performance.now() - before).toBeLessThan(8000);
});

test.each(['server_encoding', 'pg_backend_pid', 'rollback'])(
  'a database that goes silent while it is opened, at the statement with %s, is given up as one that may come back',
  async (statement) => {
    await using made = await createTestDatabase();
    await using proxy = await startDatabaseProxy(made.url, { delayMs: 50 });
    const silencing = setInterval(() => proxy.silence(statement), 5);
    const error = await openDatabase(proxy.url)
      .catch((e: unknown) => e)
      .finally(() => clearInterval(silencing));
    expect(error).toMatchObject({ message: 'Cannot open the database: Query read timeout' });
    expect(passingTrouble(error)).toMatchObject({ status: 'no database' });
  },
  60_000,
);
