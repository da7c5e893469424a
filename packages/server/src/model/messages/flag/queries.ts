import type { ChannelId, MessageId, RealmId, SettableFlag, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Membership, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { channelsWithUnread } from '../../channels/readable-channels.ts';
import { asPairs } from '../../channels/subscribe/subscribers.ts';
import { partsOf, type Selection } from '../fetch/fetch-page.ts';
import { READ_BETWEEN } from '../read/advance-read-through.ts';
import { flagBits } from '../read/flags.ts';
import { isMuted } from '../read/is-muted.ts';
import { withChannels } from '../read/readable.ts';
import { unreadOfSubscription } from '../read/received.ts';

export interface FlagChange {
  readonly op: 'add' | 'remove';
  readonly flag: SettableFlag;
}

interface FlaggedPage {
  /** The messages of the range, ignored ones included. */
  readonly processed: number;
  readonly first: MessageId | null;
  readonly last: MessageId | null;
  /** The number of messages before and after the anchor. */
  readonly before: number;
  readonly after: number;
  readonly changed: readonly MessageId[];
  /** More messages that become read. Nothing says so yet: see `advanceReadThrough`. */
  readonly unwritten: readonly MessageId[];
  /** Messages that the user never received, and whose flag would change. */
  readonly unreceived: readonly MessageId[];
  readonly ignored: readonly MessageId[];
  readonly ignored_channels: readonly ChannelId[];
}

/** Sets or removes the bit of a flag in `flags`. */
const changedBits = ({ op, flag }: FlagChange, flags: RawBuilder<unknown>): RawBuilder<unknown> => {
  const bit = sql.lit(flagBits[flag]);
  return op === 'add' ? sql`${flags} | ${bit}` : sql`${flags} & ~${bit}`;
};

/**
 * Changes a flag of the received messages in a range, with one statement. Marking as unread ignores
 * the messages of archived channels, and of those that the user is not subscribed to. Many messages that become
 * read, and have no row, get none here: most are below `read_through` when it follows.
 */
export async function changeFlag(
  tx: Tx,
  user: User,
  { narrow, range, ...change }: FlagChange & Selection,
): Promise<FlaggedPage> {
  const { op, flag } = change;
  const messages = messagesIn(user, { narrow, range });
  if (!messages) return emptyPage;
  const anchor = 'ids' in range ? 0 : range.anchor;
  const isUnread = op === 'remove' && flag === 'read';
  const page = isUnread
    ? lockedPage(user, messages)
    : sql`select *, true as is_target from ${messages}`;
  // Messages that were never received are read, and neither starred nor collapsed.
  const isNew = isUnread || (op === 'add' && flag !== 'read') ? sql`flags is null` : sql`false`;
  const isOther = (flags: RawBuilder<unknown>) =>
    sql`${flags} & ${sql.lit(flagBits[flag])} ${op === 'add' ? sql`=` : sql`<>`} 0`;
  const hasNoRow = op === 'add' && flag === 'read' ? sql`p.has_no_row` : sql`false`;
  const changes = sql`p.flags is not null and p.is_target and ${isOther(sql`p.flags`)}`;
  const { rows } = await sql<FlaggedPage>`${withChannels(user)},
    page as materialized (${page}),
    unwritten as materialized (
      select id from (select p.id, count(*) over () as together from page p
        where ${changes} and ${hasNoRow}) needs_row
      where together >= ${READ_BETWEEN}
    ),
    changed as (
      insert into user_message as um (realm_id, user_id, message_id, flags)
      select ${user.realm_id}, ${user.id}, p.id, ${changedBits(change, sql`p.flags`)} from page p
      where ${changes} and p.id not in (select id from unwritten)
      on conflict (realm_id, user_id, message_id)
        do update set flags = ${changedBits(change, sql`um.flags`)}
        where um.flags & ${sql.lit(flagBits.absent)} = 0 and ${isOther(sql`um.flags`)}
      returning um.message_id
    )
    select count(*) as processed, min(id) as first, max(id) as last,
      count(*) filter (where id < ${anchor}) as before,
      count(*) filter (where id > ${anchor}) as after,
      coalesce((select json_agg(message_id order by message_id) from changed), '[]') as changed,
      coalesce((select json_agg(id) from unwritten), '[]') as unwritten,
      coalesce(json_agg(id) filter (where ${isNew} and is_target), '[]') as unreceived,
      coalesce(json_agg(id) filter (where not is_target), '[]') as ignored,
      coalesce(json_agg(distinct channel_id) filter (where not is_target), '[]') as ignored_channels
    from page`.execute(tx);
  return rows[0] ?? emptyPage;
}

/**
 * Locks the messages of a range where they are until the commit, before they become unread there. Comes before
 * the lock of the user, as in edits and moves.
 */
export async function lockMessages(tx: Tx, user: User, selection: Selection): Promise<void> {
  const messages = messagesIn(user, selection);
  if (messages) await sql`${withChannels(user)} ${lockedPage(user, messages)}`.execute(tx);
}

/** For FROM, in a statement that begins with `withChannels`: the messages of a range; undefined if it is empty. */
function messagesIn(user: User, selection: Selection): RawBuilder<unknown> | undefined {
  const parts = partsOf(
    user,
    selection,
    () => sql`m.id, m.channel_id, um.flags, um.message_id is null as has_no_row`,
  );
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, sql` union all `)}) p`;
}

/** A page of messages that become unread where they are now: see `lockMessages`. */
const lockedPage = (user: User, messages: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select p.id, m.channel_id, p.flags,
      (m.channel_id is null or m.channel_id in (${channelsWithUnread(user)})) as is_target
    from ${messages} join message m on m.realm_id = ${user.realm_id} and m.id = p.id
    order by p.id for share of m`;

