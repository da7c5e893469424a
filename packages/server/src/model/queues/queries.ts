import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { idAfter, offsetAfter } from '../../engine/event-log.ts';
import type { StoredRegistration } from '../../engine/stored-event.ts';

interface QueueRow {
  readonly user: User;
  readonly client: string;
  /** The newest event before the queue, which gets the events after it. */
  readonly start_seq: number;
  readonly lifespan_seconds: number;
  readonly registration: StoredRegistration;
}

/** Inserts a queue; returns its ID. */
export async function insertQueue(
  tx: Tx,
  { user, start_seq, registration, ...row }: QueueRow,
): Promise<string> {
  const id = crypto.randomUUID();
  await tx
    .insertInto('event_queue')
    .values({
      ...row,
      id,
      realm_id: user.realm_id,
      user_id: user.id,
      acknowledged_id: idAfter(start_seq),
      id_offset: offsetAfter(start_seq),
      scanned_seq: start_seq,
      epoch: sql<number>`coalesce(
        (select epoch from event_counter where realm_id = ${user.realm_id}), 0)`,
      registration: JSON.stringify(registration),
    })
    .execute();
  return id;
}
