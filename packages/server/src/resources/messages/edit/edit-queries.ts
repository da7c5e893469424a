import { jsonb } from '@bellhop/postgres';
import type {
  ChannelId,
  EditHistoryEntry,
  MessageId,
  RealmId,
  RecipientId,
  UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { messagesOf, withChannels } from '../read/readable.ts';

export interface LockedMessage {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
}

/** Finds a message that somebody may read, and holds it against other changes until the commit. */
export async function lockReadable(
  tx: Tx,
  user: User,
  id: MessageId,
): Promise<LockedMessage | undefined> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`= ${id}` });
  const { rows } = await sql<LockedMessage>`
    ${withChannels(user)} select m.id, m.sender_id, m.recipient_id, m.channel_id, m.topic,
      m.content, m.rendered_content, m.sent_at
    from ${from} and ${allowed} for no key update of m`.execute(tx);
  return rows[0];
}

export interface NewContent {
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
}

/** Stores the new content of a message; the search index follows by itself. */
export async function setContent(
  tx: Tx,
  { realm, id }: { realm: RealmId; id: MessageId },
  columns: NewContent & { readonly last_edited_at: number },
): Promise<void> {
  await tx
    .updateTable('message')
    .set(columns)
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .execute();
}

/** Puts an entry before the others in the edit history of these messages. */
export async function recordHistory(
  tx: Tx,
  { realm, ids }: { realm: RealmId; ids: readonly MessageId[] },
  entry: EditHistoryEntry,
): Promise<void> {
  const own = sql`case when ${jsonb(entry)} ? 'prev_topic'
    then jsonb_build_object('prev_topic', topic) else '{}' end`;
  await sql`update message
    set edit_history = jsonb_build_array(${jsonb(entry)} || ${own}) || coalesce(edit_history, '[]')
    where realm_id = ${realm} and id = any(${ids}::bigint[])`.execute(tx);
}

export interface Reading {
  readonly user_id: UserId;
  readonly flags: number;
}

/** Sets the bits of `mask` for those who received a message; theirs are in `bits`, by user. */
export async function setFlags(
  tx: Tx,
  { realm, id, mask }: { realm: RealmId; id: MessageId; mask: number },
  bits: readonly Reading[],
): Promise<void> {
  await sql`update user_message um set flags = (um.flags & ~${mask}::integer) | r.flags
    from unnest(${bits.map(({ user_id }) => user_id)}::bigint[],
      ${bits.map(({ flags }) => flags)}::integer[]) r (user_id, flags)
    where um.realm_id = ${realm} and um.message_id = ${id} and um.user_id = r.user_id
      and um.flags & ${mask}::integer <> r.flags`.execute(tx);
}

/** Everybody who received a message, with their flags. */
export const readings = (db: Db, realm: RealmId, id: MessageId): Promise<Reading[]> =>
  db
    .selectFrom('user_message')
    .select(['user_id', 'flags'])
    .where('realm_id', '=', realm)
    .where('message_id', '=', id)
    .orderBy('user_id')
    .execute();

/** Deletes messages, and that anybody received them. */
export async function deleteForGood(
  tx: Tx,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<void> {
  await sql`delete from user_message
    where realm_id = ${realm} and message_id = any(${ids}::bigint[])`.execute(tx);
  await sql`delete from message
    where realm_id = ${realm} and id = any(${ids}::bigint[])`.execute(tx);
}
