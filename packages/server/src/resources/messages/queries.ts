import type { ChannelId, MessageId, RealmId, RecipientId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';

/** The newest message a user received; -1 if there is none. */
export async function newestReceived(db: Db, { id }: { id: UserId }): Promise<MessageId | -1> {
  const row = await db
    .selectFrom('user_message')
    .select(({ fn }) => fn.max('message_id').as('newest'))
    .where('user_id', '=', id)
    .executeTakeFirst();
  return row?.newest ?? -1;
}

export interface NewMessage {
  readonly realm_id: RealmId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
  readonly client: string;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
}

/** Stores a message and that these users received it, with their flags, in one statement. */
export async function insert(
  tx: Tx,
  message: NewMessage,
  received: { readonly users: readonly UserId[]; readonly flags: readonly number[] },
): Promise<MessageId> {
  const { rows } = await sql<{ id: MessageId }>`
    with sent as (
      insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content, rendered_content,
        sent_at, client, is_me_message, has_link, has_image, has_attachment)
      values (${message.realm_id}, ${message.sender_id}, ${message.recipient_id}, ${message.channel_id},
        ${message.topic}, ${message.content}, ${message.rendered_content}, ${message.sent_at},
        ${message.client}, ${message.is_me_message}, ${message.has_link}, ${message.has_image},
        ${message.has_attachment})
      returning id
    ), received as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${message.realm_id}, r.user_id, sent.id, r.flags
      from sent, unnest(${received.users}::bigint[], ${received.flags}::integer[]) r (user_id, flags)
    )
    select id from sent`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('The message was not stored');
  return row.id;
}

/** The conversation of exactly these users, made when they first write to each other. */
export async function conversation(
  tx: Tx,
  realm_id: RealmId,
  user_ids: readonly UserId[],
): Promise<{ id: RecipientId; is_new: boolean }> {
  const sorted = [...new Set(user_ids)].toSorted((a, b) => a - b);
  const find = () =>
    tx
      .selectFrom('recipient')
      .select('id')
      .where('realm_id', '=', realm_id)
      .where(sql<boolean>`user_ids = ${sorted}::bigint[]`)
      .executeTakeFirst();
  const known = await find();
  if (known) return { id: known.id, is_new: false };
  const made = await tx
    .insertInto('recipient')
    .values({ realm_id, user_ids: sorted })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return { id: made.id, is_new: true };
  const other = await find();
  if (!other) throw new Error('The conversation vanished');
  return { id: other.id, is_new: false };
}

/** Those who have written in a topic, for topic wildcard mentions. */
export async function topicParticipants(
  db: Db,
  channel: ChannelId,
  topic: string,
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('message')
    .select('sender_id')
    .distinct()
    .where('channel_id', '=', channel)
    .where(sql<boolean>`lower(topic) = lower(${topic})`)
    .execute();
  return rows.map(({ sender_id }) => sender_id);
}

/** A message with the channel or the users of its conversation. */
export const withPlace = (db: Db, realm: RealmId, id: MessageId) =>
  db
    .selectFrom('message as m')
    .innerJoin('recipient as r', 'r.id', 'm.recipient_id')
    .leftJoin('channel as c', 'c.id', 'm.channel_id')
    .select([
      'm.id',
      'm.sender_id',
      'm.recipient_id',
      'm.channel_id',
      'm.topic',
      'm.content',
      'm.rendered_content',
      'm.sent_at',
      'm.client',
      'm.is_me_message',
      'm.edit_history',
      'm.last_edited_at',
      'm.last_moved_at',
      'c.name as channel_name',
      'r.user_ids',
    ])
    .where('m.realm_id', '=', realm)
    .where('m.id', '=', id)
    .executeTakeFirst();

/** Sets flags of a user on a message they received. */
export async function addFlags(
  tx: Tx,
  { user_id, message_id }: { user_id: UserId; message_id: MessageId },
  bits: number,
): Promise<void> {
  await tx
    .updateTable('user_message')
    .set({ flags: sql<number>`flags | ${bits}` })
    .where('user_id', '=', user_id)
    .where('message_id', '=', message_id)
    .execute();
}
