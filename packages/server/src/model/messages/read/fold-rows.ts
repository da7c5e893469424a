import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../../engine/call.ts';
import { flagBits } from './flags.ts';
import { sentIn } from './received.ts';

/** Messages of a channel in one step. */
const MESSAGES = 5000;

/**
 * Brings who received old messages, and has a row for each, into `subscription.received`: one step, for one user
 * and some messages of a channel, newest first. From the first to the last that the user has, the others get a
 * row that says so, and rows that say nothing but that a message is read go. Returns how many rows went;
 * undefined if there is nothing to do.
 */
export async function foldRows(tx: Tx, realm: RealmId): Promise<number | undefined> {
  const read = sql.lit(flagBits.read);
  const absent = sql.lit(flagBits.absent);
  const from = (place: unknown) => sql`(select m.id, m.flags from message m
    where m.realm_id = ${realm} and ${place} and m.id < s.rows_before
    order by m.id desc limit ${MESSAGES})`;
  const { here, away } = sentIn(sql`s.recipient_id`);
  const { rows } = await sql<{ removed: number }>`
    with s as materialized (
      select s.user_id, s.channel_id, s.rows_before, a.id as recipient_id from subscription s
      join recipient a on a.realm_id = ${realm} and a.channel_id = s.channel_id
      where s.realm_id = ${realm} and s.rows_before is not null limit 1 for update of s skip locked
    ), older as materialized (
      select s.user_id, m.id, m.flags, r.flags as own, r.flags & ${absent} = 0 as is_received
      from s cross join lateral (
        ${from(here)} union all ${from(away)}
        order by id desc limit ${MESSAGES}) m
      left join user_message r
        on r.realm_id = ${realm} and r.user_id = s.user_id and r.message_id = m.id
    ), span as materialized (
      select min(id) filter (where is_received) as first, max(id) filter (where is_received) as last,
        min(id) as oldest, count(*) as messages from older
    ), had as materialized (
      select o.* from older o join span on o.id between span.first and span.last
    ), folds as materialized (
      select coalesce(count(*) filter (where is_received) * 2 >= count(*) and count(*) > 0, false) as yes
      from had
    ), added as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, h.user_id, h.id, ${absent} | ${read} from had h, folds
      where folds.yes and h.own is null on conflict do nothing
    ), removed as (
      delete from user_message r using had h, folds
      where folds.yes and h.own = h.flags | ${read} and r.realm_id = ${realm}
        and r.user_id = h.user_id and r.message_id = h.id and r.flags = h.own
      returning 1
    ), folded as (
      update subscription t set
        received = case when folds.yes
          then t.received + int8multirange(int8range(span.first, span.last, '[]')) else t.received end,
        rows_before = case when span.messages = ${MESSAGES} then span.oldest end
      from s, span, folds
      where t.realm_id = ${realm} and t.user_id = s.user_id and t.channel_id = s.channel_id
    )
    select (select count(*) from removed)::integer as removed from s`.execute(tx);
  return rows[0]?.removed;
}
