import { expect, test } from 'vitest';

import { keyMutex } from './key-mutex.ts';

test('keyMutex runs work of one key in order, also after a failure, and other keys meanwhile', async () => {
  const inOrder = keyMutex();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inOrder('a', async () => {
    await gate.promise;
    seen.push('first of a');
    throw new Error('failed');
  });
  const second = inOrder('a', async () => seen.push('second of a'));
  await inOrder('b', async () => seen.push('b'));
  expect(seen).toEqual(['b']);
  gate.resolve();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(seen).toEqual(['b', 'first of a', 'second of a']);
});

test('idle resolves when no work runs or waits', async () => {
  const inOrder = keyMutex();
  const gate = Promise.withResolvers<void>();
  let done = 0;
  const work = [1, 2, 3].map(() => inOrder('a', () => gate.promise.then(() => void done++)));
  const idle = inOrder.idle().then(() => done);
  gate.resolve();
  expect(await idle).toBe(3);
  await Promise.all(work);
});
