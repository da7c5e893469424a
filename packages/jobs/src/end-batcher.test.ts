import { expect, test } from 'vitest';

import { endBatcher } from './end-batcher.ts';
import { type Ending, releasedEnding } from './ending.ts';

function endingOf(id: string): Ending {
  const claimed = { name: 'note', key: '', payload: {}, attempt: 1, failures: 0, is_manual: false };
  return releasedEnding({ id, ...claimed });
}

test('an ending of a job that was taken over is false, the others of its batch are true', async () => {
  const batches: string[][] = [];
  const endings = endBatcher(async (batch) => {
    batches.push(batch.map(({ id }) => id));
    return new Set(batch.map(({ id }) => id).filter((id) => id !== 'c'));
  });
  expect(await Promise.all(['a', 'b', 'c'].map((id) => endings.add(endingOf(id))))).toEqual([
    true,
    true,
    false,
  ]);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('a failed write of endings is retried', async () => {
  let writes = 0;
  const endings = endBatcher(async () => {
    writes += 1;
    if (writes === 1) throw new Error('connection lost');
    return new Set(['a']);
  });
  expect(await endings.add(endingOf('a'))).toBe(true);
  expect(writes).toBe(2);
});
