import { expect, test } from 'vitest';

import { matcher } from './matcher.ts';

const now = Date.UTC(2026, 10, 20, 12);
const minutesAgo = (minutes: number) => now - minutes * 60_000;
const rows = [
  { id: 'a', at: minutesAgo(1), status: 'failed', text: 'Connection refused by café.example' },
  { id: 'b', at: minutesAgo(30), status: 'delivered', text: 'Red fox' },
  { id: 'c', at: minutesAgo(600), status: 'failed', text: 'A fox that is red' },
  { id: 'd', at: minutesAgo(5), status: undefined, text: '' },
];
const found = (text: string) =>
  rows
    .filter(
      matcher<(typeof rows)[number]>(text, now, {
        keys: ['status', 'after', 'before'],
        timeOf: ({ at }) => at,
        valueOf: (row, key) => (key === 'status' ? row.status : undefined),
        textOf: (row) => row.text,
      }),
    )
    .map(({ id }) => id)
    .join('');

test.each([
  ['', 'abcd'],
  ['status:failed', 'ac'],
  ['status:FAILED', ''],
  ['status:none', ''],
  ['red fox', 'bc'],
  ['FOX red', 'bc'],
  ['status:failed fox', 'c'],
  ['after:10m', 'ad'],
  ['before:10m', 'bc'],
  ['after:1h before:10m', 'b'],
  ['after:2026-11-20T11:50', 'ad'],
  // A term that does not exist filters nothing; the field says so.
  ['color:red', 'abcd'],
  ['after:soon', 'abcd'],
])('the filter %j finds the rows %j', (text, ids) => {
  expect(found(text)).toBe(ids);
});
