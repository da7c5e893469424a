import { expect, test } from 'vitest';

import { parseRetryAfter } from './parse-retry-after.ts';

const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');

test.each([
  ['a number of seconds', '120', 120],
  ['spaces around the number', ' 12 ', 12],
  ['a fraction of a second', '0.5', 0.5],
  ['an HTTP date', 'Sat, 21 Nov 2026 10:01:30 GMT', 90],
  ['an HTTP date of the older form', 'Saturday, 21-Nov-26 10:01:30 GMT', 90],
  ['a day that does not exist', 'Tue, 30 Feb 2027 10:00:00 GMT', undefined],
  ['a word before a number', 'Later 5', undefined],
  ['an HTTP date in the past', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['more seconds than a day has', '99999999', 86_400],
  ['a number too large for a double', '9'.repeat(400), 86_400],
  ['a date more than a day away', 'Sat, 21 Nov 2027 10:00:00 GMT', 86_400],
  ['a negative number', '-1', undefined],
  ['a number with a unit', '5 minutes', undefined],
  ['a word', 'later', undefined],
  ['empty text', '', undefined],
  ['a list of headers', ['1', '2'], undefined],
  ['no header (undefined)', undefined, undefined],
  ['no header (null)', null, undefined],
])('parseRetryAfter reads %s', (_form, header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});
