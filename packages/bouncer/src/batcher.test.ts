import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { Batcher } from './batcher.ts';

const fulfilled = (value: string) => ({ status: 'fulfilled', value }) as const;

test('requests that arrive during a batch form the next one, and get their own results', async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (requests: readonly string[]) => {
    sizes.push(requests.length);
    return requests.map((request) => fulfilled(`of ${request}`));
  });
  const first = batcher.add('1');
  await new Promise(setImmediate);
  expect(await Promise.all([first, batcher.add('2'), batcher.add('3')])).toEqual([
    'of 1',
    'of 2',
    'of 3',
  ]);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(3);
  expect(sizes.length).toBeLessThan(3);
});

test('a request that the database refuses fails alone', async () => {
  await using made = await createTestDatabase({ migrations: [] });
  const { kysely } = made.database;
  const batcher = new Batcher(async (requests: readonly string[]) => {
    const { rows } = await sql<{ n: number }>`
      select unnest(${[...requests]}::text[])::int as n`.execute(kysely);
    return rows.map(({ n }) => ({ status: 'fulfilled', value: n }) as const);
  });
  expect(await Promise.allSettled(['1', 'two', '3'].map((one) => batcher.add(one)))).toMatchObject([
    { value: 1 },
    { reason: { code: '22P02' } },
    { value: 3 },
  ]);
});
