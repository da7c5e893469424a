import { ApiError } from '@bellhop/protocol';

import { ConnectionFailed } from './connection-failed.ts';
import { sleep } from './sleep.ts';

/**
 * How troubles that pass are waited out: a rate limit for as long as it says, and a lost connection or
 * a failing server, longer each time, where asking twice does no harm.
 */
export interface Patience {
  /** How often something is asked again; 5. */
  readonly retries?: number;
  /** The longest single wait, in milliseconds; 60 s. Who says to wait longer is not waited for. */
  readonly maxWaitMs?: number;
  /** Told of every trouble that is waited out, and for how many milliseconds. */
  readonly onWait?: (error: unknown, waitMs: number) => void;
  readonly sleep?: typeof sleep;
}

export interface Asking extends Patience {
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Whether asking twice does no harm. Without it only rate limits are waited out. */
  readonly repeatable?: boolean;
}

/** Asks again while the trouble is of the passing kind; throws the last one. */
export async function patiently<T>(ask: () => Promise<T>, asking: Asking): Promise<T> {
  const { signal, retries = 5, maxWaitMs = 60_000 } = asking;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = waitFor(error, tries, asking.repeatable ?? false);
      if (waitMs === undefined || waitMs > maxWaitMs || tries >= retries) throw error;
      asking.onWait?.(error, waitMs);
      await (asking.sleep ?? sleep)(waitMs, signal);
    }
  }
}

/** How long to wait, in milliseconds; undefined where waiting does not help. */
function waitFor(error: unknown, tries: number, repeatable: boolean): number | undefined {
  const limited = rateLimitWait(error);
  if (limited !== undefined || !repeatable) return limited;
  const may = error instanceof ApiError ? error.status >= 500 : isPassing(error);
  // Spread out, so that all the clients of a server that restarts do not come back at once.
  return may ? Math.min(30_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2) : undefined;
}

/** How long a rate limit says to wait, in milliseconds; undefined for any other error. */
export function rateLimitWait(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMIT_HIT') return undefined;
  const seconds = Number(error.data['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 1000;
}

const isPassing = (error: unknown) => error instanceof ConnectionFailed && error.passing;
