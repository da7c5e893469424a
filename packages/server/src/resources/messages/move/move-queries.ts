import type { ChannelId, MessageId, RealmId, RecipientId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { opensTo } from '../../channels/readable-channels.ts';
import { flagBits } from '../read/flags.ts';
import { messagesOf, withChannels } from '../read/readable.ts';

export interface Topic {
  readonly channel_id: ChannelId;
  readonly topic: string;
}
export interface MovedMessage {
  readonly id: MessageId;
  readonly sent_at: number;
  /** In its own letter case. */
  readonly topic: string;
}

/** The messages of a topic that somebody may read, held against other changes, oldest first. */
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

/** Whether somebody may read a message of a topic, other than these. */
export async function seesTopic(
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

interface Destination {
  readonly channel_id: ChannelId;
  readonly recipient_id: RecipientId;
  readonly topic: string;
  /** Left as it is where the topic is only marked as resolved. */
  readonly last_moved_at: number | undefined;
}

export async function moveTo(
  tx: Tx,
  { realm, ids }: { realm: RealmId; ids: readonly MessageId[] },
  { last_moved_at, ...place }: Destination,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ ...place, ...(last_moved_at === undefined ? {} : { last_moved_at }) })
    .where('realm_id', '=', realm)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

interface Arrived {
  readonly realm: RealmId;
  readonly channel: ChannelId;
  readonly ids: readonly MessageId[];
}

/** Takes messages from those who cannot read the channel they are in now. */
export async function takeFromStrangers(tx: Tx, { realm, channel, ids }: Arrived): Promise<void> {
  await sql`with holder (id) as (
      select distinct user_id from user_message
      where realm_id = ${realm} and message_id = any(${ids}::bigint[])
    ), stranger (id) as (
      select u.id from holder h join realm_user u on u.id = h.id
      join channel c on c.id = ${channel} and c.realm_id = ${realm}
      where not exists (select from subscription s
        where s.channel_id = c.id and s.user_id = u.id and s.is_active) and not ${opensTo}
    )
    delete from user_message where realm_id = ${realm}
      and user_id = any(array(select id from stranger)) and message_id = any(${ids}::bigint[])`.execute(
    tx,
  );
}

/** Nothing is unread in a channel that somebody is not subscribed to. */
export async function readByOutsiders(tx: Tx, { realm, channel, ids }: Arrived): Promise<void> {
  const read = sql.lit(flagBits.read);
  await sql`update user_message set flags = flags | ${read}
    where realm_id = ${realm} and message_id = any(${ids}::bigint[]) and flags & ${read} = 0
      and user_id <> all(array(select s.user_id from subscription s
        where s.realm_id = ${realm} and s.channel_id = ${channel} and s.is_active))`.execute(tx);
}

/** Lets all subscribers read messages of a channel that shows only what was received. */
export async function giveToSubscribers(tx: Tx, { realm, channel, ids }: Arrived): Promise<void> {
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, s.user_id, m.id, ${sql.lit(flagBits.read | flagBits.historical)}
    from subscription s, unnest(${ids}::bigint[]) m (id)
    where s.realm_id = ${realm} and s.channel_id = ${channel} and s.is_active
    on conflict (realm_id, user_id, message_id) do nothing`.execute(tx);
}

interface Holder {
  readonly user_id: UserId;
  readonly ids: readonly MessageId[];
}

/** Which of these messages each user received. */
export async function heldBy(db: Db, realm: RealmId, ids: readonly MessageId[]): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select user_id, array_agg(message_id order by message_id) as ids from user_message
    where realm_id = ${realm} and message_id = any(${ids}::bigint[]) group by user_id`.execute(db);
  return rows;
}
