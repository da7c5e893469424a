import { expect, test } from 'vitest';

import { writeLimit } from './write-limit.ts';

test('a writing call is allowed again a minute after the oldest of as many as are allowed', () => {
  let now = 1000;
  const { take } = writeLimit(2, () => now);
  take();
  now += 20_500;
  take();
  expect(take).toThrow(/You have written 2 times .* Wait 40 seconds/);
  now += 39_500;
  take();
  expect(take).toThrow(/Wait 21 seconds/);
});
