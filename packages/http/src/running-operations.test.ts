import { expect, test } from 'vitest';

import { RunningOperations } from './running-operations.ts';

test('all who wait for running operations go on when the last one has ended', async () => {
  const operations = new RunningOperations();
  const one = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  void operations.track(one.promise);
  void operations.track(other.promise);
  const ended: string[] = [];
  const waits = ['first', 'second'].map(async (name) => {
    await operations.ended(60_000);
    ended.push(name);
  });
  one.resolve();
  await new Promise(setImmediate);
  expect(ended).toEqual([]);
  other.resolve();
  await Promise.all(waits);
  expect(ended).toEqual(['first', 'second']);
});
