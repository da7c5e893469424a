import { isDay, plainForm } from '@bellhop/protocol';

/** A filter as a person writes it: `status:failed trigger:mention words`. */
export interface Filter {
  /** Terms by key; of a repeated key the last value. */
  readonly terms: Readonly<Record<string, string>>;
  /** Everything that is no term. */
  readonly words: string;
  /** Keys that do not exist, as `stats:`, and terms whose value is no time, as `after:soon`. */
  readonly unknown: readonly string[];
}

const isTimeKey = (key: string): boolean => key === 'after' || key === 'before';

const TOKEN = /([a-z_]+):(?:"([^"]*)"|(\S*))|(\S+)/g;

/** Reads a filter. `keys` are those that exist; values with spaces are in double quotes. The result is in plain form. */
export function parseFilter(text: string, keys: readonly string[]): Filter {
  const terms: Record<string, string> = {};
  const words: string[] = [];
  const unknown: string[] = [];
  for (const [whole, key, quoted, plain] of plainQuotes(plainForm(text)).matchAll(TOKEN)) {
    const value = quoted ?? plain ?? '';
    // An address has a colon, too.
    if (key === undefined || value.startsWith('//')) words.push(whole);
    else if (!keys.includes(key)) unknown.push(`${key}:`);
    else if (isTimeKey(key) && value !== '' && timeOf(value, 0) === undefined)
      unknown.push(`${key}:${value}`);
    else if (value !== '') terms[key] = value;
  }
  return { terms, words: words.join(' '), unknown };
}

const plainQuotes = (text: string) => text.replaceAll(/[“”„«»]/g, '"');

/** The filter with another value of a key. The same value again, or undefined, removes the key. */
export function withTerm(text: string, key: string, value: string | undefined): string {
  const tokens = [...text.matchAll(TOKEN)];
  const others = tokens.filter(([, name]) => name !== key).map(([whole]) => whole);
  const known = tokens.find(([, name]) => name === key);
  const isSame = (known?.[2] ?? known?.[3]) === value;
  if (value === undefined || isSame) return others.join(' ');
  return [...others, `${key}:${/\s/.test(value) ? `"${value}"` : value}`].join(' ');
}

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/**
 * The UNIX time in milliseconds that `10m` (ago) or a date like `2026-11-23T10:00` names; undefined if
 * neither.
 */
export function timeOf(text: string, now: number): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const isTime = isDay(text.slice(0, 10)) && !/T24/i.test(text);
  const at = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
