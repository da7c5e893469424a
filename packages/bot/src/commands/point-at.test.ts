import { expect, test } from 'vitest';

import { pointAt } from './point-at.ts';

function pointedAt(text: string, word: string) {
  const start = text.indexOf(word);
  return pointAt(text, { start, end: start + word.length });
}

test.each([
  ['deploy prood main', 'prood', 'deploy prood main\n       ^^^^^'],
  ['deploy "東京" prood', 'prood', 'deploy "東京" prood\n              ^^^^^'],
  ['deploy 🚀 prood', 'prood', 'deploy 🚀 prood\n          ^^^^^'],
  ['deploy 東京', '東京', 'deploy 東京\n       ^^^^'],
  ['deploy\tprood', 'prood', 'deploy prood\n       ^^^^^'],
  ['first line\nsecond prood\nthird', 'prood', 'second prood\n       ^^^^^'],
  ['deploy \u202eprood', 'prood', 'deploy prood\n       ^^^^^'],
])('%j is shown with carets under %j', (text, word, shown) => {
  expect(pointedAt(text, word)).toBe(shown);
});

test('an empty span gets one caret', () => {
  expect(pointAt('deploy ', { start: 7, end: 7 })).toBe('deploy\n       ^');
});

test('a long line is cut on both sides of the span', () => {
  const text = `${'a '.repeat(10_000)}prood ${'b '.repeat(10_000)}`;
  expect(pointedAt(text, 'prood')).toBe(
    `…${'a '.repeat(25)}prood ${'b '.repeat(14)}b…\n${' '.repeat(51)}^^^^^`,
  );
});

test('a long span is cut, and its carets match the cut text', () => {
  expect(pointedAt(`say ${'x'.repeat(1000)}`, 'x'.repeat(1000))).toBe(
    `say ${'x'.repeat(50)}…${'x'.repeat(30)}…\n    ${'^'.repeat(51)}`,
  );
});
