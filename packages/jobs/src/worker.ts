import type { Batcher, Database } from '@bellhop/postgres';

import type { AttemptResult } from './attempt-result.ts';
import type { ClaimedJob } from './claim.ts';
import type { Ending } from './ending.ts';
import type { Job } from './job.ts';

/** Ends without a result: another worker has taken the job over, or the program stops. */
export type Interruption = 'lost' | 'released';

export interface RunningAttempt {
  claimed: ClaimedJob;
  abort: AbortController;
  /** Ends the attempt without waiting for its run. */
  interrupt: (end: AttemptResult<unknown> | Interruption) => void;
  /** True while the end of the attempt is being written: its lease is not renewed any more. */
  isEnding: boolean;
}

/** State that all lanes of one node share. */
export interface Worker<Context> {
  database: Database<unknown>;
  context: Context;
  jobs: Map<string, Job<unknown, Context>>;
  running: Map<string, RunningAttempt>;
  attempts: Record<Ending['outcome'], number>;
  leaseMs: number;
  isStopping: boolean;
  /** Null: the database's clock. */
  now: () => Date | null;
  random: () => number;
  /** False for an ending of a job that another worker has taken over. */
  endings: Batcher<Ending, boolean>;
  log: (message: string, error?: unknown) => void;
}
