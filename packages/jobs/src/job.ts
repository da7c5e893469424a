import type { Database, Transaction } from '@bellhop/postgres';
import type { ZodType } from 'zod';

import type { Outcome } from './outcome.ts';

/** The tables of the database that a context holds, so that final writes are typed. */
export type TablesOf<Context> = Context extends { database: Database<infer Tables> }
  ? Tables
  : unknown;

/** What a run knows about itself. */
export interface Attempt {
  /** The same over all attempts: what a receiver deduplicates by. */
  jobId: string;
  /** Counts from 1 over all attempts. */
  number: number;
  /** Failed attempts so far that the retry schedule was charged with. */
  failures: number;
  /** Whether a failure of this attempt is final. */
  isLast: boolean;
  /** Whether a person asked for this attempt. */
  isManual: boolean;
  /** Aborted at the time limit, when the lease was lost, and when the program stops. */
  signal: AbortSignal;
}

/** A dead job, as its onDead hook is told of it. */
export interface DeadJob<Payload> {
  jobId: string;
  payload: Payload;
  reason: string;
}

export interface JobOptions<Payload, Context> {
  /** Stands in the rows: keep it when the code is renamed. */
  name: string;
  /** Checked when the job is added and again when it runs. Must be JSON. */
  payload: ZodType<Payload>;
  /** Seconds to wait before each retry; each is varied by up to 20 %. After the last comes death. */
  retry: readonly number[];
  /** Jobs of one lane share its slots and cannot hold up another lane. Default 'default'. */
  lane?: string;
  /** Groups jobs, for instance by receiver, unless given when the job is added. */
  key?(payload: Payload): string;
  /** Attempts in flight for one key over all nodes. 1 means strict order: a waiting retry blocks. Default 4. */
  concurrencyPerKey?: number;
  /** Time limit of one attempt. */
  timeoutMs: number;
  /** Runs the job by itself in this interval, once over all nodes, with an empty object as payload. */
  everySeconds?: number;
  /**
   * Does the work, outside any transaction. Nothing returned means done; an error thrown means retry.
   * What it writes belongs in the outcome's `write`, which commits together with the outcome.
   */
  run(
    payload: Payload,
    context: Context,
    attempt: Attempt,
  ): Promise<Outcome<TablesOf<Context>> | void>;
  /** Runs in the transaction that marks the job dead, except after a manual attempt. */
  onDead?(
    tx: Transaction<TablesOf<Context>>,
    dead: DeadJob<Payload>,
    context: Context,
  ): Promise<void>;
}

export type Job<Payload, Context> = JobOptions<Payload, Context> &
  Required<Pick<JobOptions<Payload, Context>, 'lane' | 'concurrencyPerKey'>>;

/** Describes a kind of background work. */
export function job<Payload, Context>(
  options: JobOptions<Payload, Context>,
): Job<Payload, Context> {
  return { lane: 'default', concurrencyPerKey: 4, ...options };
}
