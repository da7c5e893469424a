/** The methods of a pool that the store uses; `Pool` and `Client` of `pg` have them. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly object[] }>;
}

/** Each is one statement, so that comparing and setting cannot be parted. */
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

/** Makes the table if it is not there. A role without the right to make tables may find one. */
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
    // Two who make the same table at the same moment: one of them fails, and the table is there.
    if (isTwin(cause) && (await exists(pool, table))) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${why}. Let its owner run: ${create.replaceAll(/\s+/g, ' ')}`, { cause });
  }
}

async function exists(pool: PostgresPool, table: string): Promise<boolean> {
  return (await pool.query('select where to_regclass($1) is not null', [table])).rows.length === 1;
}

/** Unique violation in the catalogue, duplicate type, duplicate table. */
const isTwin = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['23505', '42710', '42P07'].includes(String(error.code));
