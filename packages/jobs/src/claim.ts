import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

import type { Job } from './job.ts';

export interface ClaimedJob {
  id: string;
  name: string;
  key: string;
  payload: unknown;
  attempt: number;
  failures: number;
  is_manual: boolean;
}

/** Which pairs of name and key a claim looked at; the next one goes on behind them. */
export interface Cursor {
  name: string;
  key: string;
}

export interface ClaimOptions<Context> {
  lane: string;
  jobs: Job<unknown, Context>[];
  slots: number;
  leaseMs: number;
  now: Date | null;
  cursor: Cursor | undefined;
}

interface Claimed {
  jobs: ClaimedJob[];
  /** Where to go on; undefined once all pairs have been looked at. */
  next: Cursor | undefined;
}

/** How many pairs of name and key one claim looks at: each costs about 40 microseconds. */
const window = 64;

/**
 * Leases due jobs of a lane. It goes from pair to pair of name and key, not from row to row, so
 * that a long backlog behind one hanging receiver costs nothing, and takes first attempts before
 * retries (but a retry overdue by a minute counts as a first attempt). Claims of one lane exclude
 * each other, which makes the limit per key exact over all nodes; all of it is one round trip.
 * The claim itself need not reach the disk: if it is lost, so is the lease, and the job runs again.
 */
export async function claim<Tables, Context>(
  database: Database<Tables>,
  options: ClaimOptions<Context>,
): Promise<Claimed> {
  const { lane, jobs, slots, leaseMs, cursor } = options;
  const names = jobs.map((job) => job.name);
  const limits = jobs.map((job) => job.concurrencyPerKey);
  const now = sql`coalesce(${options.now}::timestamptz, clock_timestamp())`;
  const found = await database.transaction(async (tx) => {
    tx.last(
      sql`select set_config('synchronous_commit', 'off', true), set_config('jit', 'off', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        pg_advisory_xact_lock(hashtextextended(${`bellhop job lane ${lane}`}, 0))`.compile(tx),
    );
    return tx.last(
      sql<ClaimedJob & { last_name: string; last_key: string; pairs: number }>`
      with recursive clock as materialized (select ${now} as now),
      pair as (
        (select name, key, 1 as position from job
          where state = 'queued' and lane = ${lane} and (name, key) > (${cursor?.name ?? ''}, ${cursor?.key ?? ''})
          order by name, key limit 1)
        union all
        select following.name, following.key, pair.position + 1
        from pair cross join lateral (
          select name, key from job
          where state = 'queued' and lane = ${lane} and (name, key) > (pair.name, pair.key)
          order by name, key limit 1) as following
        where pair.position < ${window}
      ),
      room as (
        select pair.name, pair.key, known.per_key = 1 and pair.key <> '' as in_order,
          case when pair.key = '' then ${slots} else least(${slots}, known.per_key - (
            select count(*) from job where state = 'running' and name = pair.name and key = pair.key)
          ) end as slots
        from pair join unnest(${names}::text[], ${limits}::int[]) as known (name, per_key)
          on known.name = pair.name
      ),
      candidate as (
        select due.id, due.later, due.due_at from clock, room cross join lateral (
          select waiting.id, waiting.later, waiting.due_at
          from (values (false), (true)) as stage (is_retry) cross join lateral (
            select id, is_retry and due_at > clock.now - interval '1 minute' as later, due_at
            from job
            where state = 'queued' and lane = ${lane} and name = room.name and key = room.key
              and is_retry = stage.is_retry and due_at <= clock.now
            order by due_at, id limit greatest(room.slots, 0)) as waiting
          where not room.in_order
          union all
          select head.id, false, head.due_at from (
            select id, due_at, state from job
            where state in ('queued', 'running') and key <> '' and name = room.name and key = room.key
            order by id limit 1) as head
          where room.in_order and head.state = 'queued' and head.due_at <= clock.now
          order by 2, 3, 1 limit greatest(room.slots, 0)
        ) as due
      ),
      picked as (
        select job.id from job
        join (select id from candidate order by later, due_at, id limit ${slots}) as best using (id)
        where job.state = 'queued' for update of job skip locked
      ),
      leased as (
        update job set state = 'running', attempt = attempt + 1, started_at = clock.now,
          lease_until = clock.now + ${leaseMs} * interval '1 millisecond'
        from picked, clock where job.id = picked.id
        returning job.id, job.name, job.key, job.payload, job.attempt, job.failures, job.is_manual
      )
      select leased.*, final.name as last_name, final.key as last_key, coalesce(final.position, 0) as pairs
      from (select name, key, position from pair order by position desc limit 1) as final
      left join leased on true`.compile(tx),
    );
  });
  const [first] = found.rows;
  const isWhole = !first || first.pairs < window;
  return {
    jobs: found.rows.filter((row) => row.id !== null),
    next: isWhole ? undefined : { name: first.last_name, key: first.last_key },
  };
}
