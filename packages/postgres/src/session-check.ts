import type { ClientBase } from 'pg';

import { UnsuitableDatabase } from './suitable-database.ts';

/** A pooler gives transactions of one connection different sessions. The message is that of docs/self-hosting.md. */
export class SharedSessionsError extends UnsuitableDatabase {
  constructor() {
    super(
      'A pooler must be in session mode. A transaction pooler (PgBouncer with pool_mode = transaction, the pooled ports of many providers) is not supported: use pool_mode = session, or the address of PostgreSQL itself',
    );
  }
}

/** How often two sessions take turns: a pooler that chooses at random is found in one of these. */
const ROUNDS = 4;
/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * Throws a SharedSessionsError if transactions of one connection run in different sessions of the
 * database, or two open connections share one. A pooler that keeps settings and prepared statements
 * for its clients cannot hide this: a server process has one number.
 */
export async function checkSessions(one: ClientBase, other: ClientBase): Promise<void> {
  const first = await processOf(one);
  const isShared = async () =>
    (await processOf(one)) !== first || (await processOf(other)) === first;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isShared()) throw new SharedSessionsError();
    // While the other connection is in a transaction, its session is taken.
    await inTime(other, 'begin').catch(asShared);
    try {
      if (await isShared()) throw new SharedSessionsError();
    } finally {
      await inTime(other, 'rollback');
    }
  }
}

async function processOf(client: ClientBase): Promise<number> {
  const { rows } = await inTime(client, 'select pg_backend_pid() as pid');
  return Number(rows[0]?.['pid']);
}

const inTime = (client: ClientBase, text: string) => {
  const query = { text, query_timeout: ANSWER_MS };
  return client.query<Record<string, unknown>>(query);
};

/** PgBouncer with pool_mode = statement refuses transactions. */
function asShared(error: unknown): never {
  if (error instanceof Error && /statement pooling/.test(error.message))
    throw new SharedSessionsError();
  throw error;
}
