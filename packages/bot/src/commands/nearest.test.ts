import fc from 'fast-check';
import { expect, test } from 'vitest';

import { editDistance, nearest } from './nearest.ts';

test.each([
  ['deploy', 'deploy', 0],
  ['deplyo', 'deploy', 1],
  ['deply', 'deploy', 1],
  ['deeploy', 'deploy', 1],
  ['duploy', 'deploy', 1],
  ['', 'abc', 3],
  ['ca', 'abc', 3],
])('the edit distance from %j to %j is %i', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test('the edit distance is symmetric, and zero only for equal words', () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

test.each([
  ['stagign', 'staging'],
  ['stgaign', undefined],
  ['prodcution', 'production'],
  ['prodcutoin', 'production'],
  ['Staging', 'staging'],
  ['prodd', 'prod'],
  ['prdo', 'prod'],
  ['prox', 'prod'],
  ['proxy', undefined],
  ['development', undefined],
  ['p', undefined],
  ['x'.repeat(100_000), undefined],
])('nearest(%j) returns %j', (word, meant) => {
  expect(nearest(word, ['staging', 'prod', 'production'])).toBe(meant);
});

test('of two equally close candidates nearest returns the first', () => {
  expect(nearest('prodd', ['prods', 'prod'])).toBe('prods');
});
