import type { IncomingHttpHeaders } from 'node:http2';

import { parseHttpDate } from '@bellhop/protocol/bouncer';

/** A provider refuses tokens that are dated more than a few minutes wrong. */
const TOLERANCE_MS = 120_000;

/**
 * Compares this machine's clock with the `Date` header of a provider's answer: a phrase such as `this
 * machine's clock is 61 minutes ahead`. Undefined if the clocks agree, or without a readable header.
 */
export function clockSkew(headers: IncomingHttpHeaders, nowMs: number): string | undefined {
  const { date } = headers;
  const skewMs = typeof date === 'string' ? nowMs - parseHttpDate(date) : Number.NaN;
  if (Number.isNaN(skewMs) || Math.abs(skewMs) < TOLERANCE_MS) return undefined;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  return `this machine's clock is ${minutes} minutes ${skewMs > 0 ? 'ahead' : 'behind'}`;
}
