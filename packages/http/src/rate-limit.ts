import { ApiError } from '@bellhop/protocol';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import type { Exchange } from './exchange.ts';

/** At most `count` calls in `seconds`. */
export interface RateRule {
  readonly count: number;
  readonly seconds: number;
}
export type RateLimit = (key: string, exchange: Exchange) => Promise<void>;

/**
 * Counts calls of a key against every rule, in this process. Sets `X-RateLimit-Limit` (the largest
 * count of the rules), `-Remaining` and `-Reset` (UNIX seconds). Throws RATE_LIMIT_HIT if any rule is
 * exceeded.
 */
export function rateLimit(rules: readonly RateRule[]): RateLimit {
  const limit = String(Math.max(...rules.map(({ count }) => count)));
  const limiters = rules.map(
    ({ count, seconds }) => new RateLimiterMemory({ points: count, duration: seconds }),
  );
  return async (key, { setHeader }) => {
    let remaining = Infinity;
    let resetMs = 0;
    let retryMs = 0;
    for (const limiter of limiters) {
      const state = await limiter.consume(key).catch((refused: unknown) => {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        retryMs = Math.max(retryMs, refused.msBeforeNext);
        return refused;
      });
      remaining = Math.min(remaining, state.remainingPoints);
      resetMs = Math.max(resetMs, state.msBeforeNext);
    }
    setHeader('x-ratelimit-limit', limit);
    setHeader('x-ratelimit-remaining', String(remaining));
    setHeader('x-ratelimit-reset', String(Math.ceil((Date.now() + resetMs) / 1000)));
    if (retryMs > 0)
      throw new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': Math.ceil(retryMs) / 1000 } });
  };
}
