import { sql } from 'kysely';

import { databaseTrouble } from './database-trouble.ts';
import { errorCode, READ_ONLY } from './error-code.ts';
import type { Database } from './open-database.ts';

/** The answer of `/readyz`. */
export interface Readiness {
  readonly isReady: boolean;
  readonly body: { readonly status: string };
}
/** The service cannot work, although its database does. The message is a sentence for `/readyz`. */
export class NotReady extends Error {
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}
/** Longer than a database that works needs, and short enough for a probe that waits one second. */
const ANSWER_MS = 800;
/** How long a disk that had room is not asked again: anybody may ask for `/readyz`. */
const DISK_MS = 5_000;

/**
 * Asks whether the database can be read and written, and for further fields of the answer. Answers
 * within a second, also if the database is frozen: calls share a question that has no answer yet.
 * `details` may throw a NotReady.
 */
export function readiness<Tables>(
  database: Database<Tables>,
  details: () => Promise<object> = async () => ({}),
): () => Promise<Readiness> {
  let roomUntil = 0;
  const ask = async (): Promise<Readiness> => {
    const { rows } = await sql<{ is_read_only: boolean }>`select pg_is_in_recovery()
      or current_setting('transaction_read_only')::boolean as is_read_only`.execute(
      database.kysely,
    );
    if (rows[0]?.is_read_only) return notReady(Object.assign(new Error(), { code: READ_ONLY }));
    if (performance.now() > roomUntil) {
      await askForRoom(database);
      roomUntil = performance.now() + DISK_MS;
    }
    return { isReady: true, body: { status: 'ready', ...(await details()) } };
  };
  let asking: Promise<Readiness> | undefined;
  return async () => {
    asking ??= ask()
      .catch(notReady)
      .finally(() => (asking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Readiness>((resolve) => {
      timer = setTimeout(() => resolve(notReady(undefined)), ANSWER_MS);
    });
    const answer = await Promise.race([asking, late]);
    clearTimeout(timer);
    return answer;
  };
}

/** The SQLSTATE of a temporary file beyond `temp_file_limit`, which an operator may set. */
const LIMITED = '53400';

function notReady(error: unknown): Readiness {
  const { status, problem } = databaseTrouble(error);
  const isNamed = error instanceof NotReady;
  const body = isNamed
    ? { status: error.status, msg: error.message }
    : { status, msg: `${problem}.` };
  return { isReady: false, body };
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
