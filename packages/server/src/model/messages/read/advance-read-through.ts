import { numberArray } from '@bellhop/postgres';
import { type MessageId, NEWEST_ANCHOR } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Following } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { flagBits } from './flags.ts';
import { home, isReceived, sentIn } from './received.ts';

/** Of so many messages that were just read, about one makes `read_through` follow. */
export const READ_BETWEEN = 16;
/** Messages after `read_through` that are looked at; of several channels at once, none after those just read. */
const WINDOW = 1000;

interface ReadMessages {
  readonly read: readonly MessageId[];
  /** Those among them without a row: they get one if `read_through` does not reach them. */
  readonly unwritten: readonly MessageId[];
}

/**
 * Moves `read_through` of the channels of messages that a user has just read to where it needs the fewest rows:
 * rows of read messages up to there go, and unread messages up to there get one. Someone who reads all has no
 * rows; someone who leaves some unread has at most as many rows of read messages after it as unread ones, as
 * long as fewer than WINDOW messages are unread in a row. Not at each message: it follows the events, where it
 * holds up other changes. Waits for none of them: the caller has locked the user; a subscription that somebody
 * else changes is left for another time, and messages that are being deleted, with their rows, to their deletion.
 */
export function advanceReadThrough(
  { afterEvents }: Pick<Following, 'afterEvents'>,
  { id: user, realm_id: realm }: User,
  { read, unwritten }: ReadMessages,
): void {
  const some = read.filter((id) => id % READ_BETWEEN === 0);
  if (some.length === 0 && unwritten.length === 0) return;
  const bit = sql.lit(flagBits.read);
  const from = (place: unknown) => sql`(select m.id, m.flags from message m
    where m.realm_id = ${realm} and ${place} and m.id > s.read_through
      and m.id <= s.newest and ${isReceived} order by m.id limit ${WINDOW})`;
  const { here, away } = sentIn(sql`s.recipient_id`);
  // `id <= newest` is looked up in the index, and `newest is null or …` would not be.
  afterEvents(sql`
    with unwritten as materialized (
      select * from unnest(${numberArray(unwritten)}::bigint[]) u (id)
    ), home as materialized (
      select ${home} as id,
        case when count(*) over () > 1 then max(m.id) else ${sql.lit(NEWEST_ANCHOR)} end as newest
      from message m
      where m.realm_id = ${realm} and m.id = any(${numberArray(some)}::bigint[]) group by 1
    ), s as materialized (
      select s.channel_id, s.read_through, s.received, a.id as recipient_id, home.newest from home
      join subscription s on s.realm_id = ${realm} and s.user_id = ${user} and s.channel_id = home.id
      join recipient a on a.realm_id = ${realm} and a.channel_id = s.channel_id
      for update of s skip locked
    ), following as materialized (
      select s.channel_id, m.id, m.flags, r.flags as own,
        m.id in (select id from unwritten) as is_unwritten from s
      cross join lateral (
        ${from(here)} union all ${from(away)}
        order by id limit ${WINDOW}) m
      left join user_message r
        on r.realm_id = ${realm} and r.user_id = ${user} and r.message_id = m.id
    ), judged as (
      select *, own is null and flags & ${bit} = 0 and not is_unwritten as is_unread,
        own = flags | ${bit} or is_unwritten as is_plain
      from following
    ), counted as (
      select *, count(*) filter (where is_unread) over up_to_here as unread,
        count(*) filter (where is_plain) over up_to_here as plain
      from judged window up_to_here as (partition by channel_id order by id)
    ), saved as (
      select *, case when plain > unread or unread = 0 then plain - unread end as saves from counted
    ), reached as materialized (
      select * from (select *, first_value(case when saves is not null then id end)
          over (partition by channel_id order by saves desc nulls last, id desc) as best from saved) s
      where id <= best
    ), added as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, ${user}, id, flags from reached where is_unread
      on conflict do nothing
    ), written as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, ${user}, m.id, m.flags | ${bit} from unwritten u
      join message m on m.realm_id = ${realm} and m.id = u.id
      where u.id not in (select id from reached)
      for key share of m skip locked
      on conflict (realm_id, user_id, message_id) do update set flags = user_message.flags | ${bit}
    ), plain as materialized (
      select r.message_id from reached b
      join user_message r on r.realm_id = ${realm} and r.user_id = ${user} and r.message_id = b.id
        and r.flags = b.flags | ${bit}
      where b.own is not null and b.is_plain for update of r skip locked
    ), removed as (
      delete from user_message r using plain p
      where r.realm_id = ${realm} and r.user_id = ${user} and r.message_id = p.message_id
    )
    update subscription s set read_through = b.best
    from (select distinct channel_id, best from reached) b
    where s.realm_id = ${realm} and s.user_id = ${user} and s.channel_id = b.channel_id`);
}
