import { expect, test } from 'vitest';

import { progressTo } from './progress.ts';

test('progress prints each step and its result, and runs no step once it is aborted', async () => {
  const lines: string[] = [];
  const stopping = new AbortController();
  const progress = progressTo((line) => lines.push(line), stopping.signal);
  expect(await progress.step('first', async () => 1)).toBe(1);
  await expect(progress.step('second', () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  stopping.abort(new Error('stopping to end'));
  await expect(progress.step('third', async () => 3)).rejects.toThrow('stopping to end');
  expect(lines.map((line) => line.replace(/\d+\.\d s/, 'T'))).toEqual([
    '  ... first',
    '   ok first (T)',
    '  ... second',
    '   !! second failed (T)',
  ]);
  expect(progress.seconds()).toMatch(/^\d+\.\d s$/);
});

test('a step that fails while the program stops is not printed as a failure', async () => {
  const lines: string[] = [];
  const stopping = new AbortController();
  const progress = progressTo((line) => lines.push(line), stopping.signal);
  const database = progress.step('PostgreSQL', async () => {
    stopping.abort();
    throw new Error('PostgreSQL ended');
  });
  await expect(database).rejects.toThrow('PostgreSQL ended');
  expect(lines).toEqual(['  ... PostgreSQL']);
});
