import type { Database } from '@bellhop/postgres';
import { type RawBuilder, sql } from 'kysely';

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

export interface ClaimOptions<Context> {
  lane: string;
  jobs: Job<unknown, Context>[];
  slots: number;
  leaseMs: number;
  now: Date | null;
}

interface Search<More> {
  /** Common table expressions that end in one named candidate (id, later, due_at). */
  candidates: RawBuilder<unknown>;
  /** A query of one row about the search itself. */
  about: RawBuilder<More>;
}

/**
 * Leases the best candidates of a search, which may use the tables clock (now) and
 * known (name, per_key). Claims of one lane exclude each other, which makes the limit per key exact
 * over all nodes; all of it is one round trip. A claim need not reach the disk: if it is lost, so is
 * the lease, and the job runs again.
 */
export async function claim<Tables, Context, More>(
  database: Database<Tables>,
  { lane, jobs, slots, leaseMs, now }: ClaimOptions<Context>,
  { candidates, about }: Search<More>,
): Promise<{ jobs: ClaimedJob[]; about: More | undefined }> {
  const names = jobs.map((job) => job.name);
  const limits = jobs.map((job) => job.concurrencyPerKey);
  const found = await database.transaction(async (tx) => {
    // Plans made while the table was small must not survive its growth.
    tx.last(
      sql`select set_config('synchronous_commit', 'off', true), set_config('jit', 'off', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        pg_advisory_xact_lock(hashtextextended(${`bellhop job lane ${lane}`}, 0))`.compile(tx),
    );
    return tx.last(
      sql<ClaimedJob & { about: More }>`
      with recursive clock as materialized (
        select coalesce(${now}::timestamptz, clock_timestamp()) as now),
      known as materialized (
        select * from unnest(${names}::text[], ${limits}::int[]) as known (name, per_key)),
      ${candidates},
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
      select leased.*, to_jsonb(about) as about from (${about}) as about left join leased on true
      `.compile(tx),
    );
  });
  const leased = found.rows.filter((row) => row.id !== null);
  return { jobs: leased, about: found.rows[0]?.about };
}
