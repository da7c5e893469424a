import type { Transaction } from '@bellhop/postgres';
import { type RawBuilder, sql } from 'kysely';

import { wakeChannel } from './enqueue.ts';

/**
 * Runs a done or dead job once more, now, under the same id. The attempt is marked as manual, is
 * not charged to the retry schedule, and if it fails the job is dead again. Returns false where the
 * job is unknown, still waiting, or its dedupe value is in use again.
 */
export async function replay<Tables>(tx: Transaction<Tables>, jobId: string): Promise<boolean> {
  return (await requeue(tx, sql`job.id = ${jobId} and job.state in ('done', 'dead')`)) === 1;
}

/** Replays the jobs of one name that died since a time, and returns how many. */
export async function replayDead<Tables>(
  tx: Transaction<Tables>,
  { job, since }: { job: { name: string }; since: Date },
): Promise<number> {
  return await requeue(
    tx,
    sql`job.state = 'dead' and job.name = ${job.name} and job.ended_at >= ${since}`,
  );
}

async function requeue<Tables>(
  tx: Transaction<Tables>,
  which: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ lane: string }>`
    update job set state = 'queued', due_at = now(), is_manual = true, is_retry = true, ended_at = null
    where ${which} and (job.dedupe is null or not exists (
      select from job as other where other.name = job.name and other.dedupe = job.dedupe
        and other.state in ('queued', 'running')))
    returning job.lane`.execute(tx);
  for (const lane of new Set(rows.map((row) => row.lane))) tx.notify(wakeChannel, lane);
  return rows.length;
}
