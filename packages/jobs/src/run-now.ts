import { jsonb, type Transaction } from '@bellhop/postgres';
import { sql } from 'kysely';

import { wakeChannel } from './enqueue.ts';
import type { Job } from './job.ts';

interface WaitingJobs {
  /** Selects jobs whose payload contains these fields. */
  readonly payload: object;
  /** The time at which they become due: now. */
  readonly at: Date;
}

/** Lets waiting jobs run that were due later. Their attempts count as before. */
export async function runNow<Tables, Payload>(
  tx: Transaction<Tables>,
  { name, lane }: Pick<Job<Payload, never>, 'name' | 'lane'>,
  { payload, at }: WaitingJobs,
): Promise<void> {
  tx.notify(wakeChannel, lane);
  await sql`
    update job set due_at = ${at}
    where name = ${name} and lane = ${lane} and state = 'queued' and due_at > ${at}
      and payload @> ${jsonb(payload)}`.execute(tx);
}
