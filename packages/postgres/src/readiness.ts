import { sql } from 'kysely';

import { databaseTrouble } from './database-trouble.ts';
import { errorCode } from './error-code.ts';
import type { Database } from './open-database.ts';

/** What `/readyz` says of a database that does not work. */
export interface NotReady {
  readonly status: string;
  readonly msg: string;
}
/** Longer than a database that works needs, and short enough for a probe that waits one second. */
const ANSWER_MS = 800;
/** How long a disk that had room is not asked again: anybody may ask for `/readyz`. */
const DISK_MS = 5_000;

/**
 * Asks whether the database can be read and written; `check` asks for more. Answers within a second,
 * also if the database is frozen: calls share a question that has no answer yet.
 */
export function readiness<Tables>(
  database: Database<Tables>,
  check: () => Promise<unknown> = async () => {},
): () => Promise<NotReady | undefined> {
  let roomUntil = 0;
  const ask = async () => {
    const { rows } = await sql<{ is_read_only: boolean }>`select pg_is_in_recovery()
      or current_setting('transaction_read_only')::boolean as is_read_only`.execute(
      database.kysely,
    );
    if (rows[0]?.is_read_only) return notReady(Object.assign(new Error(), { code: READ_ONLY }));
    if (performance.now() > roomUntil) {
      await askForRoom(database);
      roomUntil = performance.now() + DISK_MS;
    }
    await check();
    return undefined;
  };
  let asking: Promise<NotReady | undefined> | undefined;
  return async () => {
    asking ??= ask()
      .catch(notReady)
      .finally(() => (asking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<NotReady>((resolve) => {
      timer = setTimeout(() => resolve(notReady(undefined)), ANSWER_MS);
    });
    const answer = await Promise.race([asking, late]);
    clearTimeout(timer);
    return answer;
  };
}

/** The SQLSTATE of a change on a standby. */
const READ_ONLY = '25006';
/** The SQLSTATE of a temporary file beyond `temp_file_limit`, which an operator may set. */
const LIMITED = '53400';

function notReady(error: unknown): NotReady {
  const { status, problem } = databaseTrouble(error);
  return { status, msg: `${problem}.` };
}

/**
 * Has the database write some megabytes into a temporary file, which leaves no trace in its tables
 * or its log. Rejects if the disk is full.
 */
async function askForRoom<Tables>(database: Database<Tables>): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await sql`select set_config('work_mem', '64kB', true)`.execute(tx);
      await sql`select count(*) from generate_series(1, 200000)`.execute(tx);
    });
  } catch (error) {
    if (errorCode(error) !== LIMITED) throw error;
  }
}
