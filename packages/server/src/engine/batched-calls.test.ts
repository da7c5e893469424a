import { expect, test } from 'vitest';

import { BatchedCalls } from './batched-calls.ts';

test('calls during a batch wait for it and then run as one batch, each with its own result', async () => {
  const batches: (readonly number[])[] = [];
  const calls = new BatchedCalls(async (items: readonly number[]) => {
    batches.push(items);
    await new Promise(setImmediate);
    return items.map((item) => item * 2);
  });
  expect(await Promise.all([1, 2, 3].map((item) => calls.add(item)))).toEqual([2, 4, 6]);
  expect(await calls.add(4)).toBe(8);
  expect(batches).toEqual([[1], [2, 3], [4]]);
});

test('a batch that fails rejects its own calls only', async () => {
  const calls = new BatchedCalls(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('failed');
    return items;
  });
  const [first, ...failed] = await Promise.allSettled(
    ['good', 'bad', 'with it'].map((item) => calls.add(item)),
  );
  expect(first).toMatchObject({ value: 'good' });
  for (const one of failed) expect(one).toMatchObject({ status: 'rejected' });
  expect(await calls.add('good')).toBe('good');
});
