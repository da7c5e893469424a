import type { Transaction } from '@bellhop/postgres';
import type { ZodType } from 'zod';

import type { AttemptResult } from './attempt-result.ts';

/** The attempt that `run` is called for. */
export interface Attempt {
  /** The same for all attempts; receivers can deduplicate by it. */
  jobId: string;
  /** Counts from 1. */
  number: number;
  /** Failed attempts so far that count in the retry schedule. */
  failures: number;
  /** Whether the job is dead if this attempt fails. */
  isLast: boolean;
  /** Whether `replay` asked for this attempt. */
  isManual: boolean;
  /** Aborted at the time limit, when the lease is lost and when the program stops. */
  signal: AbortSignal;
}

/** The argument of the onDead hook. */
export interface DeadJob<Payload> {
  jobId: string;
  payload: Payload;
  reason: string;
}

/** `Tables`: those of the database, which type the writes of a result. */
export interface JobOptions<Payload, Context, Tables = unknown> {
  /** Stored in the rows: keep it when the code is renamed. */
  name: string;
  /** Checked when the job is enqueued and when it runs. Must be JSON. */
  payload: ZodType<Payload>;
  /** Seconds before each retry, varied by up to 20 %. A failure after the last one is final. */
  retry: readonly number[];
  /** The worker queue: each lane has its own slots. Default 'default'. */
  lane?: string;
  /**
   * Groups jobs, for instance by receiver: at most four attempts of one key run at a time, over all
   * nodes. In a key with a slash the part before it is the owner: at most sixteen attempts of all
   * keys of one owner run at a time. `EnqueueOptions.key` overrides it.
   */
  key?(payload: Payload): string;
  /**
   * Each node divides the slots of the lane evenly among the keys with due jobs, and gives one key at
   * most three quarters of them. Replaces the limit of four attempts per key.
   */
  sharesSlots?: boolean;
  /** Time limit of one attempt. */
  timeoutMs: number;
  /** Enqueues the job in this interval, once over all nodes, with `{}` as payload. */
  everySeconds?: number;
  /**
   * Does the work, outside any transaction. Undefined means done; an error means retry. Database
   * writes belong in the result's `write`, which commits together with the result.
   */
  run(payload: Payload, context: Context, attempt: Attempt): Promise<AttemptResult<Tables> | void>;
  /** Runs in the transaction that marks the job dead. Not called after a manual attempt. */
  onDead?(tx: Transaction<Tables>, dead: DeadJob<Payload>, context: Context): Promise<void>;
}

export type Job<Payload, Context, Tables = unknown> = JobOptions<Payload, Context, Tables> &
  Required<Pick<JobOptions<Payload, Context, Tables>, 'lane'>>;

/** Defines a kind of background work. */
export function job<Payload, Context, Tables = unknown>(
  options: JobOptions<Payload, Context, Tables>,
): Job<Payload, Context, Tables> {
  return { lane: 'default', ...options };
}
