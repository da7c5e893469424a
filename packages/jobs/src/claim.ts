import type { Database, Transaction } from '@bellhop/postgres';
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
  /** The attempts that this node runs in the lane. */
  running: readonly ClaimedJob[];
  /** The slots of one key of a job that shares slots, with those in use. */
  mostPerKey: number;
  leaseMs: number;
  now: Date | null;
}

interface CandidateSearch<Summary> {
  /**
   * Common table expressions; the last one is candidate (id, name, key, turn, later, due_at). `turn`
   * is the order in which the keys of a job that shares slots get one; 0 for other jobs.
   */
  candidates: RawBuilder<unknown>;
  /** A query of one row about the search. */
  summary: RawBuilder<Summary>;
}

// Three limits, since each protects somebody else: a receiver, the other owners, and for a job that
// shares slots (a lane of one provider, where four attempts would be too few) the other keys of a node.
/** How many attempts of one key run at a time, over all nodes. */
export const maxAttemptsPerKey = 4;
/** How many attempts of all keys of one owner run at a time, over all nodes. */
const maxAttemptsPerOwner = 16;

/** The part of a key before its slash; null for a key without one. */
const owner = sql`case when strpos(key, '/') > 0 then split_part(key, '/', 1) end`;

/**
 * Leases the best candidates of a search in one round trip. The search may use the tables
 * clock (now) and known (name, shares). A lane is claimed by one node at a time, which makes the limit per
 * key exact over all nodes. Resolves when the claims and the transactions that added the jobs are
 * on disk: an attempt must not tell others of changes that a power failure could undo.
 */
export async function claim<Tables, Context, Summary>(
  database: Database<Tables>,
  { lane, jobs, slots, leaseMs, now }: ClaimOptions<Context>,
  { candidates, summary }: CandidateSearch<Summary>,
): Promise<{ jobs: ClaimedJob[]; summary: Summary | undefined }> {
  const names = jobs.map((job) => job.name);
  const shares = jobs.map((job) => job.sharesSlots ?? false);
  const claiming = async (tx: Transaction<Tables>) => {
    // A plan that was cached while the table was small would scan the grown table.
    tx.last(
      sql`select set_config('jit', 'off', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        pg_advisory_xact_lock(hashtextextended(${`bellhop job lane ${lane}`}, 0))`.compile(tx),
    );
    return tx.last(
      sql<ClaimedJob & { summary: Summary }>`
      with recursive clock as materialized (
        select coalesce(${now}::timestamptz, clock_timestamp()) as now),
      known as materialized (
        select * from unnest(${names}::text[], ${shares}::bool[]) as known (name, shares)),
      ${candidates},
      busy as materialized (
        select name, ${owner} as owner, count(*) as attempts from job
        where state = 'running' and strpos(key, '/') > 0 group by 1, 2),
      owned as (
        select candidate.*, ${owner} as owner,
          row_number() over (partition by name, ${owner} order by later, due_at, id) as position
        from candidate),
      fair as (
        select owned.id, owned.turn, owned.later, owned.due_at
        from owned left join busy using (name, owner)
        where owned.owner is null or owned.turn > 0
          or owned.position <= ${maxAttemptsPerOwner} - coalesce(busy.attempts, 0)),
      picked as (
        select job.id from job
        join (select id from fair order by turn, later, due_at, id limit ${slots}) as best using (id)
        where job.state = 'queued' for update of job skip locked
      ),
      leased as (
        update job set state = 'running', attempt = attempt + 1, started_at = clock.now,
          lease_until = clock.now + ${leaseMs} * interval '1 millisecond'
        from picked, clock where job.id = picked.id
        returning job.id, job.name, job.key, job.payload, job.attempt, job.failures, job.is_manual
      )
      select leased.*, to_jsonb(summary) as summary
      from (${summary}) as summary left join leased on true
      `.compile(tx),
    );
  };
  const { rows } = await database.transaction(claiming, {
    groupFlush: (last) => last.rows.some(isLeased),
  });
  return { jobs: rows.filter(isLeased), summary: rows[0]?.summary };
}

/** One row without a job has the summary if no job is leased. */
const isLeased = ({ id }: { readonly id: unknown }): boolean => id !== null;
