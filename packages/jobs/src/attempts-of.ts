import { type Kysely, sql } from 'kysely';

/** One entry of the attempt log. */
export interface AttemptRecord {
  number: number;
  started_at: Date;
  ended_at: Date;
  is_manual: boolean;
  /** 'lost': its worker died; 'released': its program was stopped. */
  outcome: 'done' | 'retry' | 'dead' | 'lost' | 'released';
  error: string | null;
  detail: unknown;
}

/** The recorded attempts of a job, oldest first. */
export async function attemptsOf<Tables>(
  db: Kysely<Tables>,
  jobId: string,
): Promise<AttemptRecord[]> {
  const { rows } = await sql<AttemptRecord>`
    select number, started_at, ended_at, is_manual, outcome, error, detail
    from job_attempt where job_id = ${jobId} order by number`.execute(db);
  return rows;
}
