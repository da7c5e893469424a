const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

interface TimeProps {
  /** UNIX time. */
  readonly seconds: number;
  /** Leaves out the day. */
  readonly short?: boolean;
}

/** A local time; its title says the same in UTC and as a number. */
export function Time({ seconds, short = false }: TimeProps) {
  const at = new Date(seconds * 1000);
  const isToday = at.toDateString() === new Date().toDateString();
  const text = short || isToday ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`;
  return (
    <time class="time" dateTime={at.toISOString()} title={`${at.toISOString()}\n${seconds}`}>
      {text}
    </time>
  );
}
