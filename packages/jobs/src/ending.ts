import type { AttemptResult } from './attempt-result.ts';
import type { ClaimedJob } from './claim.ts';

/** The end of an attempt as it is written. `delay_ms`: when the job is due if it is queued again. */
export interface Ending {
  id: string;
  attempt: number;
  state: 'queued' | 'done' | 'dead';
  outcome: 'done' | 'retry' | 'dead' | 'lost' | 'released';
  is_failure: boolean;
  delay_ms: number;
  error?: string;
  detail?: unknown;
  result?: unknown;
}

const maxDelayMs = 10 * 3600 * 1000;
const maxErrorLength = 2000;
const maxDetailLength = 32_768;

interface Schedule {
  retry: readonly number[];
  random: () => number;
}

/** Decides between done, retry and dead, by the result and the retry schedule. */
export function ending<Tables>(
  claimed: ClaimedJob,
  result: AttemptResult<Tables>,
  { retry, random }: Schedule,
): Ending {
  const { id, attempt } = claimed;
  const detail = bounded(result.detail);
  const base = {
    id,
    attempt,
    is_failure: false,
    delay_ms: 0,
    ...(detail !== undefined && { detail }),
  };
  if (result.kind === 'done') {
    const kept = bounded(result.result);
    return { ...base, state: 'done', outcome: 'done', ...(kept !== undefined && { result: kept }) };
  }
  const failed = {
    ...base,
    is_failure: !claimed.is_manual,
    error: result.reason.slice(0, maxErrorLength),
  };
  const delay = claimed.is_manual ? undefined : retry[claimed.failures];
  if (result.kind === 'dead' || delay === undefined) {
    return { ...failed, state: 'dead', outcome: result.kind === 'dead' ? 'dead' : 'retry' };
  }
  const scheduled = Math.round(delay * 1000 * (0.8 + 0.4 * random()));
  const wanted = Math.min((result.afterSeconds ?? 0) * 1000, maxDelayMs);
  return { ...failed, state: 'queued', outcome: 'retry', delay_ms: Math.max(scheduled, wanted) };
}

/** The worker died or lost its lease. Counts as a failure, so that a job that kills workers dies. */
export function lostEnding(claimed: ClaimedJob, retry: readonly number[]): Ending {
  const isOver = claimed.is_manual || claimed.failures >= retry.length;
  return {
    id: claimed.id,
    attempt: claimed.attempt,
    state: isOver ? 'dead' : 'queued',
    outcome: 'lost',
    is_failure: !claimed.is_manual,
    delay_ms: 0,
    error: 'The worker stopped before it finished',
  };
}

/** The program stops. Does not count as a failure; the job is due at once. */
export function releasedEnding({ id, attempt }: ClaimedJob): Ending {
  return { id, attempt, state: 'queued', outcome: 'released', is_failure: false, delay_ms: 0 };
}

function bounded(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length <= maxDetailLength ? value : { truncated: text.slice(0, maxDetailLength) };
}
