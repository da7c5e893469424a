import { plainForm, wordKey } from '@bellhop/protocol';

import { parseFilter, timeOf } from './filter-text.ts';

/** The keys by which every list is filtered. */
export const timeKeys = { after: ['10m', '1h', '1d'], before: ['10m', '1h', '1d'] };

interface Matched<T> {
  readonly keys: readonly string[];
  /** UNIX milliseconds. */
  readonly timeOf: (row: T) => number;
  /** The value that a key filters by; undefined matches none. */
  readonly valueOf: (row: T, key: string) => string | undefined;
  /** The text that has the words. */
  readonly textOf: (row: T) => string;
}

/** Whether a row matches a filter: in time, in each term, and in all words. */
export function matcher<T>(text: string, now: number, matched: Matched<T>): (row: T) => boolean {
  const { terms, words } = parseFilter(text, matched.keys);
  const { after, before, ...values } = terms;
  const since = after === undefined ? -Infinity : (timeOf(after, now) ?? NaN);
  const until = before === undefined ? Infinity : (timeOf(before, now) ?? NaN);
  const wanted = wordKey(words).split(/\s+/);
  return (row) => {
    const at = matched.timeOf(row);
    if (!(at >= since && at < until)) return false;
    const differs = ([key, value]: readonly [string, string]) =>
      plainForm(matched.valueOf(row, key) ?? '') !== value;
    if (Object.entries(values).some(differs)) return false;
    const all = wordKey(matched.textOf(row));
    return wanted.every((word) => all.includes(word));
  };
}
