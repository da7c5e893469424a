import { expect, test } from 'vitest';

import { isSpace, spaceEnd, wordEnd } from './word-bounds.ts';

test('white space is what regular expressions take for it', () => {
  for (let code = 0; code < 65_536; code += 1) {
    expect(isSpace(code)).toBe(/\s/.test(String.fromCharCode(code)));
  }
});

test('words and the space between them end where the other begins', () => {
  expect(wordEnd('ab  c', 0)).toBe(2);
  expect(spaceEnd('ab \u00a0c', 2)).toBe(4);
  expect(spaceEnd('ab', 0)).toBe(0);
  expect(wordEnd('ab', 2)).toBe(2);
});
