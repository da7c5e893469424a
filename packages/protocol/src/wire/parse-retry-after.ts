import { parseHttpDate } from '../values/calendar-time.ts';

const ONE_DAY = 86_400;

/**
 * The seconds to wait that a `Retry-After` header asks for, from 0 to one day. The header holds a
 * number of seconds or an HTTP date (RFC 9110, section 10.2.3). Undefined for anything else.
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const seconds = /^\d+(?:\.\d+)?$/.test(text)
    ? Number(text)
    : (parseHttpDate(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), ONE_DAY);
}
