import { expect, test } from 'vitest';

import { alertWordsOf } from './alert-words.ts';

const words = alertWordsOf(['Lunch', 'c++', '@team', 'coffee break', 'naïve', ' ', '...']);

test.each([
  ['lunch', ['Lunch']],
  ['LUNCH!', ['Lunch']],
  ['lunch lunch', ['Lunch']],
  ['lunchbox brunch_lunch', []],
  ['I like C++.', ['c++']],
  ['c+', []],
  ['hi @team', ['@team']],
  ['hi team', []],
  ['a coffee break, then lunch', ['coffee break', 'Lunch']],
  ['coffee', []],
  ['so naïve', ['naïve']],
  ['', []],
])('%j', (content, expected) => expect(words.foundIn(content)).toEqual(expected));

test('without words nothing is found', () => {
  expect(alertWordsOf([]).foundIn('lunch')).toEqual([]);
});
