import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from './call.ts';
import type { QueuePosition } from './queue-progress.ts';
import type { StoredRegistration } from './stored-event.ts';

/** A queue as its polls read it. */
export interface QueueRow extends QueuePosition {
  readonly registration: StoredRegistration;
}
interface OwnedQueue {
  readonly realm: RealmId;
  readonly user_id: UserId;
  readonly queue_id: string;
}

/** The rows of queues, in the order of the owners; undefined for a queue that its owner does not have. */
export async function readQueues(
  db: Db,
  queues: readonly OwnedQueue[],
): Promise<(QueueRow | undefined)[]> {
  const { rows } = await sql<QueueRow & { at: number }>`
    select k.at::integer as at, q.registration, q.acknowledged_id, q.scanned_seq
    from unnest(${queues.map(({ realm }) => realm)}::bigint[],
      ${queues.map(({ user_id }) => user_id)}::bigint[],
      ${queues.map(({ queue_id }) => queue_id)}::uuid[]) with ordinality k (realm_id, user_id, id, at)
    join event_queue q on q.realm_id = k.realm_id and q.id = k.id and q.user_id = k.user_id`.execute(
    db,
  );
  const byIndex = new Map(rows.map((row) => [row.at - 1, row]));
  return queues.map((_queue, at) => byIndex.get(at));
}
