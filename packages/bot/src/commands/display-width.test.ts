import { expect, test } from 'vitest';

import { cutEnd, cutStart, displayWidth } from './display-width.ts';

test.each([
  ['', 0],
  ['deploy', 6],
  ['Zürich', 6],
  ['Zu\u0308rich', 6],
  ['東京', 4],
  ['한국', 4],
  ['ｶﾅ', 2],
  ['ＡＢ', 4],
  ['🚀', 2],
  ['👩‍🚀', 2],
  ['❤️', 2],
  ['“a”', 3],
  ['\u200b', 0],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('cutEnd and cutStart keep the columns that fit and mark a cut with an ellipsis', () => {
  expect(cutEnd('abc', 3)).toBe('abc');
  expect(cutEnd('abcd', 3)).toBe('abc…');
  expect(cutStart('abcd', 3)).toBe('…bcd');
  expect(cutStart('abc', 3)).toBe('abc');
  expect(cutEnd('東京都', 4)).toBe('東京…');
  expect(cutStart('東京都', 5)).toBe('…京都');
});

test('cutEnd and cutStart shorten a text of 100,000 characters', () => {
  expect(cutEnd('\u0301'.repeat(100_000), 3).length).toBeLessThan(40);
  expect(cutStart('🚀'.repeat(100_000), 4)).toBe('…🚀🚀');
});
