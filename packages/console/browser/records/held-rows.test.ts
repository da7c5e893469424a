import { expect, test } from 'vitest';

import { countWaiting, heldRows } from './held-rows.ts';

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

test('held rows change in place, get older ones, and stay when the list drops them', () => {
  const row = (id: number, text = '') => ({ id, text });
  const keyOf = ({ id }: { readonly id: number }) => String(id);
  const held = [row(6), row(5), row(4)];
  const items = [row(7), row(6, 'changed'), row(4), row(3)];
  expect(heldRows(items, held, keyOf)).toEqual([row(6, 'changed'), row(5), row(4), row(3)]);
  expect(heldRows([row(9), row(8)], held, keyOf)).toEqual(held);
});
