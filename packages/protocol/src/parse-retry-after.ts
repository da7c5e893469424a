const ONE_DAY = 86_400;

/**
 * The seconds to wait that a `Retry-After` header asks for, from 0 to one day. The header holds a
 * number of seconds or an HTTP date (RFC 9110, section 10.2.3). Undefined for anything else.
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : secondsUntil(text, nowMs);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), ONE_DAY);
}

/**
 * NaN if the text is no date. The pattern is needed because `Date.parse` accepts almost any text.
 */
const secondsUntil = (text: string, nowMs: number): number =>
  /^[A-Z][a-z]+,? /.test(text) ? (Date.parse(text) - nowMs) / 1000 : Number.NaN;
