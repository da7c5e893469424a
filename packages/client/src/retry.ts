import { ApiError } from '@bellhop/protocol/plain';

import { ConnectionFailed } from './connection-failed.ts';
import { sleep } from './sleep.ts';

/**
 * How a call is repeated after a temporary error: after a rate limit when it ends; after a
 * lost connection or a server error with increasing waits, if the call may be repeated safely.
 */
export interface RetryPolicy {
  /** Maximum number of repetitions of a call. Default 5. */
  readonly retries?: number;
  /** Longest single wait in milliseconds; a call that would wait longer fails. Default 60 s. */
  readonly maxWaitMs?: number;
  /** Called before each wait with the error and the wait in milliseconds. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  readonly sleep?: typeof sleep;
}

export interface RetryOptions extends RetryPolicy {
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the call may be repeated after any temporary error; else only after rate limits. */
  readonly repeatable?: boolean;
}

/** Repeats a call while its error is temporary; throws the last error. */
export async function retry<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, retries = 5, maxWaitMs = 60_000 } = options;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = waitFor(error, tries, options.repeatable ?? false);
      if (waitMs === undefined || waitMs > maxWaitMs || tries >= retries) throw error;
      options.onRetry?.(error, waitMs);
      await (options.sleep ?? sleep)(waitMs, signal);
    }
  }
}

/** Milliseconds to wait before the next attempt; undefined if the error is permanent. */
function waitFor(error: unknown, tries: number, repeatable: boolean): number | undefined {
  const limited = rateLimitWait(error);
  if (limited !== undefined || !repeatable) return limited;
  const may = error instanceof ApiError ? isTemporary(error) : isPassing(error);
  // Random, so that the clients of a restarting server do not all return at once.
  return may ? Math.min(30_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2) : undefined;
}

/** The wait that a rate limit demands, in milliseconds; undefined for other errors. */
export function rateLimitWait(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMIT_HIT') return undefined;
  const seconds = Number(error.data['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 1000;
}

const isTemporary = ({ status, code }: ApiError) =>
  status >= 500 || code === 'IDEMPOTENCY_KEY_IN_USE';
const isPassing = (error: unknown) => error instanceof ConnectionFailed && error.passing;
