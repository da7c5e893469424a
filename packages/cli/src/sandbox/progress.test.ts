import { expect, test } from 'vitest';

import { progressTo } from './progress.ts';

test('shows each step, how it ended, and begins none after it was asked to end', async () => {
  const lines: string[] = [];
  const asked = new AbortController();
  const progress = progressTo((line) => lines.push(line), asked.signal);
  expect(await progress.step('first', async () => 1)).toBe(1);
  await expect(progress.step('second', () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  asked.abort(new Error('asked to end'));
  await expect(progress.step('third', async () => 3)).rejects.toThrow('asked to end');
  expect(lines.map((line) => line.replace(/\d+\.\d s/, 'T'))).toEqual([
    '  ... first',
    '   ok first (T)',
    '  ... second',
    '   !! second failed (T)',
  ]);
  expect(progress.seconds()).toMatch(/^\d+\.\d s$/);
});
