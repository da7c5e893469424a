/** The part of a pool that postgresStore uses; `Pool` and `Client` of `pg` have it. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly object[] }>;
}

/** `create` and `replace` compare and write in one statement, so that each is atomic. */
export function statements(table: string) {
  const alive = '(expires_at is null or expires_at > now())';
  const insert = `insert into ${table} as stored (key, value, version, expires_at)
    values ($1, $2, $3, now() + $4::float8 * interval '1 ms')
    on conflict (key) do update
    set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`;
  return {
    get: `select value, version from ${table} where key = $1 and ${alive}`,
    put: `${insert} returning version`,
    create: `${insert} where stored.expires_at <= now() returning version`,
    replace: `update ${table}
      set value = $2, version = $3, expires_at = now() + $4::float8 * interval '1 ms'
      where key = $1 and version = $5 and ${alive} returning version`,
    delete: `delete from ${table} where key = $1`,
    list: `select key from ${table} where starts_with(key, $1) and ${alive}`,
    sweep: `delete from ${table} where expires_at <= now()`,
  };
}

/** Creates the table unless it exists, so that a role that may not create tables can use one. */
export async function ensureTable(pool: PostgresPool, table: string): Promise<void> {
  if (await exists(pool, table)) return;
  const create = `create table if not exists ${table} (
    key text collate "C" primary key,
    value text not null,
    version text not null,
    expires_at timestamptz)`;
  const name = table.replace('.', '_');
  try {
    await pool.query(create);
    await pool.query(
      `create index if not exists ${name}_expires_at on ${table} (expires_at)
        where expires_at is not null`,
    );
  } catch (cause) {
    // Another process has created the table at the same moment.
    if (isDuplicate(cause) && (await exists(pool, table))) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${why}. Ask the owner of the database to run: ${create.replaceAll(/\s+/g, ' ')}`,
      { cause },
    );
  }
}

async function exists(pool: PostgresPool, table: string): Promise<boolean> {
  return (await pool.query('select where to_regclass($1) is not null', [table])).rows.length === 1;
}

/** Whether a relation or its row type exists already: unique_violation, duplicate_object, duplicate_table. */
const isDuplicate = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['23505', '42710', '42P07'].includes(String(error.code));
