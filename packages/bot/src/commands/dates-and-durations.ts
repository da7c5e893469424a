import { parseIsoTime, plainForm } from '@bellhop/protocol/plain';

/**
 * Parses an ISO 8601 date with an optional time, in UTC unless the text has an offset. Also parses
 * a timestamp `<time:...>` of a message. Undefined for days that do not exist.
 */
export function readDate(text: string): Date | undefined {
  const ms = parseIsoTime(timeTag(plainForm(text)));
  return Number.isNaN(ms) ? undefined : new Date(ms);
}

const timeTag = (text: string) => /^<time:([^<>]*)>$/.exec(text)?.[1] ?? text;

const UNITS = new Map([
  ...['ms', 'msec', 'millisecond', 'milliseconds'].map((unit) => [unit, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((unit) => [unit, 1000] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((unit) => [unit, 60_000] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((unit) => [unit, 3_600_000] as const),
  ...['d', 'day', 'days'].map((unit) => [unit, 86_400_000] as const),
  ...['w', 'week', 'weeks'].map((unit) => [unit, 604_800_000] as const),
]);

/** Parses a duration into milliseconds: `90s`, `1h30m`, `1.5d`, `2 hours and 5 minutes`, `an hour`. */
export function readDuration(typed: string): number | undefined {
  const text = plainForm(typed);
  // A separator belongs to the duration only if another count follows.
  const parts = /(\d+(?:\.\d+)?|^an?(?= )) *([a-z]+) *(?:(?:,|and|, *and) *(?=\d))?/giy;
  let total = 0;
  for (let at = 0; at < text.length; at = parts.lastIndex) {
    const [, count, unit = ''] = parts.exec(text) ?? [];
    const length = UNITS.get(unit.toLowerCase());
    if (length === undefined) return undefined;
    total += (Number.isNaN(Number(count)) ? 1 : Number(count)) * length;
  }
  const rounded = Math.round(total);
  return text !== '' && Number.isSafeInteger(rounded) ? rounded : undefined;
}
