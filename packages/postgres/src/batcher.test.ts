import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { Batcher, batchedReads, type BatcherOptions, fulfilled } from './batcher.ts';
import { createTestDatabase } from './create-test-database.fixture.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** A batcher that doubles numbers, rejects negative ones, and notes its batches. */
function doubles(options?: BatcherOptions) {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, number>(async (numbers) => {
    batches.push(numbers);
    await new Promise(setImmediate);
    return Promise.allSettled(
      numbers.map(async (n) => {
        if (n < 0) throw new Error(`${n} is negative`);
        return n * 2;
      }),
    );
  }, options);
  return { batches, batcher };
}

/** A batcher of statements that fail in the database for 0, and end their connection for 99. */
async function divisions(options?: BatcherOptions) {
  const made = await createTestDatabase({ migrations: [] });
  const { kysely } = made.database;
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, number>(async (numbers) => {
    batches.push(numbers);
    if (numbers.includes(99))
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(kysely);
    const { rows } = await sql<{ result: number }>`
      select 10 / n as result from unnest(${[...numbers]}::integer[]) n`.execute(kysely);
    return fulfilled(rows.map(({ result }) => result));
  }, options);
  const addAll = (numbers: readonly number[]) =>
    Promise.allSettled(numbers.map((n) => batcher.add(n)));
  return { batches, addAll, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}

const statuses = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map(({ status }) => status);

test('requests of one turn share a batch; those that arrive while it runs form the next one', async () => {
  const { batches, batcher } = doubles();
  const first = [1, 2].map((n) => batcher.add(n));
  await expect.poll(() => batches).toEqual([[1, 2]]);
  const others = [3, 4].map((n) => batcher.add(n));
  expect(await Promise.all([...first, ...others])).toEqual([2, 4, 6, 8]);
  expect(await batcher.add(5)).toBe(10);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test('with startsAtOnce the first request starts a batch alone', async () => {
  const { batches, batcher } = doubles({ startsAtOnce: true });
  const first = batcher.add(1);
  expect(batches).toEqual([[1]]);
  expect(await Promise.all([first, batcher.add(2), batcher.add(3)])).toEqual([2, 4, 6]);
  expect(await batcher.add(4)).toBe(8);
  expect(batches).toEqual([[1], [2, 3], [4]]);
});

test.each([
  ['64', undefined, [64, 64, 2]],
  ['its size', { size: 100 }, [100, 30]],
])('a batch has at most %s requests, in their order', async (_, options, sizes) => {
  const { batches, batcher } = doubles(options);
  const numbers = Array.from({ length: 130 }, (_each, at) => at);
  await Promise.all(numbers.map((n) => batcher.add(n)));
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(numbers);
});

test('a rejected request leaves the others of its batch fulfilled', async () => {
  const { batches, batcher } = doubles();
  expect(await Promise.allSettled([1, -2, 3].map((n) => batcher.add(n)))).toMatchObject([
    { value: 2 },
    { reason: { message: '-2 is negative' } },
    { value: 6 },
  ]);
  expect(batches).toHaveLength(1);
});

test('a request without a result rejects', async () => {
  const batcher = new Batcher<number, number>(() => Promise.resolve(fulfilled([1])));
  expect(statuses(await Promise.allSettled([1, 2].map((n) => batcher.add(n))))).toEqual([
    'fulfilled',
    'rejected',
  ]);
});

test('each request of a batch that the database refuses runs again alone, in their order', async () => {
  await using made = await divisions();
  expect(await made.addAll([1, 0, 5])).toMatchObject([
    { value: 10 },
    { reason: { code: '22012' } },
    { value: 2 },
  ]);
  expect(made.batches).toEqual([[1, 0, 5], [1], [0], [5]]);
});

test('requests that arrive while others run again alone wait for all of those', async () => {
  await using made = await divisions();
  const first = made.addAll([1, 0, 5]);
  await expect.poll(() => made.batches.length).toBeGreaterThan(1);
  await Promise.all([first, made.addAll([2, 10])]);
  expect(made.batches).toEqual([[1, 0, 5], [1], [0], [5], [2, 10]]);
});

test('after a lost connection all requests of a batch reject and none runs again', async () => {
  await using made = await divisions();
  expect(statuses(await made.addAll([1, 99, 5]))).toEqual(['rejected', 'rejected', 'rejected']);
  expect(made.batches).toHaveLength(1);
  expect(await made.addAll([5])).toMatchObject([{ value: 2 }]);
});

test('a batch that the database does not answer in time rejects together and does not run again', async () => {
  await using made = await createTestDatabase({ migrations: [] });
  const { kysely } = made.database;
  const batches: (readonly number[])[] = [];
  const reads = batchedReads(async (numbers: readonly number[]) => {
    batches.push(numbers);
    await sql`do 'begin raise query_canceled; end'`.execute(kysely);
    return numbers;
  });
  const results = await Promise.allSettled([1, 2, 3].map((n) => reads.add(n)));
  expect(results).toMatchObject([1, 2, 3].map(() => ({ reason: expect.any(DatabaseUnavailable) })));
  expect(batches).toEqual([[1, 2, 3]]);
});

test('a read that the database refuses fails alone', async () => {
  await using made = await createTestDatabase({ migrations: [] });
  const { kysely } = made.database;
  const reads = batchedReads(async (keys: readonly string[]) => {
    const { rows } = await sql<{ n: number }>`
      select key::integer as n from unnest(${[...keys]}::text[]) key`.execute(kysely);
    return rows.map(({ n }) => n);
  });
  expect(await Promise.allSettled(['1', 'two', '3'].map((key) => reads.add(key)))).toMatchObject([
    { value: 1 },
    { reason: { code: '22P02' } },
    { value: 3 },
  ]);
});

test('a run that calls startNext lets the next batch run beside the rest of its work', async () => {
  const { promise: flushed, resolve: flush } = Promise.withResolvers<void>();
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, number>(async (numbers, startNext) => {
    batches.push(numbers);
    startNext();
    await flushed;
    return fulfilled(numbers);
  });
  const first = batcher.add(1);
  await expect.poll(() => batches).toEqual([[1]]);
  const second = batcher.add(2);
  await expect.poll(() => batches).toEqual([[1], [2]]);
  flush();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('onIdle is called when no request waits, not between two batches', async () => {
  const idleAfter: number[] = [];
  const { batches, batcher } = doubles({ size: 1, onIdle: () => idleAfter.push(batches.length) });
  await Promise.all([1, 2, 3].map((n) => batcher.add(n)));
  await expect.poll(() => idleAfter).toEqual([3]);
  await batcher.add(4);
  await expect.poll(() => idleAfter).toEqual([3, 4]);
});
