import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { StoredRegistration } from '../../engine/stored-event.ts';

interface QueueRow {
  readonly user: User;
  readonly client: string;
  readonly start_id: number;
  readonly lifespan_seconds: number;
  readonly registration: StoredRegistration;
}

/** Inserts a queue that starts after event `start_id`; returns the queue's id. */
export async function insertQueue(
  tx: Tx,
  { user, registration, ...row }: QueueRow,
): Promise<string> {
  const id = crypto.randomUUID();
  await tx
    .insertInto('event_queue')
    .values({
      ...row,
      id,
      realm_id: user.realm_id,
      user_id: user.id,
      acknowledged_id: row.start_id,
      registration: JSON.stringify(registration),
    })
    .execute();
  return id;
}
