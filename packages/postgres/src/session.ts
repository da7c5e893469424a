import type { ClientBase } from 'pg';

import type { WorkLimits } from './work-limits.ts';

/** A connection of this process to the database, as the server sees it. */
interface Session {
  /**
   * Differs between servers, between starts of one server, and when a restore has replaced the tables.
   */
  readonly server: string;
  /** The database on that server: a restore may replace it under the same name. */
  readonly database: string;
  /** The number of its server process. */
  readonly pid: number;
}

const sessions = new WeakMap<object, Session>();

const START_WITHIN_MS = 10_000;

/**
 * Sets the limits of a new connection and the form of times, and finds out which server it leads to. Also lets the server
 * notice within half a minute that this host is gone: it then rolls back and releases locks.
 */
export async function startSession(client: ClientBase, limits: WorkLimits): Promise<void> {
  // A pooler may hand on a session with the statements of the program before.
  await client.query('deallocate all');
  const query = {
    text: startSql,
    values: [limits.statementMs, limits.lockMs, limits.idleMs].map(String),
    query_timeout: START_WITHIN_MS,
  };
  const { rows } = await client.query<Session>(query);
  if (rows[0]) sessions.set(client, { ...rows[0], pid: Number(rows[0].pid) });
}

/** The session of a connection that was started by `startSession`. */
export function sessionOf(client: ClientBase): Session {
  const session = sessions.get(client);
  if (!session) throw new Error('The connection has no session');
  return session;
}

/** What `server` of a session is. The table is that of epoch.ts. */
export const serverSql =
  "concat_ws(' ', extract(epoch from pg_postmaster_start_time()), to_regclass('database_epoch')::oid)";

const startSql = `select ${serverSql} as server, pg_backend_pid() as pid,
  (select oid from pg_database where datname = current_database())::text as database,
  set_config('datestyle', 'ISO', false),
  set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
  set_config('idle_in_transaction_session_timeout', $3, false),
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false)`;
