import { expect, test } from 'vitest';

import { ConcurrencyLimit } from './concurrency-limit.ts';

test('at most two of five works run at a time, in order, also after one that fails', async () => {
  const limit = new ConcurrencyLimit(2);
  const begun: number[] = [];
  let running = 0;
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) =>
      limit.run(async () => {
        begun.push(n);
        running += 1;
        expect(running).toBeLessThanOrEqual(2);
        await new Promise(setImmediate);
        running -= 1;
        if (n === 2) throw new Error('failed');
        return n;
      }),
    ),
  );
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});
