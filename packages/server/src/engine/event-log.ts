import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from './call.ts';
import type { StoredEvent } from './stored-event.ts';

/** In an audience: also every queue that asked for all public channels. */
export const EVERYONE_LISTENING = 0;

/** One stored event may be delivered as several; an id leaves room for them, and for heartbeats. */
const PER_SEQ = 1024;
export const idOf = (seq: number, part = 0): number => seq * PER_SEQ + part;
export const seqOf = (id: number): number => Math.floor(id / PER_SEQ);

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
