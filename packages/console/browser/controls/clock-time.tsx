const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** A local time to the millisecond: `10:02:31.042`. */
const localClock = (ms: number): string => clock.format(ms);

/** The same with the day if it is not today: `3 Nov 10:02:31.042`. */
export function clockText(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? localClock(ms) : `${day.format(ms)} ${localClock(ms)}`;
}

/** A time of a log to the millisecond; its title says the same in UTC and as a number. */
export const ClockTime = ({ ms }: { ms: number }) => {
  const utc = new Date(ms).toISOString();
  return (
    <time class="time" dateTime={utc} title={`${utc}\n${ms}`}>
      {clockText(ms)}
    </time>
  );
};
