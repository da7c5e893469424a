import { sql } from 'kysely';

import type { ClaimedJob } from './claim.ts';
import { lostEnding } from './ending.ts';
import { endWith } from './finish-attempt.ts';
import type { Worker } from './worker.ts';

/** Renews the leases of this node's attempts. Aborts those whose job another worker has taken over. */
export async function renewLeases<Context>(worker: Worker<Context>): Promise<void> {
  const held = [...worker.running.values()].filter((attempt) => !attempt.isEnding);
  if (held.length === 0) return;
  const ids = held.map(({ claimed }) => claimed.id);
  const attempts = held.map(({ claimed }) => claimed.attempt);
  // Skips rows that are locked while their end is written: waiting for them could deadlock.
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select job.id from job
      join unnest(${ids}::uuid[], ${attempts}::int[]) as mine (id, attempt) on mine.id = job.id
      where job.attempt = mine.attempt and job.state = 'running'
      for no key update of job skip locked
    )
    update job set lease_until = coalesce(${worker.now()}::timestamptz, clock_timestamp())
      + ${worker.leaseMs} * interval '1 millisecond'
    from held where job.id = held.id returning job.id`.execute(worker.database.kysely);
  const renewed = new Set(rows.map((row) => row.id));
  for (const attempt of held) {
    if (attempt.isEnding || renewed.has(attempt.claimed.id)) continue;
    attempt.abort.abort(new Error('Another worker has taken the job over'));
    attempt.interrupt('lost');
  }
}

/** How often onDead may fail before its job dies without it. */
const MAX_ON_DEAD_FAILURES = 5;

/**
 * Ends the attempts of dead or hanging workers, whose leases have expired. If an end cannot be
 * written, the others still are; that one is tried again after another lease.
 */
export async function endLostAttempts<Context>(worker: Worker<Context>): Promise<number> {
  const { rows } = await sql<ClaimedJob>`
    select id, name, key, payload, attempt, failures, is_manual from job
    where state = 'running' and lease_until < coalesce(${worker.now()}::timestamptz, clock_timestamp())
      and name = any(${[...worker.jobs.keys()]}::text[])
    order by lease_until limit 100`.execute(worker.database.kysely);
  for (const claimed of rows) {
    try {
      await endLostAttempt(worker, claimed);
    } catch (error) {
      worker.log(`Ending the lost attempt of job ${claimed.id} (${claimed.name}) failed`, error);
      await postpone(worker, claimed);
    }
  }
  return rows.length;
}

async function endLostAttempt<Context>(
  worker: Worker<Context>,
  claimed: ClaimedJob,
): Promise<void> {
  const job = worker.jobs.get(claimed.name);
  if (!job) return;
  const wanted = lostEnding(claimed, job.retry);
  const skipsOnDead = claimed.failures >= job.retry.length + MAX_ON_DEAD_FAILURES;
  const failed = `${wanted.error}; onDead failed ${MAX_ON_DEAD_FAILURES} times`;
  await endWith(
    worker,
    { job, claimed, skipsOnDead },
    skipsOnDead ? { ...wanted, error: failed } : wanted,
  );
}

/** Counts a failed end as a failure of the job; the next end is tried after another lease. */
async function postpone<Context>(worker: Worker<Context>, { id, attempt }: ClaimedJob) {
  await sql`
    update job set failures = failures + 1,
      lease_until = coalesce(${worker.now()}::timestamptz, clock_timestamp())
        + ${worker.leaseMs} * interval '1 millisecond'
    where id = ${id} and attempt = ${attempt} and state = 'running'`.execute(
    worker.database.kysely,
  );
}
