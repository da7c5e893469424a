import { type Kysely, sql } from 'kysely';

/**
 * Tables that change by themselves or by any request: workers claim and end jobs, a trace follows the
 * pushes of earlier requests and a job looks who missed their messages, and a refused request counts for the
 * quotas of its server.
 */
const CHANGING_TABLES = /^(job|worker|(quota_use|push_trace|mail_check|missed_message)$)/;

/** A digest of the rows of each table, by table. */
export async function databaseDigest(db: Kysely<never>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const digests: Record<string, string> = {};
  for (const { name } of rows.filter((table) => !CHANGING_TABLES.test(table.name))) {
    const table = await sql<{ digest: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
      from ${sql.table(name)} t`.execute(db);
    digests[name] = table.rows[0]?.digest ?? '';
  }
  return digests;
}
