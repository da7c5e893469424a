import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from './call.ts';
import type { StoredEvent } from './stored-event.ts';

/** In an audience: also every queue that asked for all public channels. */
export const EVERYONE_LISTENING = 0;

/** One stored event may be delivered as several; half of an event's ids are for heartbeats after it. */
const PER_SEQ = 65_536;
const PARTS = PER_SEQ / 2;
export const idOf = (seq: number, part = 0): number => seq * PER_SEQ + part;
export const seqOf = (id: number): number => Math.floor(id / PER_SEQ);
/** An id after all parts of the event and before the next one: where a new queue starts. */
export const idAfter = (seq: number): number => idOf(seq, PARTS);
/** The newest event of which every part is at or before `id`: the next one may be there in part. */
export const seqDoneAt = (id: number): number => Math.floor((id + PARTS) / PER_SEQ) - 1;
/** The id of a heartbeat after `id`. It never reaches the next event's, and then repeats itself. */
export const idOfHeartbeat = (id: number): number => Math.min(id + 1, idOf(seqOf(id) + 1) - 1);

const columns = ['seq', 'type', 'payload', 'audience', 'personal'] as const;
const PAGE = 500;

/** The newest event of a realm. */
export async function newestSeq(db: Db, realm: RealmId): Promise<number> {
  const row = await db
    .selectFrom('event_counter')
    .select('last_seq')
    .where('realm_id', '=', realm)
    .executeTakeFirst();
  return row?.last_seq ?? 0;
}

/** A page of a realm's events after `seq`, oldest first. */
export function eventsAfter(db: Db, realm: RealmId, seq: number): Promise<StoredEvent[]> {
  return db
    .selectFrom('event')
    .select(columns)
    .where('realm_id', '=', realm)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(PAGE)
    .execute();
}

interface Audience {
  readonly user_id: UserId;
  readonly everyone: boolean;
}

/** The same, only those for one user. */
export function eventsFor(
  db: Db,
  { realm, seq, to }: { realm: RealmId; seq: number; to: Audience },
): Promise<StoredEvent[]> {
  const ids = to.everyone ? [to.user_id, EVERYONE_LISTENING] : [to.user_id];
  return db
    .selectFrom('event')
    .select(columns)
    .where('realm_id', '=', realm)
    .where('seq', '>', seq)
    .where(sql<boolean>`audience && ${ids}::bigint[]`)
    .orderBy('seq')
    .limit(PAGE)
    .execute();
}
