import { sql } from 'kysely';

import type { Worker } from './worker.ts';

/** The lanes that have a due job. One query; a claim would be a transaction for each lane. */
export async function dueLanes<Context>(
  { database, now }: Worker<Context>,
  lanes: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with clock as materialized (
      select coalesce(${now()}::timestamptz, clock_timestamp()) as now)
    select lane.name from clock cross join unnest(${lanes}::text[]) as lane (name)
    where exists (
      select from (values (false), (true)) as stage (is_retry)
      cross join lateral (
        select from job
        where state = 'queued' and job.lane = lane.name and job.is_retry = stage.is_retry
          and due_at <= clock.now
        order by due_at limit 1) as due)`.execute(database.kysely);
  return rows.map(({ name }) => name);
}
