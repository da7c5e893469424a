import { expect, test } from 'vitest';

import { plainText } from './plain-text.ts';

test.each([
  ['Swap Monday?', 'Swap Monday?'],
  ['**Deploy** [v2](https://x.test/v2) to `prod*`, _now_?', 'Deploy v2 to prod*, now?'],
  [
    '@**Ada|12**, @_**Grace** and @*ops*: see #**ops>mail**',
    '@Ada, @Grace and @ops: see #ops>mail',
  ],
  ['# Alert\n\n> disk full\n\n~~old~~ ***both***', 'Alert disk full old both'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['`a * b` or `c`', 'a * b or c'],
  [':fire: At 12:30:45 :+1: or not', 'At 12:30:45 or not'],
])('%j is %j without Markdown', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain);
});

test('a text of many unclosed marks is reduced in linear time', () => {
  const started = performance.now();
  for (const mark of ['[', '**a', '@**', '`', '_a', '<time:']) plainText(mark.repeat(5000));
  expect(performance.now() - started).toBeLessThan(2000);
});
