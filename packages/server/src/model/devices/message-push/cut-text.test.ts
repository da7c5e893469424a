import { expect, test } from 'vitest';

import { cutText } from './cut-text.ts';

const family = '👩‍👩‍👧';

test.each([
  ['a text that fits', 'to be', 5, 'to be'],
  ['ASCII', 'to be or not', 8, 'to be…'],
  ['characters of two bytes', 'ééééé', 9, 'ééé…'],
  ['an emoji of several code points as one', `ab${family}c`, 2 + 18 + 3, `ab${family}c`],
  ['an emoji of several code points as a whole', `ab${family}cdef`, 2 + 17 + 3, 'ab…'],
  ['a line break as the two bytes that JSON needs', '\n\n\n\n', 7, '\n\n…'.trimStart()],
  ['a combining accent with its letter', 'e\u0301e\u0301e\u0301', 6, 'e\u0301…'],
  ['half a surrogate pair as its escape', '\ud800\ud800', 9, '\ud800…'],
  ['no room for the ellipsis', 'to be', 2, ''],
])('cutText counts %s', (_, text, maxBytes, expected) => {
  const cut = cutText(text, maxBytes);
  expect(cut).toBe(expected);
  expect(Buffer.byteLength(JSON.stringify(cut)) - 2).toBeLessThanOrEqual(maxBytes);
});

test.each([
  ['a text that fits', 'to be', 5, 'to be'],
  ['a longer text', 'to be or not', 5, 'to be…'],
  ['a surrogate pair as one', '🐈🐈🐈', 2, '🐈🐈…'],
  ['an emoji of several code points as a whole', `ab${family}c`, 6, 'ab…'],
])('cutText with a limit of characters counts %s', (_, text, maxCharacters, expected) => {
  expect(cutText(text, 1000, maxCharacters)).toBe(expected);
});
