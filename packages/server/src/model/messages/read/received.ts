import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { User } from '../../../engine/caller.ts';
import { flagBits, MARKED_FLAGS } from './flags.ts';

/**
 * Who has a message, with which flags, as parts of statements over a row `m` of `message`. Everybody has a row
 * of `user_message` for each of their direct messages. A channel message has one only where something is said
 * about a user and the message; else they have it if they were subscribed when it was sent
 * (`subscription.received`), with the flags of the message, and have read it up to `read_through`.
 */

const READ = sql.lit(flagBits.read);
const ABSENT = sql.lit(flagBits.absent);

/** The channel whose subscriptions say who received a message. */
export const home = sql`coalesce(m.home_channel_id, m.channel_id)`;

/** The flags of a subscriber, a row of `subscription`, who has no row for the message. */
const flagsOf = (subscription: string) =>
  sql`(m.flags | case when m.id <= ${sql.ref(`${subscription}.read_through`)} then ${READ} else 0 end)`;

/**
 * Whether a message was sent in a channel, a row `s` of `subscription` with the id of its recipient: it is there
 * still, or was moved to another channel. Each has an index of its own.
 */
export const sentIn = (recipient: RawBuilder<unknown>) => ({
  here: sql`m.recipient_id = ${recipient} and m.home_channel_id is null`,
  away: sql`m.home_channel_id = s.channel_id`,
});

/** Whether the user of a subscription received a message that was sent in its channel. */
export const isReceived = sql`m.id >= lower(s.received) and s.received @> m.id`;

/** Whether they have not read it, if they have no row for it. */
const isUnread = sql`m.id > s.read_through and m.flags & ${READ} = 0`;

/** A user: an expression of the statement. */
type UserId = RawBuilder<unknown>;

/**
 * For FROM: a row `um` with the `flags` of a user on a message; none if the user does not have it. Its
 * `message_id` is null if the flags are those of the subscription, without a row. Its own aliases hide no row
 * that `user` may be of.
 */
export const ownFlags = (realm: RealmId, user: UserId): RawBuilder<unknown> =>
  sql`lateral (
    select um_row.message_id, coalesce(um_row.flags, ${flagsOf('um_sub')}) as flags
    from (select) um_one
    left join user_message um_row
      on um_row.realm_id = ${realm} and um_row.user_id = ${user} and um_row.message_id = m.id
    left join subscription um_sub on um_row.flags is null and um_sub.realm_id = ${realm}
      and um_sub.user_id = ${user} and um_sub.channel_id = ${home} and um_sub.received @> m.id
    where case when um_row.flags is null then um_sub.user_id is not null
      else um_row.flags & ${ABSENT} = 0 end) um`;

/** Messages of the realm, for each message of a slice, among which it is looked for first, and some more. */
const NEARBY_PER_MESSAGE = 4;
const NEARBY = 200;

/**
 * For FROM: `m` and `um` of those that a user has among the first messages of the realm. Most have most of the
 * newest ones: what is not found here is looked for in each of their channels (`firstReceived`).
 */
export const receivedNearby = (
  { id, realm_id: realm }: User,
  { ids, order, limit }: Pick<ReceivedMessages, 'ids' | 'order' | 'limit'>,
): RawBuilder<unknown> =>
  sql`(select * from message where realm_id = ${realm} and id ${ids}
      order by id ${sql.raw(order)} limit ${NEARBY + NEARBY_PER_MESSAGE * limit}) m
    cross join ${ownFlags(realm, sql`${id}`)}`;

/** Whether a user has a message. */
export const isReceivedBy = (realm: RealmId, user: UserId): RawBuilder<boolean> =>
  sql`exists (select from ${ownFlags(realm, user)})`;

