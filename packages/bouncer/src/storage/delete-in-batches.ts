import { setTimeout as sleep } from 'node:timers/promises';

import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { BouncerTables } from './tables.ts';

/** Rows that one statement deletes. */
const BATCH_SIZE = 500;
/** Each pause is this many times as long as the statement before. */
const REST = 3;

interface Deletion {
  readonly table: keyof BouncerTables;
  readonly where: RawBuilder<unknown>;
  /** The order in which rows are looked for, which an index has. */
  readonly orderBy: string;
}

/**
 * Deletes rows in short statements with pauses, so that notifications do not wait for the database
 * meanwhile. Ends early when the signal aborts; the next deletion goes on.
 */
export async function deleteInBatches(
  db: Kysely<BouncerTables>,
  { table, where, orderBy }: Deletion,
  signal?: AbortSignal,
): Promise<void> {
  const rows = sql.table(table);
  for (;;) {
    const started = performance.now();
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(
        select ctid from ${rows} where ${where}
        order by ${sql.ref(orderBy)} limit ${BATCH_SIZE}))`.execute(db);
    if (numAffectedRows < BigInt(BATCH_SIZE) || signal?.aborted) return;
    await sleep(REST * (performance.now() - started));
  }
}
