import type { Transaction } from '@bellhop/postgres';

interface Recorded<Tables> {
  /** Kept with the attempt, up to 32 KiB of JSON: status, milliseconds, the answer's beginning. */
  detail?: unknown;
  /**
   * Writes that commit together with this outcome, once: nothing is written if another worker has
   * taken the job over. `tx.last`, `tx.notify` and adding further jobs all work here.
   */
  write?: (tx: Transaction<Tables>) => Promise<unknown>;
}

/** How an attempt ended. */
export type Outcome<Tables> = Recorded<Tables> &
  (
    | { kind: 'done'; result?: unknown }
    | { kind: 'retry'; reason: string; afterSeconds?: number }
    | { kind: 'dead'; reason: string }
  );

/** The job is done; its result is kept with it. */
export function done<Tables>(
  options: Recorded<Tables> & { result?: unknown } = {},
): Outcome<Tables> {
  return { kind: 'done', ...options };
}

/** Try again, not before `afterSeconds` (a Retry-After; it never shortens the schedule, at most 10 h). */
export function retry<Tables>(
  options: Recorded<Tables> & { reason: string; afterSeconds?: number },
): Outcome<Tables> {
  return { kind: 'retry', ...options };
}

/** It will never succeed: no more attempts. */
export function dead<Tables>(options: Recorded<Tables> & { reason: string }): Outcome<Tables> {
  return { kind: 'dead', ...options };
}
