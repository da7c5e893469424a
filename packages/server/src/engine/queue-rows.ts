import { type RealmId, type Role, roles, type UserId } from '@bellhop/protocol';
import { type Kysely, sql } from 'kysely';

import { byRealm } from './by-realm.ts';
import type { Db } from './call.ts';
import { guestsSeeAllUsers } from './guests-see-all-users.ts';
import type { ReadPosition } from './queue-progress.ts';
import type { StoredRegistration } from './stored-event.ts';
import type { Tables } from './tables.ts';

/** A queue as its polls read it. */
export interface QueueRow extends ReadPosition {
  readonly registration: StoredRegistration;
  /** The role of the owner. A node may have cached a former one. */
  readonly role: Role;
  /** Whether the owner is a guest who does not see all users, as of this poll. */
  readonly is_limited: boolean;
  /**
   * The newest event that was not lost, if some may have been since the last poll; else null. -1 if
   * some may have been lost twice.
   */
  readonly kept_seq: number | null;
}
interface OwnedQueue {
  readonly realm: RealmId;
  readonly user_id: UserId;
  readonly queue_id: string;
}

/** The rows of queues, in the order of the owners; undefined for a queue that its owner does not have. */
export const readQueues = (
  db: Db,
  queues: readonly OwnedQueue[],
): Promise<(QueueRow | undefined)[]> =>
  byRealm(
    queues,
    ({ realm }) => realm,
    (realm, own) => readQueuesOf(db, realm, own),
  );

async function readQueuesOf(
  db: Db,
  realm: RealmId,
  queues: readonly OwnedQueue[],
): Promise<(QueueRow | undefined)[]> {
  const { rows } = await sql<Omit<QueueRow, 'registration'> & { at: number; registration: string }>`
    select k.at::integer as at, q.registration::text as registration, u.role,
      u.role >= ${sql.lit(roles.guest)} and not ${guestsSeeAllUsers(realm)} as is_limited,
      q.acknowledged_id,
      q.id_offset, q.scanned_seq, case c.epoch - q.epoch
        when 0 then null when 1 then c.epoch_seq else -1 end as kept_seq
    from unnest(${queues.map(({ user_id }) => user_id)}::bigint[],
      ${queues.map(({ queue_id }) => queue_id)}::uuid[]) with ordinality k (user_id, id, at)
    join event_queue q on q.realm_id = ${realm} and q.id = k.id and q.user_id = k.user_id
    join realm_user u on u.realm_id = ${realm} and u.id = q.user_id
    join event_counter c on c.realm_id = ${realm}`.execute(db);
  const found: (QueueRow | undefined)[] = queues.map(() => undefined);
  for (const { at, registration, ...position } of rows)
    found[at - 1] = { ...position, registration: parsed(registration) };
  return found;
}

/** Remembers that the clients of these queues have seen no event that was lost. */
export async function enterEpoch(
  db: Kysely<Tables>,
  queues: readonly Omit<OwnedQueue, 'user_id'>[],
): Promise<void> {
  for (const [realm, own] of Map.groupBy(queues, (queue) => queue.realm))
    await sql`update event_queue q set epoch = c.epoch from event_counter c
      where q.realm_id = ${realm} and q.id = any(${own.map(({ queue_id }) => queue_id)}::uuid[])
        and c.realm_id = ${realm}`.execute(db);
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
