import { openDatabase } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';

import { serverMigrations, type Tables } from '../provision.ts';
import type { Change } from './call.ts';
import { change } from './change.ts';
import { type ChangeTogether, Lanes } from './write-batcher.ts';

const realm = { id: 1 as RealmId };
type Adding = ChangeTogether<number, string>;

/** A table of numbers that takes no 13, and lanes to add some. */
async function numbers() {
  const made = await createTestDatabase<Tables>({ migrations: serverMigrations });
  onTestFinished(() => made[Symbol.asyncDispose]());
  const db = made.database;
  await sql`create table number (n integer check (n <> 13), at integer generated always as identity)`.execute(
    db.kysely,
  );
  const lanes = new Lanes();
  const batches: (readonly number[])[] = [];
  /**
   * Refuses negative ones, divides by all of them while looking, and adds them with the commit. Gives
   * way once where the first batch has a 77.
   */
  const add: Adding = async ({ db: tx }, items) => {
    batches.push(items);
    const outcomes = await Promise.allSettled(
      items.map(async (n) => {
        if (n < 0) throw new Error(`${n} is negative`);
        if (n === 77 && batches.length === 1)
          await sql`do 'begin raise serialization_failure; end'`.execute(tx);
        if (n === 99) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        await sql`select 1 / ${n}::integer`.execute(tx);
        return `added ${n}`;
      }),
    );
    const good = items.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    tx.last(sql`insert into number (n) select * from unnest(${good}::integer[])`.compile(tx));
    return outcomes;
  };
  const join = (item: number, of = realm) =>
    lanes.join(add, {
      realm: of,
      item,
      change: (work, options) => change(db, of, work, options),
    });
  const all = (items: readonly number[]) => Promise.allSettled(items.map((item) => join(item)));
  const stored = async () => {
    const found = await sql<{ n: number }>`select n from number order by at`.execute(db.kysely);
    return found.rows.map(({ n }) => n);
  };
  /** Keeps everybody from adding until it is called back. */
  const hold = async () => {
    const held = Promise.withResolvers<void>();
    const isHolding = Promise.withResolvers<void>();
    void db.transaction(async (tx) => {
      await sql`lock table number`.execute(tx);
      isHolding.resolve();
      await held.promise;
    });
    await isHolding.promise;
    return held.resolve;
  };
  return { url: made.url, db, lanes, batches, add, join, all, stored, hold };
}

const said = (outcomes: readonly PromiseSettledResult<string>[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
  );

test('what comes while others are committed is made together, in its order', async () => {
  const { lanes, batches, join, stored, hold } = await numbers();
  const letGo = await hold();
  const first = join(1);
  await expect.poll(() => batches).toEqual([[1]]);
  const others = [2, 3, 4].map((n) => join(n));
  expect([lanes.waiting, lanes.size]).toEqual([3, 1]);
  letGo();
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 4].map((n) => `added ${n}`));
  expect(batches).toEqual([[1], [2, 3, 4]]);
  expect(await stored()).toEqual([1, 2, 3, 4]);
  expect([lanes.waiting, lanes.size]).toEqual([0, 0]);
});

test('after a serialization failure the whole batch runs again', async () => {
  const { batches, all, stored } = await numbers();
  expect(said(await all([1, 77]))).toEqual(['added 1', 'added 77']);
  expect([batches, await stored()]).toEqual([
    [
      [1, 77],
      [1, 77],
    ],
    [1, 77],
  ]);
});

test('another realm does not wait', async () => {
  const { batches, join } = await numbers();
  await Promise.all([join(1), join(2, { id: 2 as RealmId }), join(3)]);
  expect(batches.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0))).toEqual([[1, 3], [2]]);
});

test('more than 64 share several transactions', async () => {
  const { batches, all, stored } = await numbers();
  const many = Array.from({ length: 130 }, (_, at) => at + 100);
  await all(many);
  expect(batches.map(({ length }) => length)).toEqual([64, 64, 2]);
  expect(await stored()).toEqual(many);
});

test('a refusal is of one alone', async () => {
  const { batches, all, stored } = await numbers();
  expect(said(await all([1, -2, 3]))).toEqual(['added 1', '-2 is negative', 'added 3']);
  expect([batches.length, await stored()]).toEqual([1, [1, 3]]);
});

test.each([
  ['looking', 0, /division by zero/],
  ['writing', 13, /check constraint/],
])('an error of the database while %s is of one alone', async (_, bad, message) => {
  const { lanes, batches, all, stored } = await numbers();
  expect(said(await all([1, bad, -2, 3]))).toEqual([
    'added 1',
    expect.stringMatching(message),
    '-2 is negative',
    'added 3',
  ]);
  expect(batches).toEqual([[1, bad, -2, 3], [1], [bad], [-2], [3]]);
  expect([await stored(), lanes.size]).toEqual([[1, 3], 0]);
});

test('where a connection is lost nothing is made twice: all are told', async () => {
  const { lanes, batches, all, stored } = await numbers();
  const outcomes = await all([1, 99, 3]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([batches.length, await stored(), lanes.size]).toEqual([1, [], 0]);
});

test('what was committed and may not be on disk is not made again', async () => {
  const { db, lanes } = await numbers();
  let made = 0;
  const joining = {
    realm,
    item: 1,
    change: async <T>(work: (made: Change) => Promise<T>): Promise<T> => {
      await change(db, realm, work);
      throw new Error('What was committed may not be on disk');
    },
  };
  const count: ChangeTogether<number, number> = (_, items) => {
    made += items.length;
    return Promise.resolve(items.map((value) => ({ status: 'fulfilled', value })));
  };
  const outcomes = await Promise.allSettled([
    lanes.join(count, joining),
    lanes.join(count, joining),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(made).toBe(2);
});

test('nobody is left waiting when the database closes', async () => {
  const { url, lanes, add, stored } = await numbers();
  const closing = await openDatabase<Tables>(url);
  const joining = {
    realm,
    item: 1,
    change: <T>(work: (made: Change) => Promise<T>) => change(closing, realm, work),
  };
  await lanes.join(add, joining);
  const late = Promise.allSettled([lanes.join(add, joining), lanes.join(add, joining)]);
  await closing.close();
  expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(() => [lanes.waiting, lanes.size]).toEqual([0, 0]);
  expect(await stored()).toEqual([1]);
});
