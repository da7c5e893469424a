import { expect, test } from 'vitest';

import { parseFilter, timeOf, withTerm } from './filter-text.ts';

const keys = ['status', 'after'];

test('parseFilter returns the terms, the words and the unknown keys of a filter', () => {
  expect(parseFilter('status:failed time out after:10m stats:x', keys)).toEqual({
    terms: { status: 'failed', after: '10m' },
    words: 'time out',
    unknown: ['stats:'],
  });
});

test('parseFilter returns a term whose value is no time as unknown', () => {
  const { terms, unknown } = parseFilter('after:2026-02-30 status:failed', keys);
  expect({ terms, unknown }).toEqual({
    terms: { status: 'failed' },
    unknown: ['after:2026-02-30'],
  });
});

test('parseFilter accepts spaces in quotes, omits a term without a value and reads a URL as a word', () => {
  expect(parseFilter('status:"a b" after:', keys)).toMatchObject({ terms: { status: 'a b' } });
  expect(parseFilter('http://127.0.0.1:80/', keys)).toEqual({
    terms: {},
    words: 'http://127.0.0.1:80/',
    unknown: [],
  });
});

test('parseFilter reads a filter in its plain form', () => {
  expect(parseFilter('status：“a b”\u200b ｔｉｍｅ after:１０m', keys)).toEqual({
    terms: { status: 'a b', after: '10m' },
    words: 'time',
    unknown: [],
  });
});

test('withTerm replaces the term with the same key, and removes an equal term', () => {
  expect(withTerm('status:failed x', 'status', 'delivered')).toBe('x status:delivered');
  expect(withTerm('x status:failed', 'status', 'failed')).toBe('x');
  expect(withTerm('', 'status', 'a b')).toBe('status:"a b"');
});

test('timeOf reads an age or a date', () => {
  const now = Date.UTC(2026, 10, 23, 10);
  expect(timeOf('10m', now)).toBe(now - 600_000);
  expect(timeOf('2026-11-23T09:00:00Z', now)).toBe(now - 3_600_000);
  for (const none of ['soon', '2026-02-30', '2026-02-30T10:00Z', '2026-11-23T24:00', '0000-01-01'])
    expect(timeOf(none, now)).toBeUndefined();
});
