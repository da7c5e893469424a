import { expect, test } from 'vitest';

import { readByteRange } from './read-byte-range.ts';

test.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=2-5', { from: 2, to: 6 }],
  ['bytes=2-', { from: 2, to: 10 }],
  ['bytes=9-99999999999999999999', { from: 9, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-30', { from: 0, to: 10 }],
  ['bytes=-0', 'none'],
  ['bytes=10-', 'none'],
  ['bytes=99-100', 'none'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,4-5', undefined],
  ['lines=0-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('readByteRange of 10 bytes reads %s as %j', (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range);
});

test('readByteRange returns `none` for an empty file', () => {
  expect(readByteRange('bytes=0-', 0)).toBe('none');
  expect(readByteRange('bytes=-1', 0)).toBe('none');
});
