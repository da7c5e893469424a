import type { Transaction } from '@bellhop/postgres';
import { sql } from 'kysely';

import { wakeChannel } from './enqueue.ts';

/**
 * Runs a done or dead job again, now, under the same id. The attempt is marked as manual and does
 * not count as a failure; if it fails the job is dead again. Returns false if the job is unknown or
 * unfinished, or if another unfinished job has its dedupe value.
 */
export async function replay<Tables>(tx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const { rows } = await sql<{ lane: string }>`
    update job set state = 'queued', due_at = now(), is_manual = true, is_retry = true, ended_at = null
    where job.id = ${jobId} and job.state in ('done', 'dead') and (job.dedupe is null or not exists (
      select from job as other where other.name = job.name and other.dedupe = job.dedupe
        and other.state in ('queued', 'running')))
    returning job.lane`.execute(tx);
  for (const { lane } of rows) tx.notify(wakeChannel, lane);
  return rows.length === 1;
}
