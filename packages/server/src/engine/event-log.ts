import type { EpochStatements } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

import { BELOW_ROLES, entriesFor, type Listener } from './audience.ts';
import type { Db, Tx } from './call.ts';
import { type LogRow, MEMBERSHIP } from './stored-event.ts';
import type { Tables } from './tables.ts';

/** The NOTIFY channel for new events. The payload is the ID of the realm. */
export const EVENTS_CHANNEL = 'bellhop_events';

/**
 * IDs per stored event: the first half for its parts (one event may be delivered as several), the
 * second half for the heartbeats after it.
 */
export const PER_SEQ = 65_536;
const MAX_PARTS = PER_SEQ / 2;
export const idOf = (seq: number, part = 0): number => seq * PER_SEQ + part;
export const seqOf = (id: number): number => Math.floor(id / PER_SEQ);
/** An ID after all parts of the event and before the next event: the first ID of a new queue. */
export const idAfter = (seq: number): number => idOf(seq, MAX_PARTS);
/** The last ID of a new queue, as its client sees it. */
export const NONE_RECEIVED = -1;
/**
 * The `id_offset` of a queue that begins after the event. Some clients keep IDs in 32 bits; those of the log
 * exceed them after 32,767 events.
 */
export const offsetAfter = (seq: number): number => idAfter(seq) - NONE_RECEIVED;
/** The newest event that a queue has received completely if it acknowledged `id`. */
export const seqDoneAt = (id: number): number => Math.floor((id + MAX_PARTS) / PER_SEQ) - 1;
/**
 * The ID of a heartbeat after `id`. When all IDs before the next event are used, repeats the last
 * of them.
 */
export const idOfHeartbeat = (id: number): number => Math.min(id + 1, idOf(seqOf(id) + 1) - 1);

const columns = ['seq', 'type', 'payload', 'audience', 'personal'] as const;
/** A page has at most this many events. */
const PAGE_SIZE = 500;
/** The events of a page but the last one have together at most this many bytes of JSON text. */
const PAGE_BYTES = 1_000_000;

const size = sql<number>`(octet_length(payload::text) + coalesce(octet_length(personal::text), 0))`;

/** The number of the newest event of a realm. */
export async function newestSeq(db: Db, realm: RealmId): Promise<number> {
  const row = await db
    .selectFrom('event_counter')
    .select('last_seq')
    .where('realm_id', '=', realm)
    .executeTakeFirst();
  return row?.last_seq ?? 0;
}

/** The numbers of the newest events of several realms. */
export function newestSeqs(
  db: Db,
  realms: readonly RealmId[],
): Promise<{ realm_id: RealmId; last_seq: number }[]> {
  return db
    .selectFrom('event_counter')
    .select(['realm_id', 'last_seq'])
    .where(sql<boolean>`realm_id = any(${realms}::bigint[])`)
    .execute();
}

/**
 * Until the commit no other change of the realm gets a place in the log: statements from now on see all changes
 * whose events come before those of this one.
 */
export async function lockLog(tx: Tx, realm: RealmId): Promise<void> {
  await lockingLog(realm).execute(tx);
}

/** The statement of `lockLog`, for one that is sent with the commit. */
export const lockingLog = (realm: RealmId): RawBuilder<unknown> =>
  sql`select from event_counter where realm_id = ${realm} for update`;

/** A page of a realm's rows after `seq`, oldest first. */
export const rowsAfter = (db: Db, realm: RealmId, seq: number): Promise<LogRow[]> =>
  page(db, db.selectFrom('event').where('realm_id', '=', realm).where('seq', '>', seq));

/**
 * A page of the rows after `seq` for one queue, oldest first: also events for channels of which its user
 * was a subscriber at another time after `seq` than that of the event, and all changes of that.
 */
export function rowsFor(
  db: Db,
  { realm, seq, to }: { realm: RealmId; seq: number; to: Listener },
): Promise<LogRow[]> {
  const { user_id } = to;
  const channels = sql`array(
    select ${sql.lit(BELOW_ROLES)} - s.channel_id from subscription s
    where s.realm_id = ${realm} and s.user_id = ${user_id} and s.is_active
    union
    select entry from event m, unnest(m.audience) entry
    where m.realm_id = ${realm} and m.seq > ${seq} and m.type = ${sql.lit(MEMBERSHIP)}
      and m.audience && array[${user_id}]::bigint[] and entry < ${sql.lit(BELOW_ROLES)})`;
  // The first entry says whether an audience names channels: others may be long, and so may `channels`.
  const isForChannel = sql`audience[1] < ${sql.lit(BELOW_ROLES)} and audience && ${channels}
    and type <> ${sql.lit(MEMBERSHIP)}`;
  return page(
    db,
    db
      .selectFrom('event')
      .where('realm_id', '=', realm)
      .where('seq', '>', seq)
      .where(sql<boolean>`(audience && ${entriesFor(to)}::bigint[] or ${isForChannel})`),
  );
}

/** The first of these rows: at least one, then as many as PAGE_SIZE and PAGE_BYTES allow. */
function page(db: Db, events: SelectQueryBuilder<Tables, 'event', object>): Promise<LogRow[]> {
  const first = events
    .select([...columns, sql<number>`sum(${size}) over (order by seq) - ${size}`.as('before')])
    .orderBy('seq')
    .limit(PAGE_SIZE);
  return db
    .selectFrom(first.as('first'))
    .select(columns)
    .where('before', '<', PAGE_BYTES)
    .orderBy('seq')
    .$castTo<LogRow>()
    .execute();
}

/** What a new epoch of the database does with the event queues. */
export const eventEpoch: EpochStatements = {
  begun: () => ['update event_counter set epoch = epoch + 1, epoch_seq = last_seq'],
  // Clients know more than events told them. They register again.
  restored: ['delete from event_queue'],
};
