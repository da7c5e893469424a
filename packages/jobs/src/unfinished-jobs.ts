import { type Kysely, sql } from 'kysely';

import type { Job } from './job.ts';

export interface UnfinishedJob {
  readonly id: string;
  readonly state: 'queued' | 'running';
  /** How many attempts have begun. */
  readonly attempt: number;
  readonly created_at: Date;
  readonly due_at: Date;
  readonly payload: unknown;
}

export interface JobPage {
  readonly keys: readonly string[];
  /** Only jobs added before the one with this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Jobs of one kind and some keys that wait or run, those added last first. */
export async function unfinishedJobs<Tables, Payload>(
  db: Pick<Kysely<Tables>, 'getExecutor'>,
  { name, lane }: Pick<Job<Payload, never>, 'name' | 'lane'>,
  { keys, before, limit }: JobPage,
): Promise<UnfinishedJob[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}::uuid`;
  // One scan for each state: each has an index of its own.
  const { rows } = await sql<UnfinishedJob>`
    select * from (
      (select id, state, attempt, created_at, due_at, payload from job
        where lane = ${lane} and name = ${name} and key = any(${keys}::text[])
          and state = 'queued' ${older} order by id desc limit ${limit})
      union all
      (select id, state, attempt, created_at, due_at, payload from job
        where name = ${name} and key = any(${keys}::text[])
          and state = 'running' ${older} order by id desc limit ${limit})
    ) as unfinished order by id desc limit ${limit}`.execute(db);
  return rows;
}
