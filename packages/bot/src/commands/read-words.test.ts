import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cpuMs } from '../cpu-ms.fixture.ts';
import { readWords } from './read-words.ts';

const textsOf = (text: string) => readWords(text).map((word) => word.text);

test.each([
  ['', []],
  [' \n ', []],
  ['  main   staging\n', ['main', 'staging']],
  ['"release 2" now', ['release 2', 'now']],
  ["'release 2' now", ['release 2', 'now']],
  ['“release 2” now', ['release 2', 'now']],
  ['”release 2” now', ['release 2', 'now']],
  ['„release 2“ now', ['release 2', 'now']],
  ['‘release 2’ now', ['release 2', 'now']],
  ['«release 2» now', ['release 2', 'now']],
  ['`release 2` now', ['release 2', 'now']],
  ['``a ` b`` now', ['``a', '`', 'b``', 'now']],
  ['`` a b `` now', ['a b', 'now']],
  ["don't stop, it's fine", ["don't", 'stop,', "it's", 'fine']],
  ["'don't stop' now", ["don't stop", 'now']],
  ['‘don’t stop’ now', ['don’t stop', 'now']],
  ['""', ['']],
  ['"open end', ['"open', 'end']],
  ['"a b"c d', ['"a', 'b"c', 'd']],
  ['name="a b"', ['name="a', 'b"']],
  [String.raw`"a \"b\" c" d`, ['a "b" c', 'd']],
  [String.raw`"a\\" d`, ['a\\', 'd']],
  [String.raw`"C:\temp" d`, [String.raw`C:\temp`, 'd']],
  ['@**Ann Lee|12** now', ['@**Ann Lee|12**', 'now']],
  ['@_**Ann Lee**, now', ['@_**Ann Lee**,', 'now']],
  ['#**the channel** now', ['#**the channel**', 'now']],
  ['@**Ann Lee now', ['@**Ann', 'Lee', 'now']],
  ['[a page](https://example.com/) now', ['[a page](https://example.com/)', 'now']],
  ['[a page] now', ['[a', 'page]', 'now']],
])('readWords(%j) returns the words %j', (text, words) => {
  expect(textsOf(text)).toEqual(words);
});

test('each quotation mark of Unicode opens a quotation, unless it only closes one', () => {
  const marks = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
    (one) => /\p{Quotation_Mark}/u.test(one),
  );
  const opens = (mark: string) => marks.some((close) => textsOf(`${mark}a b${close}`).length === 1);
  expect(marks.filter((mark) => !opens(mark)).join('')).toBe('’」』〞〟﹂﹄｣');
});

const flagsOf = (text: string) => readWords(text).map((word) => word.flag);

test.each([
  ['--force', '--force', undefined],
  ['--FORCE', '--force', undefined],
  ['—force', '--force', undefined],
  ['–force', '--force', undefined],
  ['-force', '-force', undefined],
  ['-f', '-f', undefined],
  ['−f', '-f', undefined],
  ['--count=3', '--count', '3'],
  ['--count=', '--count', ''],
  ['—note="two words"', '--note', 'two words'],
  ['--to=@**Ann Lee**', '--to', '@**Ann Lee**'],
])('%j is read as the flag %j', (text, name, value) => {
  expect(flagsOf(text)).toEqual([{ name, value }]);
});

test.each(['-', '--', '—', '---', '-5', '--5', '"--force"', '`--force`', 'a--b'])(
  '%j is read as a word, not as a flag',
  (text) => {
    expect(flagsOf(text)).toEqual([undefined]);
  },
);

test('the span of a word includes its quotes', () => {
  expect(readWords(' deploy "a b"').map(({ start, end }) => [start, end])).toEqual([
    [1, 7],
    [8, 13],
  ]);
});

test('every character except white space is in exactly one word', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab \n"\'`“”‘’„«»\\@*#[]()-—=|'.split('')) });
  fc.assert(
    fc.property(text, (typed) => {
      let at = 0;
      for (const { start, end } of readWords(typed)) {
        expect(typed.slice(at, start).trim()).toBe('');
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(typed.slice(at).trim()).toBe('');
    }),
  );
});

test('a text that is quoted and escaped is read unchanged', () => {
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect(textsOf(texts.map(quoted).join(' '))).toEqual(texts);
    }),
  );
});

test.each([
  '"a ',
  '“ ',
  "' ",
  '"',
  '„ ',
  '`` ` ',
  '` ``` ',
  '[ ',
  '[a](',
  '@** ',
  '@**a* ',
  '--a="',
  '\\" ',
  '—',
  '-=',
  ' ',
  "'a'a ",
])('readWords takes less than 1 s for 20 KB of %j', (piece) => {
  const text = piece.repeat(20_000 / piece.length);
  expect(cpuMs(() => readWords(text))).toBeLessThan(1000);
});
