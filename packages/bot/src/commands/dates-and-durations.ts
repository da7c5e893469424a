import { plainForm } from '@bellhop/protocol/plain';

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * Parses an ISO 8601 date with an optional time, in UTC unless the text has an offset. Also parses
 * a timestamp `<time:...>` of a message. Undefined for days that do not exist.
 */
export function readDate(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = DATE.exec(timeTag(plainForm(text))) ?? [];
  if (day === undefined || !dayExists(day)) return undefined;
  const date = new Date(`${day}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const timeTag = (text: string) => /^<time:([^<>]*)>$/.exec(text)?.[1] ?? text;

// Date reads 30 February as 2 March.
function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

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
