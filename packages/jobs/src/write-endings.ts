import { type Kysely, sql } from 'kysely';

import type { Ending } from './ending.ts';

/**
 * Ends attempts and records them. Returns the ids of the jobs whose attempt number was current. For
 * the others, which another worker has taken over, nothing is written.
 */
export async function writeEndings<Tables>(
  tx: Kysely<Tables>,
  endings: readonly Ending[],
  now: Date | null,
): Promise<Set<string>> {
  const at = sql`coalesce(${now}::timestamptz, clock_timestamp())`;
  const { rows } = await sql<{ job_id: string }>`
    with clock as materialized (select ${at} as now),
    ending as materialized (
      select * from jsonb_to_recordset(${storableJson(endings)}::jsonb) as e (
        id uuid, attempt int, state text, outcome text, is_failure boolean, delay_ms float8,
        error text, detail jsonb, result jsonb)
    ),
    mine as materialized (
      select job.id, job.started_at, job.is_manual
      from job join ending on job.id = ending.id
      where job.attempt = ending.attempt and job.state = 'running'
      order by job.id for no key update of job
    ),
    ended as (
      update job set
        state = ending.state,
        is_retry = job.is_retry or ending.outcome <> 'released',
        is_manual = job.is_manual and ending.outcome = 'released',
        failures = job.failures + ending.is_failure::int,
        due_at = case
          when ending.state <> 'queued' then job.due_at
          when job.due_at > job.started_at then clock.now -- runNow was called during the attempt
          else clock.now + ending.delay_ms * interval '1 millisecond' end,
        ended_at = case when ending.state <> 'queued' then clock.now end,
        lease_until = null,
        result = ending.result,
        reason = ending.error
      from ending, mine, clock
      where job.id = ending.id and mine.id = ending.id
    )
    insert into job_attempt (job_id, number, started_at, ended_at, is_manual, outcome, error, detail)
    select mine.id, ending.attempt, mine.started_at, clock.now, mine.is_manual, ending.outcome,
      ending.error, ending.detail
    from mine join ending using (id), clock
    returning job_id`.execute(tx);
  return new Set(rows.map((row) => row.job_id));
}

/**
 * JSON text that jsonb accepts. It refuses NUL and half a surrogate pair: both become U+FFFD. Texts
 * of receivers may contain them, and a cut may split a pair.
 */
const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][\da-f]{2}|.)/g, (escape, code: string) =>
    code.length > 1 ? '\\ufffd' : escape,
  );
