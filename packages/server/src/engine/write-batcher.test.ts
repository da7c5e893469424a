import { type Database, openDatabase } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';

import { serverMigrations, type Tables } from '../provision.ts';
import type { App } from './app.ts';
import type { Change } from './call.ts';
import { openChanges } from './change.ts';
import { type BatchedWrite, WriteBatcher } from './write-batcher.ts';

const realm = { id: 1 as RealmId };
/** Opens changes that end no logins. */
const changesOf = (db: Database<Tables>) => openChanges({ ...({} as App), db });

/** A table of numbers with a constraint against 13, and a batched write that adds numbers to it. */
async function createNumberTable() {
  const testDatabase = await createTestDatabase<Tables>({ migrations: serverMigrations });
  onTestFinished(() => testDatabase[Symbol.asyncDispose]());
  const { database: db, url } = testDatabase;
  await sql`create table number (n integer check (n <> 13), at integer generated always as identity)`.execute(
    db.kysely,
  );
  const batcher = new WriteBatcher();
  const batches: (readonly number[])[] = [];
  /**
   * Rejects negative numbers, fails in a query for 0 and in the insert for 13. A 77 in the first
   * batch raises a serialization failure.
   */
  const addNumbers: BatchedWrite<number, string> = async ({ db: tx }, numbers) => {
    batches.push(numbers);
    const results = await Promise.allSettled(
      numbers.map(async (n) => {
        if (n < 0) throw new Error(`${n} is negative`);
        if (n === 77 && batches.length === 1)
          await sql`do 'begin raise serialization_failure; end'`.execute(tx);
        await sql`select 1 / ${n}::integer`.execute(tx);
        return `added ${n}`;
      }),
    );
    const accepted = numbers.filter((_, at) => results[at]?.status === 'fulfilled');
    tx.last(sql`insert into number (n) select * from unnest(${accepted}::integer[])`.compile(tx));
    return results;
  };
  const add = (request: number, of = realm) =>
    batcher.add(addNumbers, {
      realm: of,
      request,
      change: (work, options) => changesOf(db).change(of, work, options),
    });
  const addAll = (numbers: readonly number[]) => Promise.allSettled(numbers.map((n) => add(n)));
  const stored = async () => {
    const { rows } = await sql<{ n: number }>`select n from number order by at`.execute(db.kysely);
    return rows.map(({ n }) => n);
  };
  /** Locks the table; returns a function that unlocks it. */
  const lockTable = async () => {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    void db.transaction(async (tx) => {
      await sql`lock table number`.execute(tx);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    return released.resolve;
  };
  return { url, db, batcher, batches, addNumbers, add, addAll, stored, lockTable };
}

const textOf = (results: readonly PromiseSettledResult<string>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
  );

test('requests that arrive during a commit share the next transaction, in their order', async () => {
  const { batches, add, stored, lockTable } = await createNumberTable();
  const unlock = await lockTable();
  const first = add(1);
  await expect.poll(() => batches).toEqual([[1]]);
  const others = [2, 3, 4].map((n) => add(n));
  unlock();
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 4].map((n) => `added ${n}`));
  expect(batches).toEqual([[1], [2, 3, 4]]);
  expect(await stored()).toEqual([1, 2, 3, 4]);
});

test('after a serialization failure the whole batch runs again', async () => {
  const { batches, addAll, stored } = await createNumberTable();
  expect(textOf(await addAll([1, 77]))).toEqual(['added 1', 'added 77']);
  expect(batches).toEqual([
    [1, 77],
    [1, 77],
  ]);
  expect(await stored()).toEqual([1, 77]);
});

test('requests of another realm form a batch of their own', async () => {
  const { batches, add } = await createNumberTable();
  await Promise.all([add(1), add(2, { id: 2 as RealmId }), add(3)]);
  expect(batches.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0))).toEqual([[1, 3], [2]]);
});

test('a rejected request leaves the others of its batch stored', async () => {
  const { batches, addAll, stored } = await createNumberTable();
  expect(textOf(await addAll([1, -2, 3]))).toEqual(['added 1', '-2 is negative', 'added 3']);
  expect([batches.length, await stored()]).toEqual([1, [1, 3]]);
});

test.each([
  ['a query', 0, /division by zero/],
  ['the insert', 13, /check constraint/],
])('after an error of the database in %s each request runs again alone', async (_, bad, error) => {
  const { batches, addAll, stored } = await createNumberTable();
  expect(textOf(await addAll([1, bad, -2, 3]))).toEqual([
    'added 1',
    expect.stringMatching(error),
    '-2 is negative',
    'added 3',
  ]);
  expect(batches).toEqual([[1, bad, -2, 3], [1], [bad], [-2], [3]]);
  expect(await stored()).toEqual([1, 3]);
});

test('a failed flush after the commit rejects every request of the batch; none runs again', async () => {
  const { db, batcher } = await createNumberTable();
  let runs = 0;
  const options = {
    realm,
    request: 1,
    change: async <T>(work: (made: Change) => Promise<T>): Promise<T> => {
      await changesOf(db).change(realm, work);
      throw new Error('What was committed may not be on disk');
    },
  };
  const count: BatchedWrite<number, number> = (_, requests) => {
    runs += requests.length;
    return Promise.resolve(requests.map((value) => ({ status: 'fulfilled', value })));
  };
  const results = await Promise.allSettled([
    batcher.add(count, options),
    batcher.add(count, options),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(2);
});

test('waiting requests are rejected when the database closes', async () => {
  const { url, batcher, addNumbers, stored } = await createNumberTable();
  const closing = await openDatabase<Tables>(url);
  const options = {
    realm,
    request: 1,
    change: <T>(work: (made: Change) => Promise<T>) => changesOf(closing).change(realm, work),
  };
  await batcher.add(addNumbers, options);
  const late = Promise.allSettled([
    batcher.add(addNumbers, options),
    batcher.add(addNumbers, options),
  ]);
  await closing.close();
  expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await stored()).toEqual([1]);
});
