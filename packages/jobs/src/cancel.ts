import type { Transaction } from '@bellhop/postgres';
import { sql } from 'kysely';

import type { Job } from './job.ts';

/** Deletes the queued job that was added with this dedupe value. A running job is left to end. */
export async function cancel<Tables, Payload>(
  tx: Transaction<Tables>,
  { name }: Pick<Job<Payload, never>, 'name'>,
  dedupe: string,
): Promise<void> {
  await sql`delete from job
    where name = ${name} and dedupe = ${dedupe} and state = 'queued'`.execute(tx);
}
