import { expect, test } from 'vitest';

import { splitWords } from './split-words.ts';

test.each([
  ['', []],
  [' \n ', []],
  ['  main   staging\n', ['main', 'staging']],
  ['"release 2" now', ['release 2', 'now']],
  ["'release 2' now", ['release 2', 'now']],
  ['“release 2” now', ['release 2', 'now']],
  ["don't stop, it's fine", ["don't", 'stop,', "it's", 'fine']],
  ['""', ['']],
  ['"open end', ['"open', 'end']],
  ['"a b"c d', ['"a', 'b"c', 'd']],
  ['name="a b"', ['name="a', 'b"']],
])('%j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test.each(['"a ', '“ ', "' ", '"'])('a megabyte of %j takes no quadratic time', (piece) => {
  const started = performance.now();
  splitWords(piece.repeat(1_000_000 / piece.length));
  expect(performance.now() - started).toBeLessThan(5000);
});
