import { expect, test } from 'vitest';

import { countWaiting } from './held-rows.ts';

test('rows newer than the held ones wait, older ones do not', () => {
  expect(countWaiting(['5', '4', '3', '2', '1'], new Set(['3', '2']))).toBe(2);
});

test('no row waits in a list that is not held', () => {
  expect(countWaiting(['2', '1'], undefined)).toBe(0);
});

test('every row waits when the list was empty, or when all held rows are gone', () => {
  expect(countWaiting(['2', '1'], new Set())).toBe(2);
  expect(countWaiting(['2', '1'], new Set(['0']))).toBe(2);
});
