import { expect, test } from 'vitest';

import { firstNotJson } from './first-not-json.ts';

test.each([
  '{}',
  '[]',
  ' {"a": [1, -0.5e+3, true, null, {}], "b\\u00e9\\n": "\u{1f600}"} ',
  '\ufeff{"a":1}',
  '""',
  '7',
])('a text that is JSON ends where nothing can follow: %j', (text) => {
  expect(() => void JSON.parse(text.replace('\ufeff', ''))).not.toThrow();
  expect(firstNotJson(text)).toBe(text.length);
  expect(firstNotJson(`${text}x`)).toBe(text.length);
});

test.each([
  ['', 0],
  ['hello', 0],
  ['{', 1],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{"a":}', 5],
  ['{"a"}', 4],
  ['{1:2}', 1],
  ['[1 2]', 3],
  ['[1}', 2],
  ['{"a":1]', 6],
  ['{"a":,}', 5],
  ['"a\tb"', 2],
  ['"a\\x"', 2],
  ['"a\\u00g0"', 2],
  ['"open', 5],
  ['[tru]', 1],
  ['01', 1],
  ['+1', 0],
  ['.5', 0],
  ['{}{}', 2],
  ['\u00a0{}', 0],
  ['{}\ufeff', 2],
])('the text %j is not JSON at %i', (text, at) => {
  expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  expect(firstNotJson(text)).toBe(at);
});
