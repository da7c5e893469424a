import type { Exchange } from '@bellhop/http';

import type { CounterState } from './shared-counters.ts';

interface RateState extends CounterState {
  readonly quota: string;
  readonly limit: number;
  readonly seconds: number;
}

const reported = new WeakMap<Exchange, RateState[]>();

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) for all quotas
 * that the request has counted against, and the older `X-RateLimit-*` for the first of them, the
 * quota of requests.
 */
export function reportRates(exchange: Exchange, states: readonly RateState[], nowMs: number): void {
  const all = [...(reported.get(exchange) ?? []), ...states];
  reported.set(exchange, all);
  const [first] = all;
  if (!first) return;
  const policies = all.map(({ quota, limit, seconds }) => `"${quota}";q=${limit};w=${seconds}`);
  const limits = all.map(
    ({ quota, remaining, resetMs }) => `"${quota}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
  );
  exchange.setHeader('ratelimit-policy', policies.join(', '));
  exchange.setHeader('ratelimit', limits.join(', '));
  exchange.setHeader('x-ratelimit-limit', String(first.limit));
  exchange.setHeader('x-ratelimit-remaining', String(first.remaining));
  exchange.setHeader('x-ratelimit-reset', String(Math.ceil((nowMs + first.resetMs) / 1_000)));
}
