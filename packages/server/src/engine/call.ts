import type { EnqueueOptions, Job } from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import type { EventType } from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { Tables } from '../tables.ts';
import type { Emitted, Personal } from './stored-event.ts';

/** A database to read from: it has no method that writes. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'getExecutor'>;
export type Tx = Transaction<Tables>;

/** Records that something happened, for those of the audience who listen; leaves with the commit. */
export type Emit<Types extends EventType> = <T extends Types>(
  event: Emitted<T>,
  audience: readonly number[],
  personal?: Personal,
) => void;

/** What must be known of a job to add it. */
export type JobDescription<P> = Pick<Job<P, never>, 'name' | 'payload' | 'lane' | 'key'>;

/** One transaction, and what follows from it once it has committed. */
export interface Change<Emits extends EventType = EventType> {
  readonly db: Tx;
  readonly emit: Emit<Emits>;
  /** Adds work to be done after the commit; returns the job's id. */
  readonly enqueue: <P>(
    job: JobDescription<P>,
    payload: P,
    options?: EnqueueOptions,
  ) => Promise<string>;
  /** Adds many jobs of one kind with one statement; returns their ids in the same order. */
  readonly enqueueAll: <P>(job: JobDescription<P>, payloads: readonly P[]) => Promise<string[]>;
}
export interface ChangeOptions {
  /** All reads see one moment. */
  readonly snapshot?: boolean;
  /** Called once it is committed and others need not wait for it any more; it may not be on disk. */
  readonly onCommit?: () => void;
}
