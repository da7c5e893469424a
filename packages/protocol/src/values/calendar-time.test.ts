import { expect, test } from 'vitest';

import { inCalendar, isDay, parseHttpDate, parseIsoTime } from './calendar-time.ts';

test.each(['0001-01-01', '2024-02-29', '9999-12-31'])('%s is a day', (text) => {
  expect(isDay(text)).toBe(true);
});

test.each(['0000-01-01', '2021-02-30', '2023-02-29', '2021-13-01', '2021-00-10', '2021-1-1', ''])(
  '%j is no day',
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

test.each([
  ['2021-02-28', '2021-02-28T00:00:00.000Z'],
  ['2021-02-28T10:00', '2021-02-28T10:00:00.000Z'],
  ['2021-02-28 10:00:01.123456z', '2021-02-28T10:00:01.123Z'],
  ['2021-02-28T10:00+0130', '2021-02-28T08:30:00.000Z'],
  ['2021-02-28T10:00:00-02:00', '2021-02-28T12:00:00.000Z'],
])('parseIsoTime reads %s as %s', (text, instant) => {
  expect(parseIsoTime(text)).toBe(Date.parse(instant));
});

test.each([
  '2021-02-30T10:00Z',
  '2021-04-31',
  '2021-02-28T24:00',
  '2021-02-28T10:60',
  '2021-02-28T10:00+25:00',
  '0000-06-01T10:00Z',
  '-001199-01-01T00:00Z',
  '+010000-01-01T00:00Z',
  '10000-01-01',
  // In UTC these are in the years 0 and 10000.
  '0001-01-01T00:00+01:00',
  '9999-12-31T23:30-01:00',
  'soon',
  '',
])('parseIsoTime reads no time in %j', (text) => {
  expect(parseIsoTime(text)).toBeNaN();
});

test('inCalendar keeps the years 1 to 9999', () => {
  expect(inCalendar(0)).toBe(0);
  expect(inCalendar(Date.UTC(-1199, 0))).toBeNaN();
  expect(inCalendar(Date.UTC(10_000, 0))).toBeNaN();
  expect(inCalendar(Number.NaN)).toBeNaN();
});

const instant = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994',
])('parseHttpDate reads %s', (text) => {
  expect(parseHttpDate(text)).toBe(instant);
});

test.each([
  'Tue, 30 Feb 2021 08:49:37 GMT',
  'Sun, 06 Nov 0000 08:49:37 GMT',
  'Sun, 06 ovD 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:49:37 GMT',
  'Sun, 6 Nov 1994 8:49 GMT',
  'Sunday 5',
  '',
])('parseHttpDate reads no date in %j', (text) => {
  expect(parseHttpDate(text)).toBeNaN();
});
