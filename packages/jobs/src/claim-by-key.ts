import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

import { type ClaimedJob, type ClaimOptions, claim, maxAttemptsPerKey } from './claim.ts';

/** The last pair of name and key of a claim; the next claim continues after it. */
export interface Cursor {
  name: string;
  key: string;
}

/** How many pairs of name and key one claim considers: each costs about 40 microseconds. */
const window = 64;

/**
 * Leases due jobs of a lane by walking the pairs of name and key instead of the rows: its cost does
 * not depend on the backlog of a hanging receiver. `next` is undefined after the last pair.
 */
export async function claimByKey<Tables, Context>(
  database: Database<Tables>,
  options: ClaimOptions<Context>,
  cursor: Cursor = { name: '', key: '' },
): Promise<{ jobs: ClaimedJob[]; next: Cursor | undefined }> {
  const { lane, slots, running, mostPerKey } = options;
  const candidates = sql`
    pair as (
      (select name, key, 1 as position from job
        where state = 'queued' and lane = ${lane} and (name, key) > (${cursor.name}, ${cursor.key})
        order by name, key limit 1)
      union all
      select following.name, following.key, pair.position + 1
      from pair cross join lateral (
        select name, key from job
        where state = 'queued' and lane = ${lane} and (name, key) > (pair.name, pair.key)
        order by name, key limit 1) as following
      where pair.position < ${window}
    ),
    own as (
      select name, key, count(*) as attempts
      from unnest(${running.map(({ name }) => name)}::text[], ${running.map(({ key }) => key)}::text[])
        as own (name, key) group by 1, 2),
    room as materialized (
      select pair.name, pair.key, known.shares, coalesce(own.attempts, 0) as taken,
        case when known.shares
          then greatest(0, least(${slots}, ${mostPerKey} - coalesce(own.attempts, 0)))
          when pair.key = '' then ${slots}
          else greatest(0, least(${slots}, ${maxAttemptsPerKey} - (select count(*) from job
            where state = 'running' and name = pair.name and key = pair.key)))
        end as slots
      from pair join known using (name) left join own using (name, key)
    ),
    candidate as (
      select due.id, room.name, room.key, due.later, due.due_at,
        case when room.shares then room.taken + row_number() over (
          partition by room.name, room.key order by due.later, due.due_at, due.id) else 0 end as turn
      from clock, room cross join lateral (
        select waiting.* from (values (false), (true)) as stage (is_retry) cross join lateral (
          select id, is_retry and due_at > clock.now - interval '1 minute' as later, due_at
          from job
          where state = 'queued' and lane = ${lane} and name = room.name and key = room.key
            and is_retry = stage.is_retry and due_at <= clock.now
          order by due_at, id limit room.slots) as waiting
        order by 2, 3, 1 limit room.slots
      ) as due
    )`;
  const summary = sql<Cursor & { position: number }>`
    select name, key, position from pair order by position desc limit 1`;
  const found = await claim(database, options, { candidates, summary });
  const isLast = !found.summary || found.summary.position < window;
  return { jobs: found.jobs, next: isLast ? undefined : found.summary };
}
