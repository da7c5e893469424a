import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

import { type ClaimedJob, type ClaimOptions, claim } from './claim.ts';

/** How many due first attempts, and how many due retries, one claim looks at. */
const window = 200;

/**
 * Leases due jobs of a lane: first attempts before retries (but a retry overdue by a minute counts
 * as a first attempt), the longest due first. It looks at the head of the queue only, and says
 * whether that was all: a long backlog of keys at their limit may hide others behind it.
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
      select due.*, known.per_key, row_number() over (
        partition by due.name, due.key order by due.later, due.due_at, due.id) as position
      from due join known using (name)
    ),
    candidate as (
      select ranked.id, ranked.later, ranked.due_at
      from ranked left join running using (name, key)
      where ranked.key = '' or (
        ranked.per_key > 1 and ranked.position <= ranked.per_key - coalesce(running.attempts, 0)
      ) or (
        ranked.per_key = 1 and ranked.id = (
          select id from job where state in ('queued', 'running') and key <> ''
            and name = ranked.name and key = ranked.key
          order by id limit 1)
      )
    )`;
  const about = sql<{ seen: number }>`select count(*) as seen from due`;
  const found = await claim(database, options, { candidates, about });
  return { jobs: found.jobs, isWhole: (found.about?.seen ?? 0) < window };
}
