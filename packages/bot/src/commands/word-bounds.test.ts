import { expect, test } from 'vitest';

import { isSpace, spaceEnd, wordEnd } from './word-bounds.ts';

test('isSpace agrees with the regular expression \\s for every UTF-16 unit except U+FEFF', () => {
  for (let code = 0; code < 65_536; code += 1) {
    expect(isSpace(code)).toBe(code !== 0xfeff && /\s/.test(String.fromCharCode(code)));
  }
});

test('wordEnd and spaceEnd return the end of a word and of the space after it', () => {
  expect(wordEnd('ab  c', 0)).toBe(2);
  expect(spaceEnd('ab \u00a0c', 2)).toBe(4);
  expect(spaceEnd('ab', 0)).toBe(0);
  expect(wordEnd('ab', 2)).toBe(2);
});
