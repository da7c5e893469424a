import { setTimeout as wait } from 'node:timers/promises';

import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { PostgresPool } from './postgres-statements.ts';
import { postgresStore } from './postgres-store.ts';
import { storeContract } from './store-contract.ts';

let test_database: TestDatabase<unknown>;
let pool: Pool;
beforeAll(async () => {
  test_database = await createTestDatabase();
  pool = new Pool({ connectionString: test_database.url, max: 4 });
  // pool.end() resolves before its connections are closed; dropping the database may break them.
  pool.on('error', () => {});
});
afterAll(async () => {
  await pool.end();
  await test_database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await pool.query('drop table if exists bellhop_bot_store');
});

const count = async () =>
  Number((await pool.query('select count(*) from bellhop_bot_store')).rows[0]?.count);

test.each(storeContract)('postgres: $name', ({ run }) =>
  run(async () => ({
    store: postgresStore(pool),
    other: postgresStore(test_database.url),
    elapse: (ms) => wait(ms),
  })),
);

test('close() leaves a pool open that the store was given', async () => {
  const store = postgresStore(pool);
  await store.set('a', 1);
  await store.close();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('several new stores that create the table at once all work', async () => {
  const stores = Array.from({ length: 4 }, () => postgresStore(pool));
  await Promise.all(stores.map((store, by) => store.set(`by ${by}`, by)));
  expect(await stores[0]?.list('by ')).toHaveLength(4);
});

test('the first write of a store deletes the expired rows', async () => {
  const first = postgresStore(pool);
  await first.set('b', 1);
  await first.set('a', 1, { ttlMs: 1 });
  await wait(5);
  expect(await count()).toBe(2);
  await postgresStore(pool).set('c', 1);
  expect((await postgresStore(pool).list('')).toSorted()).toEqual(['b', 'c']);
  expect(await count()).toBe(2);
});

test('`table` takes a name with a schema and throws config_invalid on SQL', async () => {
  await pool.query('create schema bots');
  const store = postgresStore(pool, { table: 'bots.kept' });
  await store.set('a', 1);
  expect((await pool.query('select key from bots.kept')).rows).toEqual([{ key: 'a' }]);
  expect(() => postgresStore(pool, { table: 'x; drop table y' })).toThrow(
    expect.objectContaining({ code: 'config_invalid' }),
  );
});

test('a role that may not create tables gets the statement to run, and can use an existing table', async () => {
  const client = new Client(test_database.url);
  await client.connect();
  try {
    await client.query('create role guest; set role guest');
    await expect(postgresStore(client).get('a')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(
        /permission denied.*Ask the owner of the database to run: create table/,
      ),
    });
    await postgresStore(pool).set('a', 1);
    await pool.query('grant select on bellhop_bot_store to guest');
    expect((await postgresStore(client).get('a'))?.value).toBe(1);
  } finally {
    await client.query('reset role; drop owned by guest; drop role guest');
    await client.end();
  }
});

test('a call after a failed connection connects again', async () => {
  let away = true;
  const flaky: PostgresPool = {
    query: (text, values) =>
      away ? Promise.reject(new Error('no connection')) : pool.query(text, values),
  };
  const store = postgresStore(flaky);
  await expect(store.set('a', 1)).rejects.toThrow(
    'postgresStore could not write a value: no connection',
  );
  away = false;
  await store.set('a', 1);
  expect((await store.get('a'))?.value).toBe(1);
});

test('close() of an unused store opens no connection', async () => {
  await postgresStore('postgres://nowhere.invalid/none').close();
});
