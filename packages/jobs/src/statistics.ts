import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

export interface JobStatistics {
  /** Per job name, over all nodes. Done jobs are in `attempts`. */
  jobs: {
    name: string;
    lane: string;
    queued: number;
    running: number;
    dead: number;
    /** Age of the oldest unfinished job; 0 if there is none. */
    oldestSeconds: number;
  }[];
  /** How long the oldest due job has been due. */
  dueAgeSeconds: number;
  /** Attempts running on this node. */
  inFlight: number;
  /** Attempts that ended on this node since it started. */
  attempts: Record<'done' | 'retry' | 'dead' | 'lost' | 'released', number>;
}

/** Counts the jobs in the database. */
export async function countJobs<Tables>(
  { kysely }: Database<Tables>,
  now: Date | null,
): Promise<Pick<JobStatistics, 'jobs' | 'dueAgeSeconds'>> {
  const at = sql`coalesce(${now}::timestamptz, clock_timestamp())`;
  const { rows } = await sql<JobStatistics['jobs'][number] & { due_age: number | null }>`
    select name, lane,
      count(*) filter (where state = 'queued') as queued,
      count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'dead') as dead,
      coalesce(extract(epoch from max(${at} - created_at)
        filter (where state in ('queued', 'running')))::float8, 0) as "oldestSeconds",
      extract(epoch from max(${at} - due_at) filter (where state = 'queued'))::float8 as due_age
    from job where state in ('queued', 'running', 'dead')
    group by name, lane order by name, lane`.execute(kysely);
  const dueAgeSeconds = Math.max(0, ...rows.map((row) => row.due_age ?? 0));
  const jobs = rows.map(({ name, lane, queued, running, dead, oldestSeconds }) => ({
    name,
    lane,
    queued,
    running,
    dead,
    oldestSeconds,
  }));
  return { dueAgeSeconds, jobs };
}
