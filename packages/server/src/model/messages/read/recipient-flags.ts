import type { ChannelId, MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { sharesHistory } from '../../channels/channel-rights.ts';
import { flagBits } from './flags.ts';

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
  await sql`update user_message um set flags = (um.flags & ~${mask}::integer) | r.flags
    from unnest(${recipients.map(({ user_id }) => user_id)}::bigint[],
      ${recipients.map(({ flags }) => flags)}::integer[]) r (user_id, flags)
    where um.realm_id = ${realm} and um.message_id = ${id} and um.user_id = r.user_id
      and um.flags & ${mask}::integer <> r.flags`.execute(tx);
}

const selectFlags = (db: Db, realm: RealmId, id: MessageId) =>
  db
    .selectFrom('user_message')
    .select(['user_id', 'flags'])
    .where('realm_id', '=', realm)
    .where('message_id', '=', id)
    .orderBy('user_id');

/** The recipients of a message with their flags. */
export const recipientFlags = (db: Db, realm: RealmId, id: MessageId): Promise<RecipientFlags[]> =>
  selectFlags(db, realm, id).execute();

/**
 * The same, locked until the commit. An event with flags replaces those that clients know: it must have
 * every change of them whose own event comes before.
 */
export const lockRecipientFlags = (
  tx: Tx,
  realm: RealmId,
  id: MessageId,
): Promise<RecipientFlags[]> => selectFlags(tx, realm, id).forNoKeyUpdate().execute();

/** Adds flags of a recipient to a message: sent together with the commit. */
export function addFlags(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  message_id: MessageId,
  bits: number,
): void {
  tx.last(
    tx
      .updateTable('user_message')
      .set({ flags: sql<number>`flags | ${bits}` })
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('message_id', '=', message_id),
  );
}

/** Makes a user who may read a message, but was no recipient, a recipient with a historical message. */
export async function addToHistory(
  tx: Tx,
  realm_id: RealmId,
  received: { user_id: UserId; message_id: MessageId },
): Promise<void> {
  await tx
    .insertInto('user_message')
    .values({ realm_id, ...received, flags: flagBits.read | flagBits.historical })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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