const emptyPage: FlaggedPage = {
  processed: 0,
  first: null,
  last: null,
  before: 0,
  after: 0,
  changed: [],
  unwritten: [],
  unreceived: [],
  ignored: [],
  ignored_channels: [],
};

/**
 * Makes messages that the user may read, but never received, historical ones with a changed flag.
 * Returns those that still exist: the lock keeps them until the commit.
 */
export async function addHistorical(
  tx: Tx,
  { id, realm_id }: User,
  { ids, ...change }: FlagChange & { readonly ids: readonly MessageId[] },
): Promise<MessageId[]> {
  const fresh = sql.lit(flagBits.read | flagBits.historical);
  const { rows } = await sql<{ message_id: MessageId }>`
    insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${id}, m.id, ${changedBits(change, fresh)} from (
      select id from message where realm_id = ${realm_id} and id = any(${ids}::bigint[])
      order by id for share) m
    on conflict (realm_id, user_id, message_id)
      do update set flags = case when user_message.flags & ${sql.lit(flagBits.absent)} = 0
        then ${changedBits(change, sql`user_message.flags`)} else excluded.flags end
    returning message_id`.execute(tx);
  return rows.map(({ message_id }) => message_id);
}

interface UnreadConversationRow {
  readonly id: MessageId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly flags: number;
  readonly is_muted: boolean;
  readonly user_ids: readonly UserId[] | null;
}

/** The conversations of received messages. */
export async function conversationsOf(
  tx: Tx,
  user: User,
  ids: readonly MessageId[],
): Promise<UnreadConversationRow[]> {
  const { rows } = await sql<UnreadConversationRow>`
    select m.id, m.channel_id, m.topic, um.flags, ${isMuted(user)} as is_muted, r.user_ids
    from user_message um
    join message m on m.realm_id = um.realm_id and m.id = um.message_id
    join recipient r on r.realm_id = m.realm_id and r.id = m.recipient_id
    where um.realm_id = ${user.realm_id} and um.user_id = ${user.id}
      and um.message_id = any(${ids}::bigint[]) order by m.id`.execute(tx);
  return rows;
}

/**
 * Marks the unread messages of channels as read, and returns them by user; those without a row become read by
 * `readUntilNow`, which the caller calls too. Finds them by user and updates the rows that it has found:
 * without statistics about the table, PostgreSQL would read the rows of all recipients of a message for each
 * user. Does not wait for a deletion, which has locked its rows: the log is locked.
 */
export async function setChannelsRead(
  tx: Tx,
  realm: RealmId,
  pairs: readonly Membership[],
): Promise<readonly { user_id: UserId; messages: MessageId[] }[]> {
  const read = sql.lit(flagBits.read);
  const { rows } = await sql<{ user_id: UserId; messages: MessageId[] }>`
    with pair as materialized (select * from ${asPairs(pairs)}
    ), reader as materialized (select distinct user_id from pair order by user_id
    ), unread as materialized (
      select found.address from reader u
      cross join lateral (
        select um.ctid as address from user_message um cross join lateral (select channel_id
          from message where realm_id = ${realm} and id = um.message_id limit 1) m
        where um.realm_id = ${realm} and um.user_id = u.user_id and um.flags & ${read} = 0
          and ((um.user_id, m.channel_id) in (select user_id, channel_id from pair)) is true
        for update of um skip locked
      ) found
    ), marked as (
      update user_message um set flags = um.flags | ${read} from unread
      where um.realm_id = ${realm} and um.ctid = unread.address
      returning um.user_id, um.message_id
    ), in_place as materialized (
      select p.user_id, m.id as message_id from pair p
      cross join lateral (${unreadOfSubscription(realm, sql`p.user_id`, 'here')}) m
      where m.home = p.channel_id
    ), moved_here as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, u.user_id, m.id, m.flags | ${read} from reader u
      cross join lateral (${unreadOfSubscription(realm, sql`u.user_id`, 'away')}) m
      where ((u.user_id, m.channel_id) in (select user_id, channel_id from pair)) is true
      on conflict (realm_id, user_id, message_id) do update set flags = user_message.flags | ${read}
      returning user_id, message_id
    )
    select user_id, array_agg(message_id order by message_id) as messages from (
      select * from marked union select * from in_place union select * from moved_here) read
    group by user_id`.execute(tx);
  return rows;
}

/** Those of the pairs where no message may be unread: `channelsWithUnread` leaves out the channel. */
export async function withoutUnread(
  db: Db,
  realm: RealmId,
  pairs: readonly Membership[],
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select p.user_id, p.channel_id from ${asPairs(pairs)}
    where not exists (select from subscription s
      join channel c on c.realm_id = s.realm_id and c.id = s.channel_id and not c.is_archived
      where s.realm_id = ${realm} and s.user_id = p.user_id and s.channel_id = p.channel_id
        and s.is_active)`.execute(db);
  return rows;
}
