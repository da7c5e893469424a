import { ApiError } from '@bellhop/protocol/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { limitedAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';

/** At most `count` calls in `seconds`. */
export interface RateRule {
  readonly count: number;
  readonly seconds: number;
}
/** Counts a call. Throws RATE_LIMIT_HIT if any rule is exceeded. */
export interface RateLimit {
  (key: string, exchange: Exchange): Promise<void>;
  /** Throws RATE_LIMIT_HIT if the next call would exceed a rule. Counts nothing. */
  readonly requireRoom: (key: string, exchange: Exchange) => Promise<void>;
}
/** Counts calls of the address of a request. */
export interface AddressRateLimit {
  (exchange: Exchange): Promise<void>;
  readonly requireRoom: (exchange: Exchange) => Promise<void>;
}

/**
 * Counts calls of a key against every rule, in this process. Sets `X-RateLimit-Limit` (the largest
 * count of the rules), `-Remaining` and `-Reset` (UNIX seconds).
 */
export function rateLimit(rules: readonly RateRule[]): RateLimit {
  const limit = Math.max(...rules.map(({ count }) => count));
  const limiters = rules.map(
    ({ count, seconds }) => new RateLimiterMemory({ points: count, duration: seconds }),
  );
  const consume = async (key: string, exchange: Exchange) => {
    const states: RateLimiterRes[] = [];
    let retryMs = 0;
    for (const limiter of limiters)
      states.push(
        await limiter.consume(key).catch((refused: unknown) => {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          retryMs = Math.max(retryMs, refused.msBeforeNext);
          return refused;
        }),
      );
    report(exchange, { limit, states });
    if (retryMs > 0) throw limitHit(retryMs);
  };
  const requireRoom = async (key: string, exchange: Exchange) => {
    const states = await Promise.all(limiters.map((limiter) => limiter.get(key)));
    const full = states
      .filter((state) => state !== null)
      .filter(({ remainingPoints, msBeforeNext }) => remainingPoints <= 0 && msBeforeNext > 0);
    if (full.length === 0) return;
    report(exchange, { limit, states: full });
    throw limitHit(Math.max(...full.map(({ msBeforeNext }) => msBeforeNext)));
  };
  return Object.assign(consume, { requireRoom });
}

/** As `rateLimit`, for each address of callers, as `limitedAddress` tells them apart. */
export function rateLimitByAddress(rules: readonly RateRule[]): AddressRateLimit {
  const limit = rateLimit(rules);
  const count = (exchange: Exchange) => limit(limitedAddress(exchange.ip), exchange);
  const requireRoom = (exchange: Exchange) =>
    limit.requireRoom(limitedAddress(exchange.ip), exchange);
  return Object.assign(count, { requireRoom });
}

const limitHit = (retryMs: number) =>
  new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': Math.ceil(retryMs) / 1000 } });

interface Report {
  readonly limit: number;
  readonly states: readonly RateLimiterRes[];
}

function report({ setHeader }: Exchange, { limit, states }: Report): void {
  const remaining = Math.min(...states.map(({ remainingPoints }) => remainingPoints));
  const resetMs = Math.max(...states.map(({ msBeforeNext }) => msBeforeNext));
  setHeader('x-ratelimit-limit', String(limit));
  setHeader('x-ratelimit-remaining', String(remaining));
  setHeader('x-ratelimit-reset', String(Math.ceil((Date.now() + resetMs) / 1000)));
}
