import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import { consoleWatchers } from '../bots/console-watchers.ts';
import {
  type BotKey,
  createdAt,
  type DeliveryRow,
  type DeliverySubject,
  PENDING,
  summaryColumns,
  type WatchedRow,
} from './delivery-rows.ts';

/** A replay or a test before its attempt. */
export interface NewReplay {
  readonly subject: DeliverySubject;
  readonly replay_of: string | null;
  readonly payload: string | null;
  readonly sends_reply: boolean;
}

/** Adds a replay. */
export async function insertReplay(
  tx: Tx,
  { subject, replay_of, payload, sends_reply }: NewReplay,
): Promise<WatchedRow> {
  const made = await tx
    .insertInto('bot_delivery')
    .values({
      ...subject,
      status: 'pending',
      created_at: createdAt(subject.id),
      verdict: PENDING,
      replay_of,
      replay_payload: payload,
      sends_reply,
    })
    .returning(summaryColumns)
    .executeTakeFirstOrThrow();
  const { watchers } = await tx
    .selectNoFrom(consoleWatchers(subject.realm_id, sql`${subject.bot_id}`).as('watchers'))
    .executeTakeFirstOrThrow();
  return { ...made, watchers };
}

interface ManyReplays {
  readonly realm_id: RealmId;
  /** The ids of new jobs, and the deliveries that they replay, in the same order. */
  readonly ids: readonly string[];
  readonly sources: readonly string[];
  readonly replay_id: string;
  readonly sends_reply: boolean;
}

/** Adds replays with the payloads that were sent last. */
export async function insertReplays(
  tx: Tx,
  { realm_id, ids, sources, replay_id, sends_reply }: ManyReplays,
): Promise<void> {
  await sql`
    insert into bot_delivery (realm_id, id, bot_id, service_id, owner_id, message_id, trigger, excerpt, status,
      created_at, verdict, replay_of, replay_id, replay_payload, sends_reply)
    select d.realm_id, n.id, d.bot_id, d.service_id, d.owner_id, d.message_id, d.trigger, d.excerpt, 'pending',
      n.created_at, ${PENDING}, d.id, ${replay_id}::uuid, coalesce((
        select a.payload from bot_delivery_attempt a
        where a.realm_id = ${realm_id} and a.delivery_id = d.id order by a.number desc limit 1
      ), d.replay_payload), ${sends_reply}
    from unnest(${ids}::uuid[], ${sources}::uuid[], ${ids.map(createdAt)}::timestamptz[])
      as n (id, source, created_at)
    join bot_delivery d on d.realm_id = ${realm_id} and d.id = n.source`.execute(tx);
}

/** Drops the deliveries of a replay that wait. Returns them. */
export const dropReplays = (
  tx: Tx,
  { realm_id, bot_id, replay_id }: BotKey & { readonly replay_id: string },
): Promise<DeliveryRow[]> =>
  tx
    .updateTable('bot_delivery')
    .set({ status: 'dropped', verdict: 'not sent: the replay was stopped' })
    .where('realm_id', '=', realm_id)
    .where('bot_id', '=', bot_id)
    .where('replay_id', '=', replay_id)
    .where('status', '=', 'pending')
    .returning(summaryColumns)
    .execute();

/** The fields of a delivery that a replay needs, also of a delivery that is a replay itself. */
export const replayOf = (db: Db, { realm_id, id }: { realm_id: RealmId; id: string }) =>
  db
    .selectFrom('bot_delivery')
    .select([
      'bot_id',
      'service_id',
      'owner_id',
      'message_id',
      'trigger',
      'excerpt',
      'status',
      'replay_payload',
      'sends_reply',
      'replay_of',
      'replay_id',
    ])
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .executeTakeFirst();
