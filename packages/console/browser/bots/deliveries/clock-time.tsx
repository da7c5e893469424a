const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** A time of a log, `10:02:31.042`, with the day if it is not today. */
export function clockText(ms: number): string {
  const at = new Date(ms);
  const time = `${clock.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return at.toDateString() === new Date().toDateString() ? time : `${day.format(at)} ${time}`;
}

/** A local time to the millisecond; its title says the same in UTC and as a number. */
export const ClockTime = ({ ms }: { ms: number }) => {
  const iso = new Date(ms).toISOString();
  return (
    <time class="time" dateTime={iso} title={`${iso}\n${ms}`}>
      {clockText(ms)}
    </time>
  );
};
