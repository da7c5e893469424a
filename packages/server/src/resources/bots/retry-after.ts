/** The seconds a Retry-After header asks to wait, given as a number or as a date. */
export function retryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  // Date.parse alone would read a date into almost anything.
  const date = /^\s*[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil(date / 1000 - now));
}
