import { expect, test } from 'vitest';

import { endBatcher } from './end-batcher.ts';
import { type Ending, releasedEnding } from './ending.ts';

function endingOf(id: string): Ending {
  const claimed = { name: 'note', key: '', payload: {}, attempt: 1, failures: 0, is_manual: false };
  return releasedEnding({ id, ...claimed });
}

test('endings that arrive during a write are written in one batch', async () => {
  const batches: string[][] = [];
  const end = endBatcher(async (endings) => {
    batches.push(endings.map(({ id }) => id));
    return new Set(endings.map(({ id }) => id).filter((id) => id !== 'c'));
  });
  expect(await Promise.all(['a', 'b', 'c'].map((id) => end(endingOf(id))))).toEqual([
    true,
    true,
    false,
  ]);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('a failed write of endings is retried', async () => {
  let writes = 0;
  const end = endBatcher(async () => {
    writes += 1;
    if (writes === 1) throw new Error('connection lost');
    return new Set(['a']);
  });
  expect(await end(endingOf('a'))).toBe(true);
  expect(writes).toBe(2);
});
