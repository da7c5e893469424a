import type { Database } from '@bellhop/postgres';
import { MAX_QUEUE_LAG, type RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { PER_SEQ } from './event-log.ts';
import type { Tables } from './tables.ts';

/** Events deleted by one statement: no statement holds its locks for long. */
const DELETED_AT_ONCE = 10_000;

/** The newest event that a queue needs no longer, or an older one. */
const doneSeq = sql`greatest(q.acknowledged_id / ${sql.lit(PER_SEQ)} - 1, q.scanned_seq)`;

/**
 * Deletes queues that were not polled during their lifespan or lag too far behind, then events that
 * no queue needs. Events newer than the previous sweep stay: a queue that is being registered may
 * start before them. The use of a queue is recorded up to 30 s late, so an unused queue is kept
 * 30 s longer. Returns the IDs of the deleted queues.
 */
export async function sweep(
  db: Database<Tables>,
  sweptAt: Map<RealmId, number>,
): Promise<string[]> {
  const expired = sql<{ id: string }>`
    delete from event_queue q using event_counter c
    where c.realm_id = q.realm_id and (
      now() - q.last_active > (q.lifespan_seconds + 30) * interval '1 second'
      or c.last_seq - ${doneSeq} > ${sql.lit(MAX_QUEUE_LAG)})
    returning q.id`;
  const { rows: deleted } = await run(db, expired);
  const { rows: realms } = await sql<SweptRealm>`
    select c.realm_id, c.last_seq, min(${doneSeq}) as done_seq
    from event_counter c left join event_queue q on q.realm_id = c.realm_id
    group by c.realm_id, c.last_seq`.execute(db.kysely);
  for (const { realm_id, last_seq, done_seq } of realms) {
    const before = Math.min(sweptAt.get(realm_id) ?? 0, (done_seq ?? Infinity) + 1);
    await deleteEvents(db, realm_id, before);
    sweptAt.set(realm_id, last_seq);
  }
  return deleted.map(({ id }) => id);
}
interface SweptRealm {
  readonly realm_id: RealmId;
  readonly last_seq: number;
  /** Null if the realm has no queue. */
  readonly done_seq: number | null;
}

/** Deletes the events of a realm before `seq`, in steps. */
async function deleteEvents(db: Database<Tables>, realm_id: RealmId, seq: number): Promise<void> {
  for (;;) {
    const step = sql`delete from event where realm_id = ${realm_id} and seq < least(
      ${seq}::bigint,
      (select min(seq) from event where realm_id = ${realm_id}) + ${sql.lit(DELETED_AT_ONCE)}
    )`;
    if (!(await run(db, step)).numAffectedRows) return;
  }
}

const run = <Row>(db: Database<Tables>, statement: RawBuilder<Row>) =>
  db.transaction((tx) => statement.execute(tx), { work: 'sweep' });
