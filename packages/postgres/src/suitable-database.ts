import type { Pool } from 'pg';

import { errorCode, READ_ONLY } from './error-code.ts';
import { flushSql } from './flush-connection.ts';

/** The database answers, but the programs cannot work with it. The message says what to change. */
export class UnsuitableDatabase extends Error {}

/** The address leads to a standby, until its promotion or until it leads to another server. */
class StandbyDatabase extends UnsuitableDatabase {
  readonly code = READ_ONLY;
}

/** No commit comes to its end, until a standby or a disk is back. */
class StuckDatabase extends UnsuitableDatabase {
  /** That of a statement that took too long. */
  readonly code = '57014';
}

/** How long an answer, and a first commit, may take, in milliseconds. */
const ANSWER_MS = 10_000;
const COMMIT_MS = 10_000;
const OLDEST_VERSION = 15;

interface Database {
  readonly version_num: number;
  readonly version: string;
  readonly encoding: string;
  /** Functions that the role may not execute. */
  readonly forbidden: readonly string[];
  readonly role: string;
}

/** Throws an UnsuitableDatabase unless the programs can work with the database and the rights of the role. */
export async function requireSuitable(pool: Pool): Promise<void> {
  const suitable = { text: suitableSql, query_timeout: ANSWER_MS };
  const { rows } = await pool.query<Database>(suitable);
  const fault = rows[0] && faultOf(rows[0]);
  if (fault !== undefined) throw new UnsuitableDatabase(fault);
  const flush = { text: flushSql, query_timeout: COMMIT_MS };
  await pool.query(flush).catch((error: unknown) => {
    if (errorCode(error) === READ_ONLY)
      throw new StandbyDatabase('it is a read-only standby: use the address of the primary');
    if (error instanceof Error && error.message === 'Query read timeout')
      throw new StuckDatabase(
        `it acknowledged no commit for ${COMMIT_MS / 1000} s: the standby that synchronous_standby_names wants is missing, or its disk does not answer`,
      );
    throw error;
  });
}

/** Why the programs cannot work with the database, and what to do. */
export function faultOf(database: Database): string | undefined {
  const { version_num, version, encoding, forbidden, role } = database;
  if (Math.floor(version_num / 10_000) < OLDEST_VERSION)
    return `PostgreSQL ${version} is too old: version ${OLDEST_VERSION} or newer is needed`;
  if (encoding !== 'UTF8')
    return (
      `it has the encoding ${encoding}, which lacks characters that people write. Make one with UTF8: ` +
      "create database NAME encoding 'UTF8' locale 'C.UTF-8' template template0"
    );
  if (forbidden.length > 0)
    return (
      `the role ${role} may not execute functions that are needed. As a superuser, run: ` +
      `grant execute on function ${forbidden.join(', ')} to ${role}`
    );
  return undefined;
}

// Commits are flushed to disk by the first function; the second says whether the database was restored.
const suitableSql = `select current_setting('server_version_num')::int as version_num,
  current_setting('server_version') as version, current_setting('server_encoding') as encoding,
  quote_ident(current_user) as role,
  (select coalesce(json_agg(oid::regprocedure::text), '[]') from pg_proc
    where (proname = 'pg_logical_emit_message' and proargtypes[2] = 'text'::regtype
        or proname = 'pg_control_system')
      and not has_function_privilege(oid, 'execute')) as forbidden`;
