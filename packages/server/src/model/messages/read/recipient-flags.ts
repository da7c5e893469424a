import { numberArray } from '@bellhop/postgres';
import type { ChannelId, MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { lockLog } from '../../../engine/event-log.ts';
import { sharesHistory } from '../../channels/channel-rights.ts';
import { lockAll, lockingAll } from '../../users/queries.ts';
import { flagBits } from './flags.ts';
import { isReceivedBy, ownFlags, receiversOf } from './received.ts';

export interface RecipientFlags {
  readonly user_id: UserId;
  readonly flags: number;
}

/** Replaces the bits of `mask` in the flags of a message's recipients. */
export async function setFlags(
  tx: Tx,
  { realm, id, mask }: { realm: RealmId; id: MessageId; mask: number },
  recipients: readonly RecipientFlags[],
): Promise<void> {
  const users = recipients.map(({ user_id }) => user_id);
  await lockAll(tx, realm, users);
  await sql`insert into user_message as um (realm_id, user_id, message_id, flags)
    select ${realm}, r.user_id, ${id}, (r.flags & ~${mask}::integer) | n.flags
    from ${receiversOf(realm, sql`= ${id}`)} r
    join unnest(${numberArray(users)}::bigint[],
      ${numberArray(recipients.map(({ flags }) => flags))}::integer[]) n (user_id, flags)
      on n.user_id = r.user_id and r.flags & ${mask}::integer <> n.flags
    on conflict (realm_id, user_id, message_id)
      do update set flags = (um.flags & ~${mask}::integer) | (excluded.flags & ${mask}::integer)`.execute(
    tx,
  );
}

/** The recipients of a message with their flags. */
export async function recipientFlags(
  db: Db,
  realm: RealmId,
  id: MessageId,
): Promise<RecipientFlags[]> {
  const { rows } = await sql<RecipientFlags>`
    select user_id, flags from ${receiversOf(realm, sql`= ${id}`)} r order by user_id`.execute(db);
  return rows;
}

/**
 * The same, as of the place in the log that the events of the change get. An event with flags replaces those
 * that clients know: it must have every change of them whose own event comes before.
 */
export async function recipientFlagsInOrder(
  tx: Tx,
  realm: RealmId,
  id: MessageId,
): Promise<RecipientFlags[]> {
  await lockLog(tx, realm);
  return recipientFlags(tx, realm, id);
}

/** Adds flags of a recipient to a message: sent together with the commit. */
export function addFlags(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  message_id: MessageId,
  bits: number,
): void {
  const statement = sql`insert into user_message as um (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${id}, m.id, um.flags | ${bits}
    from message m cross join ${ownFlags(realm_id, sql`${id}`)}
    where m.realm_id = ${realm_id} and m.id = ${message_id}
    on conflict (realm_id, user_id, message_id) do update set flags = um.flags | ${bits}`;
  tx.last(lockingAll(realm_id, [id]).compile(tx));
  tx.last(statement.compile(tx));
}

/** Makes a user who may read a message, but was no recipient, a recipient with a historical message. */
export async function addToHistory(
  tx: Tx,
  realm_id: RealmId,
  { user_id, message_id }: { user_id: UserId; message_id: MessageId },
): Promise<void> {
  await lockAll(tx, realm_id, [user_id]);
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${user_id}, m.id, ${sql.lit(flagBits.read | flagBits.historical)}
    from message m where m.realm_id = ${realm_id} and m.id = ${message_id}
      and not ${isReceivedBy(realm_id, sql`${user_id}`)}
    on conflict (realm_id, user_id, message_id) do update set flags = excluded.flags
      where user_message.flags & ${sql.lit(flagBits.absent)} <> 0`.execute(tx);
}

const RECENT_SECONDS = 12 * 7 * 86_400;
const MAX_RECENT = 1000;
const MAX_RECENT_UNREAD = 20;

interface JoinedChannels {
  readonly channels: readonly ChannelId[];
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Makes a new user a recipient of the recent messages of channels that share their history, so that the
 * views of their clients do not begin empty. The newest ones are unread.
 */
export async function addRecentMessages(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { channels, now }: JoinedChannels,
): Promise<void> {
  const { historical, read } = flagBits;
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${id}, r.id, case when row_number() over (order by r.id desc)
      > ${MAX_RECENT_UNREAD} then ${sql.lit(historical | read)} else ${sql.lit(historical)} end
    from (select m.id from message m
      join channel c on c.realm_id = m.realm_id and c.id = m.channel_id
        and ${sharesHistory('c')}
      where m.realm_id = ${realm_id} and m.channel_id = any(${channels}::bigint[])
        and m.sent_at > ${now - RECENT_SECONDS}
      order by m.id desc limit ${MAX_RECENT}) r
    on conflict (realm_id, user_id, message_id) do nothing`.execute(tx);
}
