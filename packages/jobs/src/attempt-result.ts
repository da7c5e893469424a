import type { Transaction } from '@bellhop/postgres';

export interface ResultParts<Tables> {
  /** Stored with the attempt, up to 32 KiB of JSON. */
  detail?: unknown;
  /**
   * Writes that commit together with this result, once: nothing is written if another worker has
   * taken the job over. `tx.last`, `tx.notify` and `enqueue` work here. `delayMs` is the time until
   * the next attempt if there is one, else 0.
   */
  write?: (tx: Transaction<Tables>, ending: { readonly delayMs: number }) => Promise<unknown>;
}

/** The result of `run`. */
export type AttemptResult<Tables> = ResultParts<Tables> &
  (
    | { kind: 'done'; result?: unknown }
    | { kind: 'retry'; reason: string; afterSeconds?: number }
    | { kind: 'dead'; reason: string }
  );

/** The job is done; `result` is stored in its row. */
export function done<Tables>(
  options: ResultParts<Tables> & { result?: unknown } = {},
): AttemptResult<Tables> {
  return { kind: 'done', ...options };
}

/** The attempt failed. The next one follows the schedule, but waits at least `afterSeconds` (at most 10 h). */
export function retry<Tables>(
  options: ResultParts<Tables> & { reason: string; afterSeconds?: number },
): AttemptResult<Tables> {
  return { kind: 'retry', ...options };
}

/** The job cannot succeed: no more attempts. */
export function dead<Tables>(
  options: ResultParts<Tables> & { reason: string },
): AttemptResult<Tables> {
  return { kind: 'dead', ...options };
}
