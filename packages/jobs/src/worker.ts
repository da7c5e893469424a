import type { Database } from '@bellhop/postgres';

import type { ClaimedJob } from './claim.ts';
import type { Ending } from './ending.ts';
import type { Job, TablesOf } from './job.ts';
import type { Outcome } from './outcome.ts';

/** Ends that are not outcomes of the run: another worker has the job, or the program stops. */
export type Interruption = 'lost' | 'released';

export interface RunningAttempt<Context> {
  claimed: ClaimedJob;
  abort: AbortController;
  /** Ends the attempt without waiting for its run. */
  interrupt: (end: Outcome<TablesOf<Context>> | Interruption) => void;
  /** Its outcome is being written: too late to lose it. */
  isEnding: boolean;
}

/** What all lanes of one node share. */
export interface Worker<Context> {
  database: Database<TablesOf<Context>>;
  context: Context;
  jobs: Map<string, Job<unknown, Context>>;
  running: Map<string, RunningAttempt<Context>>;
  attempts: Record<Ending['outcome'], number>;
  leaseMs: number;
  isStopping: boolean;
  /** The time handed in, or null to let the database's clock decide. */
  now: () => Date | null;
  random: () => number;
  end: (ending: Ending) => Promise<boolean>;
  log: (message: string, error?: unknown) => void;
}
