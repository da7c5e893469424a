import type { ClaimedJob } from './claim.ts';
import type { Outcome } from './outcome.ts';

/** What is written of an attempt that ended; delay_ms says when a job that is queued again is due. */
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

const longestDelayMs = 10 * 3600 * 1000;
const longestError = 2000;
const largestDetail = 32_768;

interface Schedule {
  retry: readonly number[];
  random: () => number;
}

/** Decides what becomes of a job: the schedule says when to retry and when to give up. */
export function ending<Tables>(
  claimed: ClaimedJob,
  outcome: Outcome<Tables>,
  { retry, random }: Schedule,
): Ending {
  const { id, attempt } = claimed;
  const detail = bounded(outcome.detail);
  const base = {
    id,
    attempt,
    is_failure: false,
    delay_ms: 0,
    ...(detail !== undefined && { detail }),
  };
  if (outcome.kind === 'done') {
    const result = bounded(outcome.result);
    return { ...base, state: 'done', outcome: 'done', ...(result !== undefined && { result }) };
  }
  const failed = {
    ...base,
    is_failure: !claimed.is_manual,
    error: outcome.reason.slice(0, longestError),
  };
  const delay = claimed.is_manual ? undefined : retry[claimed.failures];
  if (outcome.kind === 'dead' || delay === undefined) {
    return { ...failed, state: 'dead', outcome: outcome.kind === 'dead' ? 'dead' : 'retry' };
  }
  const scheduled = Math.round(delay * 1000 * (0.8 + 0.4 * random()));
  const asked = Math.min((outcome.afterSeconds ?? 0) * 1000, longestDelayMs);
  return { ...failed, state: 'queued', outcome: 'retry', delay_ms: Math.max(scheduled, asked) };
}

/** A worker died or lost its lease: charged like a failure, so that what kills workers dies too. */
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

/** The program stops: the attempt is not charged, the job is due at once. */
export function releasedEnding({ id, attempt }: ClaimedJob): Ending {
  return { id, attempt, state: 'queued', outcome: 'released', is_failure: false, delay_ms: 0 };
}

function bounded(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length <= largestDetail ? value : { truncated: text.slice(0, largestDetail) };
}
