import type { Database } from '@bellhop/postgres';
import { sql } from 'kysely';

export interface RetentionTimes {
  /** Done jobs, with their attempts. */
  doneHours: number;
  deadDays: number;
}

const batch = 1000;

/** Deletes ended jobs older than `keep`, in batches that hold locks only briefly. */
export async function deleteOldJobs<Tables>(
  database: Database<Tables>,
  keep: RetentionTimes,
  now: Date | null,
): Promise<number> {
  let deleted = 0;
  const at = sql`coalesce(${now}::timestamptz, clock_timestamp())`;
  const ages = { done: keep.doneHours, dead: keep.deadDays * 24 };
  for (const [state, hours] of Object.entries(ages)) {
    for (let found = batch; found === batch; deleted += found) {
      const expired = sql`
        delete from job where id = any(array(
          select id from job
          where state = ${sql.lit(state)} and ended_at < ${at} - ${hours} * interval '1 hour'
          order by ended_at limit ${batch} for update skip locked))`;
      const { numAffectedRows } = await database.transaction((tx) => expired.execute(tx), {
        work: 'sweep',
      });
      found = Number(numAffectedRows ?? 0);
    }
  }
  return deleted;
}
