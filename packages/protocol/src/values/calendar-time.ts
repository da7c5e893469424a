/** `Date.parse` takes 30 February for 2 March, and reads almost any text. These read what there is. */

/** Whether a text such as `2026-11-21` is a day of the calendar, in one of the years 1 to 9999. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?\s?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Milliseconds since 1970 of an ISO 8601 date with an optional time, in UTC unless the text has an
 * offset. NaN for a day or a time that does not exist, and outside of the years 1 to 9999.
 */
export function parseIsoTime(text: string): number {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? [];
  // The day ends before 24:00, which `Date` takes for the next one.
  if (!isDay(day) || time.startsWith('24')) return Number.NaN;
  return inCalendar(Date.parse(`${day}T${time}${zone.toUpperCase()}`));
}

const FIRST = Date.parse('0001-01-01T00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The same milliseconds since 1970; NaN outside of the years 1 to 9999. */
export const inCalendar = (ms: number): number => (ms >= FIRST && ms <= LAST ? ms : Number.NaN);

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The three forms of RFC 9110, section 5.6.7. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC)$/,
  /^[A-Z][a-z]+, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Milliseconds since 1970 of the date in a header of HTTP; NaN if the text is none. */
export function parseHttpDate(text: string): number {
  for (const form of HTTP_DATES) {
    const { day = '', month = '', year = '', time } = form.exec(text)?.groups ?? {};
    const number = MONTHS.indexOf(month) / 3 + 1;
    if (time === undefined || !Number.isInteger(number) || number < 1) continue;
    const century = year.length === 4 ? '' : Number(year) < 70 ? '20' : '19';
    const padded = [number, day.trim()].map((part) => String(part).padStart(2, '0')).join('-');
    return parseIsoTime(`${century}${year}-${padded}T${time}Z`);
  }
  return Number.NaN;
}
