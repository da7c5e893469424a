import { numberArray } from '@bellhop/postgres';
import type { MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Following } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { flagBits } from './flags.ts';
import { home, isReceived, sentIn } from './received.ts';

/** Of so many messages that were just read, about one makes `read_through` follow. */
const READ_BETWEEN = 16;
/** Messages after `read_through` that are looked at; of several channels at once, none after those just read. */
const WINDOW = 1000;

/**
 * Moves `read_through` of the channels of messages that a user has just read to where it needs the fewest rows:
 * rows of read messages up to there go, and unread messages up to there get one. Someone who reads all has no
 * rows; someone who leaves some unread has at most as many rows of read messages after it as unread ones, as
 * long as fewer than WINDOW messages are unread in a row. Not at each message: it follows the events, where it
 * holds up other changes. Waits for none of them: the caller has locked the user, and a subscription that
 * somebody else changes is left for another time.
 */
export function advanceReadThrough(
  { afterEvents }: Pick<Following, 'afterEvents'>,
  { id: user, realm_id: realm }: User,
  read: readonly MessageId[],
): void {
  const some = read.filter((id) => id % READ_BETWEEN === 0);
  if (some.length === 0) return;
  const bit = sql.lit(flagBits.read);
  const from = (place: unknown) => sql`(select m.id, m.flags from message m
    where m.realm_id = ${realm} and ${place} and m.id > s.read_through
      and (s.newest is null or m.id <= s.newest) and ${isReceived} order by m.id limit ${WINDOW})`;
  const { here, away } = sentIn(sql`s.recipient_id`);
  afterEvents(sql`
    with home as materialized (
      select ${home} as id,
        case when count(*) over () > 1 then max(m.id) end as newest
      from message m
      where m.realm_id = ${realm} and m.id = any(${numberArray(some)}::bigint[]) group by 1
    ), s as materialized (
      select s.channel_id, s.read_through, s.received, a.id as recipient_id, home.newest from home
      join subscription s on s.realm_id = ${realm} and s.user_id = ${user} and s.channel_id = home.id
      join recipient a on a.realm_id = ${realm} and a.channel_id = s.channel_id
      for update of s skip locked
    ), following as materialized (
      select s.channel_id, m.id, m.flags, r.flags as own from s
      cross join lateral (
        ${from(here)} union all ${from(away)}
        order by id limit ${WINDOW}) m
      left join user_message r
        on r.realm_id = ${realm} and r.user_id = ${user} and r.message_id = m.id
    ), judged as (
      select *, own is null and flags & ${bit} = 0 as is_unread, own = flags | ${bit} as is_plain
      from following
    ), saved as (
      select channel_id, id, count(*) filter (where is_unread) over up_to_here as unread,
        count(*) filter (where is_plain) over up_to_here as plain
      from judged window up_to_here as (partition by channel_id order by id)
    ), best as materialized (
      select distinct on (channel_id) channel_id, id from saved
      where plain > unread or unread = 0 order by channel_id, plain - unread desc, id desc
    ), added as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, ${user}, j.id, j.flags from judged j
      join best b on b.channel_id = j.channel_id and j.id <= b.id where j.is_unread
      on conflict do nothing
    ), removed as (
      delete from user_message r using judged j
      join best b on b.channel_id = j.channel_id and j.id <= b.id
      where j.is_plain and r.realm_id = ${realm} and r.user_id = ${user} and r.message_id = j.id
        and r.flags = j.flags | ${bit}
    )
    update subscription s set read_through = b.id from best b
    where s.realm_id = ${realm} and s.user_id = ${user} and s.channel_id = b.channel_id`);
}
