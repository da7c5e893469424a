import type { ChannelId, MessageId, RealmId, RecipientId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { isReadableBy } from '../../channels/channel-rights.ts';
import type { Topic } from '../../conversation.ts';
import { lockAll } from '../../users/queries.ts';
import { flagBits } from '../read/flags.ts';
import { messagesOf, withChannels } from '../read/readable.ts';
import { isReceivedBy, receiversOf } from '../read/received.ts';

export interface MovedMessage {
  readonly id: MessageId;
  readonly sent_at: number;
  /** The topic in the letter case of this message. */
  readonly topic: string;
}

/** Locks the messages of a topic that the user may read, from `since` on. Returns them oldest first. */
export async function lockTopic(
  tx: Tx,
  user: User,
  { channel_id, topic, since }: Topic & { readonly since: number },
): Promise<MovedMessage[]> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`>= ${since}` });
  const { rows } = await sql<MovedMessage>`
    ${withChannels(user)} select m.id, m.sent_at, m.topic from ${from} and ${allowed}
      and m.channel_id = ${channel_id} and lower(m.topic) = lower(${topic})
    order by m.id for no key update of m`.execute(tx);
  return rows;
}

/** Whether the user may read a message of a topic other than these. */
export async function hasOtherMessages(
  db: Db,
  user: User,
  { channel_id, topic, except }: Topic & { readonly except: readonly MessageId[] },
): Promise<boolean> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`> 0` });
  const { rows } = await sql<{ id: MessageId }>`
    ${withChannels(user)} select m.id from ${from} and ${allowed}
      and m.channel_id = ${channel_id} and lower(m.topic) = lower(${topic})
      and m.id <> all(${except}::bigint[]) limit 1`.execute(db);
  return rows.length > 0;
}

/** The last message of a topic; undefined if it has none. */
export const lastOfTopic = (db: Db, realm: RealmId, { channel_id, topic }: Topic) =>
  db
    .selectFrom('message')
    .select(['id', 'sender_id', 'content', 'sent_at'])
    .where('realm_id', '=', realm)
    .where('channel_id', '=', channel_id)
    .where(sql<boolean>`lower(topic) = lower(${topic})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

interface NewPlace {
  readonly channel_id: ChannelId;
  readonly recipient_id: RecipientId;
  /** Undefined leaves each message its own, whose letter case may differ. */
  readonly topic: string | undefined;
  /** Undefined leaves the column as it is. */
  readonly last_moved_at: number | undefined;
}

export async function moveTo(
  tx: Tx,
  { realm, ids }: { realm: RealmId; ids: readonly MessageId[] },
  { topic, last_moved_at, ...place }: NewPlace,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({
      ...place,
      home_channel_id: sql<ChannelId | null>`nullif(coalesce(home_channel_id, channel_id),
        ${place.channel_id})`,
      ...(topic !== undefined && { topic }),
      ...(last_moved_at !== undefined && { last_moved_at }),
    })
    .where('realm_id', '=', realm)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

interface MovedToChannel {
  readonly realm: RealmId;
  readonly channel: ChannelId;
  readonly ids: readonly MessageId[];
}

/** Takes moved messages from users who cannot read their new channel. */
export async function removeFromNonReaders(
  tx: Tx,
  { realm, channel, ids }: MovedToChannel,
): Promise<void> {
  const received = receiversOf(realm, sql`= any(${ids}::bigint[])`);
  const nonReaders = await locked(
    tx,
    realm,
    sql`select u.id from (select distinct user_id as id from ${received} r) r
      join realm_user u on u.realm_id = ${realm} and u.id = r.id
      join channel c on c.id = ${channel} and c.realm_id = ${realm}
      where not ${isReadableBy(realm, 'c', {
        row: 'u',
        isSubscribed: sql`exists (select from subscription s
          where s.realm_id = ${realm} and s.user_id = u.id and s.channel_id = c.id and s.is_active)`,
      })}`,
  );
  const absent = sql.lit(flagBits.absent | flagBits.read);
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, user_id, message_id, ${absent} from ${received} r
    where user_id = any(${nonReaders}::bigint[])
    on conflict (realm_id, user_id, message_id) do update set flags = excluded.flags`.execute(tx);
}

/** Marks moved messages as read for users who are not subscribed to their new channel. */
export async function markReadForNonSubscribers(
  tx: Tx,
  { realm, channel, ids }: MovedToChannel,
): Promise<void> {
  const read = sql.lit(flagBits.read);
  const unread = sql`(select * from ${receiversOf(realm, sql`= any(${ids}::bigint[])`)} r
    where r.flags & ${read} = 0 and not exists (select from subscription s where s.realm_id = ${realm}
      and s.channel_id = ${channel} and s.user_id = r.user_id and s.is_active))`;
  const users = await locked(tx, realm, sql`select distinct user_id as id from ${unread} u`);
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, u.user_id, u.message_id, u.flags | ${read} from ${unread} u
    where u.user_id = any(${users}::bigint[])
    on conflict (realm_id, user_id, message_id)
      do update set flags = user_message.flags | ${read}`.execute(tx);
}

/** Adds moved messages for all subscribers of a channel in which users read only what they received. */
export async function addForSubscribers(
  tx: Tx,
  { realm, channel, ids }: MovedToChannel,
): Promise<void> {
  const missing = sql`(select s.user_id, m.id as message_id
    from subscription s join message m on m.realm_id = ${realm} and m.id = any(${ids}::bigint[])
    where s.realm_id = ${realm} and s.channel_id = ${channel} and s.is_active
      and not ${isReceivedBy(realm, sql`s.user_id`)})`;
  const users = await locked(tx, realm, sql`select distinct user_id as id from ${missing} n`);
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, n.user_id, n.message_id, ${sql.lit(flagBits.read | flagBits.historical)}
    from ${missing} n where n.user_id = any(${users}::bigint[])
    on conflict (realm_id, user_id, message_id) do update set flags = excluded.flags
      where user_message.flags & ${sql.lit(flagBits.absent)} <> 0`.execute(tx);
}

/** Locks the users that a query finds, see `lockAll`; what they have is read again after that. */
async function locked(tx: Tx, realm: RealmId, query: RawBuilder<unknown>): Promise<UserId[]> {
  const { rows } = await (query as RawBuilder<{ id: UserId }>).execute(tx);
  const ids = rows.map(({ id }) => id);
  await lockAll(tx, realm, ids);
  return ids;
}

interface ReceivedMessages {
  readonly user_id: UserId;
  readonly ids: readonly MessageId[];
}

/** The messages that each user received. */
export async function receivedBy(
  db: Db,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<ReceivedMessages[]> {
  const { rows } = await sql<ReceivedMessages>`
    select user_id, array_agg(message_id order by message_id) as ids
    from ${receiversOf(realm, sql`= any(${ids}::bigint[])`)} r group by user_id`.execute(db);
  return rows;
}
