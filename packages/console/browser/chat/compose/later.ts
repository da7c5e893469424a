/** A moment that people often mean by "later". */
export interface LaterChoice {
  readonly label: string;
  /** UNIX time in seconds. */
  readonly seconds: number;
}

const MORNING = 9;

/** The moments to choose from, by the clock of the browser. */
export function laterChoices(now: Date): readonly LaterChoice[] {
  const after = (minutes: number) => Math.floor(now.getTime() / 1000) + minutes * 60;
  const morning = (days: number) => {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(MORNING, 0, 0, 0);
    return Math.floor(at.getTime() / 1000);
  };
  // On a Monday the next one.
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'In 20 minutes', seconds: after(20) },
    { label: 'In 1 hour', seconds: after(60) },
    { label: 'In 3 hours', seconds: after(180) },
    { label: 'Tomorrow at 9:00', seconds: morning(1) },
    ...(toMonday > 1 ? [{ label: 'Monday at 9:00', seconds: morning(toMonday) }] : []),
  ];
}

/** The UNIX time in seconds of a local date and time such as `2026-11-29T09:00`. Throws unless it is in the future. */
export function secondsOf(local: string, now: Date): number {
  const ms = Date.parse(local);
  if (Number.isNaN(ms)) throw new Error('Choose a date and a time.');
  if (ms <= now.getTime()) throw new Error('Choose a time in the future.');
  return Math.floor(ms / 1000);
}

/** A local date and time as the field for it has it. */
export function localText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
