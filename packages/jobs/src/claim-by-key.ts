import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

import { type ClaimedJob, type ClaimOptions, claim } from './claim.ts';

/** The pair of name and key a claim ended with; the next one goes on behind it. */
export interface Cursor {
  name: string;
  key: string;
}

/** How many pairs of name and key one claim looks at: each costs about 40 microseconds. */
const window = 64;

/**
 * Leases due jobs of a lane going from pair to pair of name and key, not from row to row, so that
 * the length of the backlog behind a hanging receiver does not matter.
 */
export async function claimByKey<Tables, Context>(
  database: Database<Tables>,
  options: ClaimOptions<Context>,
  cursor: Cursor = { name: '', key: '' },
): Promise<{ jobs: ClaimedJob[]; next: Cursor | undefined }> {
  const { lane, slots } = options;
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
    room as materialized (
      select pair.name, pair.key, known.per_key = 1 and pair.key <> '' as in_order,
        case when pair.key = '' then ${slots} else greatest(0, least(${slots}, known.per_key - (
          select count(*) from job where state = 'running' and name = pair.name and key = pair.key)
        )) end as slots
      from pair join known using (name)
    ),
    candidate as (
      select due.* from clock, room cross join lateral (
        select waiting.* from (values (false), (true)) as stage (is_retry) cross join lateral (
          select id, is_retry and due_at > clock.now - interval '1 minute' as later, due_at
          from job
          where state = 'queued' and lane = ${lane} and name = room.name and key = room.key
            and is_retry = stage.is_retry and due_at <= clock.now
          order by due_at, id limit room.slots) as waiting
        where not room.in_order
        union all
        select head.id, false, head.due_at from (
          select id, due_at, state from job
          where state in ('queued', 'running') and key <> '' and name = room.name and key = room.key
          order by id limit 1) as head
        where room.in_order and head.state = 'queued' and head.due_at <= clock.now
        order by 2, 3, 1 limit room.slots
      ) as due
    )`;
  const about = sql<Cursor & { position: number }>`
    select name, key, position from pair order by position desc limit 1`;
  const found = await claim(database, options, { candidates, about });
  const isLast = !found.about || found.about.position < window;
  return { jobs: found.jobs, next: isLast ? undefined : found.about };
}
