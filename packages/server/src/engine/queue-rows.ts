import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from './call.ts';
import type { ReadPosition } from './queue-progress.ts';
import type { StoredRegistration } from './stored-event.ts';

/** A queue as its polls read it. */
export interface QueueRow extends ReadPosition {
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
  const { rows } = await sql<ReadPosition & { at: number; registration: string }>`
    select k.at::integer as at, q.registration::text as registration, q.acknowledged_id,
      q.id_offset, q.scanned_seq
    from unnest(${queues.map(({ realm }) => realm)}::bigint[],
      ${queues.map(({ user_id }) => user_id)}::bigint[],
      ${queues.map(({ queue_id }) => queue_id)}::uuid[]) with ordinality k (realm_id, user_id, id, at)
    join event_queue q on q.realm_id = k.realm_id and q.id = k.id and q.user_id = k.user_id`.execute(
    db,
  );
  const found: (QueueRow | undefined)[] = queues.map(() => undefined);
  for (const { at, registration, ...position } of rows)
    found[at - 1] = { ...position, registration: parsed(registration) };
  return found;
}

const MAX_REGISTRATIONS = 1000;
const registrations = new Map<string, StoredRegistration>();

/** Programs register alike: all polls of one program share one object. */
function parsed(text: string): StoredRegistration {
  const known = registrations.get(text);
  if (known) return known;
  const registration = JSON.parse(text) as StoredRegistration;
  if (registrations.size >= MAX_REGISTRATIONS) registrations.clear();
  registrations.set(text, registration);
  return registration;
}