/** For FROM: `user_id`, `message_id` and `flags` of everybody who has one of some messages. */
export const receiversOf = (realm: RealmId, ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select r.user_id, r.message_id, r.flags from user_message r
      where r.realm_id = ${realm} and r.message_id ${ids} and r.flags & ${ABSENT} = 0
    union all
    select s.user_id, m.id, ${flagsOf('s')} from message m
    join subscription s on s.realm_id = ${realm} and s.channel_id = ${home} and s.received @> m.id
    where m.realm_id = ${realm} and m.id ${ids} and ${hasNoRow(realm, sql`s.user_id`)})`;

const hasNoRow = (realm: RealmId, user: UserId) => sql`not exists (select from user_message um_row
  where um_row.realm_id = ${realm} and um_row.user_id = ${user} and um_row.message_id = m.id)`;

/** For FROM: the rows of all of these statements. */
export const together = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )})`;

export interface ReceivedMessages {
  /** The condition on the id, without the column: `< 7`. */
  readonly ids: RawBuilder<unknown>;
  /** Only unread ones, or those that may have one of MARKED_FLAGS: found by an index. */
  readonly among?: 'unread' | 'marked' | undefined;
  /** Over `m` and `um`. */
  readonly conditions: readonly RawBuilder<unknown>[];
  /** Of `m` and `um`; gets the flags of the user. */
  readonly columns: (flags: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * The first messages that a user has in the order of their ids, as SELECT statements, each with its own
 * limit: of those with a row, those that were sent in each of their channels, and those that were moved from
 * there. However many messages others received, they are not read.
 */
export function firstReceived(
  user: User,
  wanted: ReceivedMessages,
): readonly RawBuilder<unknown>[] {
  const { id, realm_id: realm } = user;
  const { ids, columns, among } = wanted;
  const isAmong = { unread: sql`um.flags & 1 = 0`, marked: sql`um.flags & ${MARKED} <> 0` };
  const withRow = sql`select ${columns(sql`um.flags`)} from user_message um
    join message m on m.realm_id = um.realm_id and m.id = um.message_id
    where um.realm_id = ${realm} and um.user_id = ${id} and m.id ${ids} and um.message_id ${ids}
      and um.flags & ${ABSENT} = 0 and ${among ? isAmong[among] : sql`true`} ${rest(wanted)}`;
  return [withRow, ...firstOfSubscriptions(user, wanted)];
}

/**
 * The unread messages of a user without a row, that were sent in each channel (`home`) and are there or were
 * moved away: `id`, `flags`, and the `channel_id` where they are.
 */
export const unreadOfSubscription = (realm: RealmId, user: UserId, place: 'here' | 'away') =>
  sql`select s.channel_id as home, m.id, m.flags, m.channel_id from subscription s
    join recipient a on a.realm_id = ${realm} and a.channel_id = s.channel_id
    join message m on m.realm_id = ${realm} and ${sentIn(sql`a.id`)[place]} and ${isReceived}
      and ${isUnread} and ${hasNoRow(realm, user)}
    where s.realm_id = ${realm} and s.user_id = ${user}`;

/** Those of `firstReceived` without a row. */
export function firstOfSubscriptions(
  { id, realm_id: realm }: User,
  wanted: ReceivedMessages,
): readonly RawBuilder<unknown>[] {
  const { ids, columns, among } = wanted;
  const isAmong = { unread: isUnread, marked: sql`m.flags & ${MARKED} <> 0` };
  const inPlace = (place: RawBuilder<unknown>) => sql`select p.* from subscription s
    join recipient a on a.realm_id = ${realm} and a.channel_id = s.channel_id
    cross join lateral (select ${columns(sql`um.flags`)} from message m
      cross join lateral (select null::bigint as message_id, ${flagsOf('s')} as flags) um
      where m.realm_id = ${realm} and ${place} and m.id ${ids} and ${isReceived}
        and ${among ? isAmong[among] : sql`true`}
        and ${hasNoRow(realm, sql`${id}`)} ${rest(wanted)}) p
    where s.realm_id = ${realm} and s.user_id = ${id} and not isempty(s.received)`;
  const { here, away } = sentIn(sql`a.id`);
  return [inPlace(here), inPlace(away)];
}

const MARKED = sql.lit(MARKED_FLAGS);

const rest = ({ conditions, order, limit }: ReceivedMessages) =>
  sql`${sql.join(
    conditions.map((one) => sql`and ${one}`),
    sql` `,
  )} order by m.id ${sql.raw(order)} limit ${limit}`;
