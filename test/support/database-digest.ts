import { type Kysely, sql } from 'kysely';

/**
 * Tables that change by themselves or by any request: workers claim and end jobs, a trace follows the
 * pushes of earlier requests and a job looks who missed their messages, and a refused request counts for the
 * quotas of its server. Old events are deleted; a new one also changes the counter of events.
 */
const CHANGING_TABLES = /^(job|worker|(quota_use|push_trace|mail_check|missed_message|event)$)/;

/**
 * A row without what jobs change: every hour the messages that a channel had lately, and the mails about
 * missed messages, some minutes after these.
 */
const LASTING = sql`(to_jsonb(t) - 'recent_messages')::text`;
const IS_OF_JOB = sql`to_jsonb(t) ->> 'subject' like 'missed messages of %'`;

/** A digest of the rows of each table, by table. */
export async function databaseDigest(db: Kysely<never>): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const digests = tables
    .filter(({ name }) => !CHANGING_TABLES.test(name))
    .map(
      ({ name }) => sql`select ${sql.lit(name)} as name,
        md5(coalesce(string_agg(${LASTING}, '|' order by ${LASTING}), '')) as digest
        from ${sql.table(name)} t where ${IS_OF_JOB} is not true`,
    );
  const { rows } = await sql<{ name: string; digest: string }>`
    ${sql.join(digests, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
