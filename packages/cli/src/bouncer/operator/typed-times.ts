const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `6h` or `2d` as milliseconds. Throws a SyntaxError. */
export function parseDuration(text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new SyntaxError('write how long, as 30m, 6h or 2d');
}

/** Milliseconds as `parseDuration` reads them, in the largest unit that fits. */
export function durationText(ms: number): string {
  const fitting = Object.entries(units).findLast(([, unit]) => ms % unit === 0);
  return fitting ? `${ms / fitting[1]}${fitting[0]}` : `${ms} ms`;
}

/**
 * A time of UTC such as `2026-11-28` or `2026-11-28 14:30`, or how long ago it was, such as `6h`, as UNIX
 * milliseconds. Throws a SyntaxError.
 */
export function parseTime(text: string): number {
  const ago = durationOf(text);
  const written = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?Z?)?$/.exec(text.trim());
  const iso = written && `${written[1]}T${written[2] ?? '00:00'}${written[3] ?? ':00'}.000Z`;
  const ms = ago === undefined ? Date.parse(iso ?? '') : Date.now() - ago;
  // A date such as February 30 is read as one of March.
  if (ms >= 0 && (iso === null || new Date(ms).toISOString() === iso)) return ms;
  throw new SyntaxError(
    'write a time of UTC, as 2026-11-28 or "2026-11-28 14:30", or how long ago, as 6h',
  );
}

function durationOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
