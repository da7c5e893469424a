import { jsonb, type Transaction } from '@bellhop/postgres';
import { sql } from 'kysely';

import { wakeChannel } from './enqueue.ts';
import type { Job } from './job.ts';

export interface WaitingJobs {
  /** Selects jobs whose payload contains these fields. */
  readonly payload: object;
  /** The time at which the jobs become due: now. */
  readonly at: Date;
}

/**
 * Makes queued jobs due now. A running job is due at once if its attempt ends in a retry: the reason for
 * which it would wait may be over. Failures count as before.
 */
export async function runNow<Tables, Payload>(
  tx: Transaction<Tables>,
  { name, lane }: Pick<Job<Payload, never>, 'name' | 'lane'>,
  { payload, at }: WaitingJobs,
): Promise<void> {
  tx.notify(wakeChannel, lane);
  // Locked in the order in which ends of attempts lock them. `writeEndings` compares due_at with started_at.
  await sql`
    with woken as materialized (
      select id from job
      where name = ${name} and lane = ${lane} and payload @> ${jsonb(payload)}
        and (state = 'running' or (state = 'queued' and due_at > ${at}))
      order by id for no key update)
    update job set due_at = case job.state when 'running'
      then greatest(${at}, job.started_at + interval '1 microsecond') else ${at} end
    from woken where job.id = woken.id`.execute(tx);
}
