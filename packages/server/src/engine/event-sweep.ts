import type { RealmId } from '@bellhop/protocol';
import { type Kysely, sql } from 'kysely';

import type { Tables } from '../tables.ts';
import { seqOf } from './event-log.ts';

/**
 * Deletes queues that were not polled during their lifespan, then events that no queue needs.
 * Events newer than the previous sweep stay: a queue that is being registered may start before
 * them. The use of a queue is recorded up to 30 s late, so an unused queue is kept 30 s longer.
 */
export async function sweep(db: Kysely<Tables>, sweptAt: Map<RealmId, number>): Promise<void> {
  await db
    .deleteFrom('event_queue')
    .where(sql<boolean>`last_active + (lifespan_seconds + 30) * interval '1 second' < now()`)
    .execute();
  const realms = await db
    .selectFrom('event_counter')
    .leftJoin('event_queue', 'event_queue.realm_id', 'event_counter.realm_id')
    .select(({ fn }) => [
      'event_counter.realm_id',
      'event_counter.last_seq',
      fn.min('event_queue.acknowledged_id').as('acknowledged_id'),
    ])
    .groupBy(['event_counter.realm_id', 'event_counter.last_seq'])
    .execute();
  for (const { realm_id, last_seq, acknowledged_id } of realms) {
    const before = sweptAt.get(realm_id) ?? 0;
    const needed = acknowledged_id === null ? Infinity : seqOf(Number(acknowledged_id));
    await db
      .deleteFrom('event')
      .where('realm_id', '=', realm_id)
      .where('seq', '<', Math.min(needed, before))
      .execute();
    sweptAt.set(realm_id, last_seq);
  }
}
