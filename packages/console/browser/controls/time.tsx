import { signal } from '@preact/signals';

/** Whether times of day run from 0 to 24; else to 12, with AM and PM. */
export const is24Hours = signal(true);

/** How a time of day is written: for `Intl.DateTimeFormat`. */
export const clockForm = (is24 = is24Hours.value) =>
  ({
    hour: is24 ? '2-digit' : 'numeric',
    minute: '2-digit',
    hourCycle: is24 ? 'h23' : 'h12',
  }) as const;

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const clocks = [false, true].map((is24) => new Intl.DateTimeFormat(undefined, clockForm(is24)));

const timeOfDay = (at: Date, isBare: boolean): string =>
  (clocks[Number(is24Hours.value)] as Intl.DateTimeFormat)
    .formatToParts(at)
    .filter(({ type }) => !isBare || type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim();

interface TimeProps {
  /** UNIX time. */
  readonly seconds: number;
  /** Leaves out the day, and AM or PM. */
  readonly short?: boolean;
}

/** A local time; its title says the same in UTC and as a number. */
export function Time({ seconds, short = false }: TimeProps) {
  const at = new Date(seconds * 1000);
  const isToday = at.toDateString() === new Date().toDateString();
  const text = timeOfDay(at, short);
  return (
    <time class="time" dateTime={at.toISOString()} title={`${at.toISOString()}\n${seconds}`}>
      {short || isToday ? text : `${day.format(at)} ${text}`}
    </time>
  );
}
