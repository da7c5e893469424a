/** The seconds a Retry-After header asks to wait, given as a number or as a date. */
export function retryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil(date / 1000 - now));
}
