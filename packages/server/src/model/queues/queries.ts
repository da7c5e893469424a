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
  { user, client, start_seq, lifespan_seconds, registration }: QueueRow,
): Promise<string> {
  const id = crypto.randomUUID();
  await sql`insert into event_queue (realm_id, id, user_id, client, lifespan_seconds, acknowledged_id,
      id_offset, scanned_seq, epoch, registration)
    select ${user.realm_id}, ${id}, ${user.id}, ${client}, ${lifespan_seconds}, ${idAfter(start_seq)},
      ${offsetAfter(start_seq)}, ${start_seq}, coalesce(c.epoch, 0), ${JSON.stringify(registration)}
    from (select) one left join event_counter c on c.realm_id = ${user.realm_id}`.execute(tx);
  return id;
}
