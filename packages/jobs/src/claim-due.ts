import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

import { claim, type ClaimedJob, type ClaimOptions, maxAttemptsPerKey } from './claim.ts';
import type { Worker } from './worker.ts';

/** How many due first attempts, and how many due retries, one claim considers. */
const window = 200;

/**
 * Leases due jobs of a lane, the longest due first, and first attempts before retries; a retry that
 * is overdue by a minute counts as a first attempt. Considers only the head of the queue: `isWhole`
 * is false if there may be more due jobs behind it, for instance behind a backlog of keys at their
 * limit.
 *
 * Claiming by key alone also walks the keys whose jobs wait for later: 20 due jobs behind 20,000 such
 * keys took a second in 226 claims, and take 4 ms here. Claiming by due time alone never comes to the
 * jobs behind a backlog.
 */
export async function claimDue<Tables, Context>(
  database: Database<Tables>,
  options: ClaimOptions<Context>,
): Promise<{ jobs: ClaimedJob[]; isWhole: boolean }> {
  const candidates = sql`
    due as materialized (
      select job.* from clock cross join (values (false), (true)) as stage (is_retry)
      cross join lateral (
        select id, name, key, is_retry and due_at > clock.now - interval '1 minute' as later, due_at
        from job
        where state = 'queued' and lane = ${options.lane} and is_retry = stage.is_retry
          and due_at <= clock.now
        order by due_at, id limit ${window}) as job
    ),
    running as materialized (
      select name, key, count(*) as attempts from job where state = 'running' group by name, key),
    ranked as (
      select due.*, row_number() over (
        partition by due.name, due.key order by due.later, due.due_at, due.id) as position
      from due join known using (name)
    ),
    candidate as (
      select ranked.id, ranked.name, ranked.key, 0 as turn, ranked.later, ranked.due_at
      from ranked left join running using (name, key)
      where ranked.key = ''
        or ranked.position <= ${maxAttemptsPerKey} - coalesce(running.attempts, 0)
    )`;
  const summary = sql<{ seen: number }>`select count(*) as seen from due`;
  const found = await claim(database, options, { candidates, summary });
  return { jobs: found.jobs, isWhole: (found.summary?.seen ?? 0) < window };
}

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
