import { jsonb } from '@bellhop/postgres';
import { type Kysely, sql } from 'kysely';

import { newJobId } from './job-id.ts';
import type { Job } from './job.ts';

/**
 * Adds the next run of a repeating job, at the next whole interval. No-op if an unfinished run
 * exists on any node: the dedupe value is unique.
 */
export async function enqueueNextRun<Tables, Context>(
  tx: Kysely<Tables>,
  job: Job<unknown, Context>,
  now: Date | null,
): Promise<void> {
  const every = job.everySeconds;
  if (every === undefined) return;
  const epoch = sql`extract(epoch from coalesce(${now}::timestamptz, clock_timestamp()))`;
  await sql`
    insert into job (id, name, lane, payload, dedupe, due_at)
    values (${newJobId()}, ${job.name}, ${job.lane}, ${jsonb({})}, 'repeating',
      to_timestamp((floor(${epoch} / ${every}::float8) + 1) * ${every}::float8))
    on conflict do nothing`.execute(tx);
}
