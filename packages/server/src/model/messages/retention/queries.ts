import type { ChannelId, MessageId, RealmId, RecipientId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';

const DAY = 86_400;

/** A conversation that has messages older than its retention time. */
export interface ExpiringConversation {
  readonly recipient_id: RecipientId;
  /** Null for direct messages. */
  readonly channel_id: ChannelId | null;
  /** Messages sent before this UNIX time expire. */
  readonly before: number;
}

interface Expiry {
  /** The retention time of the realm; -1 for unlimited. */
  readonly days: number;
  /** UNIX time in seconds. */
  readonly now: number;
  /** Looks at one conversation only. */
  readonly recipient_id?: RecipientId;
}

/**
 * The conversations of a realm whose oldest message has expired: channels by their own retention time
 * or that of the realm, direct messages by that of the realm.
 */
export async function expiringConversations(
  db: Db,
  realm: RealmId,
  { days, now, recipient_id }: Expiry,
): Promise<ExpiringConversation[]> {
  const isAsked = recipient_id === undefined ? sql`true` : sql`r.id = ${recipient_id}`;
  const { rows } = await sql<ExpiringConversation>`
    select kept.recipient_id, kept.channel_id, kept.before
    from (
      select r.id as recipient_id, r.channel_id,
        ${now}::bigint - ${sql.lit(DAY)} * coalesce(c.message_retention_days, ${days}) as before
      from recipient r
      left join channel c on c.realm_id = r.realm_id and c.id = r.channel_id
      where r.realm_id = ${realm} and ${isAsked} and coalesce(c.message_retention_days, ${days}) > 0
    ) kept
    cross join lateral (
      select m.sent_at from message m
      where m.realm_id = ${realm} and m.recipient_id = kept.recipient_id order by m.id limit 1
    ) oldest
    where oldest.sent_at < kept.before
    order by kept.recipient_id`.execute(db);
  return rows;
}

/**
 * Locks the expired ones among the oldest messages of a conversation. Reads no newer messages: in a
 * conversation they are sent in the order of their ids. A message that moves away before it is locked
 * is left out.
 */
export async function lockExpired(
  tx: Tx,
  realm: RealmId,
  { recipient_id, before, limit }: ExpiringConversation & { readonly limit: number },
): Promise<MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from message m
    where m.realm_id = ${realm} and m.recipient_id = ${recipient_id} and m.sent_at < ${before}
      and m.id = any(array(
      select o.id from message o where o.realm_id = ${realm} and o.recipient_id = ${recipient_id}
      order by o.id limit ${limit}))
    order by m.id for update`.execute(tx);
  return rows.map(({ id }) => id);
}
