import { expect, test } from 'vitest';

import { narrowOf } from './narrow-of.ts';

test.each([
  ['is:starred', [['is', 'starred', false]]],
  ['Is:Starred', [['is', 'starred', false]]],
  ['\u200bｉｓ：ｓｔａｒｒｅｄ\u200b', [['is', 'starred', false]]],
  ['–is:starred', [['is', 'starred', true]]],
  ['-sender:ada@x.org\u200b', [['sender', 'ada@x.org', true]]],
  ['channel:“on call”', [['channel', 'on call', false]]],
  ['channel:ｏｎ', [['channel', 'ｏｎ', false]]],
  ['from:ada@x.org', [['sender', 'ada@x.org', false]]],
  ['dm-including:ada@x.org', [['dm-including', 'ada@x.org', false]]],
  ['“red fox” in http://x', [['search', '“red fox” in http://x', false]]],
])('the search %j has the terms %j', (text, terms) => {
  const narrow = narrowOf({ kind: 'search', text });
  expect(narrow.map(({ operator, operand, negated }) => [operator, operand, negated])).toEqual(
    terms,
  );
});
