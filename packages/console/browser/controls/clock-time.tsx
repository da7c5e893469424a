const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** A local time to the millisecond: `10:02:31.042`. */
export const localClock = (ms: number): string => clock.format(ms);

/** A local time to the millisecond; its title says the same in UTC and as a number. */
export const ClockTime = ({ ms }: { ms: number }) => {
  const utc = new Date(ms).toISOString();
  return (
    <time class="time mono" dateTime={utc} title={`${utc}\n${ms}`}>
      {localClock(ms)}
    </time>
  );
};
