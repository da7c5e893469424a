import { expect, test } from 'vitest';

import { addressedText } from './addressed-text.ts';

test.each([
  ['@**Echo Bot** deploy main', 'deploy main'],
  ['@**Echo Bot|9** deploy', 'deploy'],
  ['  @**echo bot**\n deploy\nnow ', 'deploy\nnow'],
  ['@**Echo Bot**, hello', 'hello'],
  ['@**Echo Bot**: hello', 'hello'],
  ['@**Echo Bot**', ''],
  ['@**Iago** deploy', '@**Iago** deploy'],
  ['@**Echo Bot 2** deploy', '@**Echo Bot 2** deploy'],
  ['ask @**Echo Bot** please', 'ask @**Echo Bot** please'],
  ['@**Echo Bot', '@**Echo Bot'],
  ['@**Echo Bot** @**Iago** hi', '@**Iago** hi'],
  ['', ''],
])('the addressed text of %j is %j', (content, text) => {
  expect(addressedText(content, 'Echo Bot')).toBe(text);
});

test('a bot name with characters of regular expressions is removed with its mention', () => {
  expect(addressedText('@**R2 (D2)|5** beep', 'R2 (D2)')).toBe('beep');
});
