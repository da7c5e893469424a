import { numberArray } from '@bellhop/postgres';
import type {
  ChannelId,
  MessageId,
  RealmId,
  RecipientId,
  UserId,
  EditHistoryEntry,
} from '@bellhop/protocol';
import {
  type RawBuilder,
  sql,
  type Generated,
  type GeneratedAlways,
  type JSONColumnType,
} from 'kysely';
import type { z } from 'zod';

import type { Db, Following, Tx } from '../../engine/call.ts';
import type { Topic } from '../conversation.ts';
import { reactionsOf } from '../reactions/queries.ts';
import { submessagesOf } from '../submessages/queries.ts';
import type { MessageRow, RenderedMessage } from './message.ts';
import { flagBits } from './read/flags.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    recipient: {
      id: Generated<RecipientId>;
      realm_id: RealmId;
      channel_id: ChannelId | null;
      user_ids: UserId[] | null;
    };
    message: {
      id: Generated<MessageId>;
      realm_id: RealmId;
      sender_id: UserId;
      recipient_id: RecipientId;
      channel_id: ChannelId | null;
      topic: string;
      content: string;
      rendered_content: string;
      /** UNIX seconds. */
      sent_at: number;
      client: string;
      is_me_message: Generated<boolean>;
      has_link: Generated<boolean>;
      has_image: Generated<boolean>;
      has_attachment: Generated<boolean>;
      /** The channel in which the message was sent, if it was moved to another. */
      home_channel_id: ChannelId | null;
      /** The flags of everybody who received it by their subscription and has no row in `user_message`. */
      flags: Generated<number>;
      edit_history: JSONColumnType<z.output<typeof EditHistoryEntry>[]> | null;
      last_edited_at: number | null;
      last_moved_at: number | null;
      search: GeneratedAlways<string>;
    };
    /** Messages that somebody has not read; the mails of missed messages look at them later. */
    mail_check: { realm_id: RealmId; message_id: MessageId };
    /**
     * What is said about a user and a message. Everybody has a row for each of their direct messages; for
     * channel messages see `read/received.ts`.
     */
    user_message: { realm_id: RealmId; user_id: UserId; message_id: MessageId; flags: number };
  }
}

/** The newest message of a realm; 0 if there is none. */
export async function newestOfRealm(db: Db, realm: RealmId): Promise<number> {
  const row = await db
    .selectFrom('message')
    .select(({ fn }) => fn.max('id').as('newest'))
    .where('realm_id', '=', realm)
    .executeTakeFirst();
  return row?.newest ?? 0;
}

/** What a realm has that concerns each message sent there: what it does not have is not looked up. */
export interface RealmUses {
  readonly alert_words: boolean;
  readonly muted_users: boolean;
  /** Bots are subscribed to topics. */
  readonly bot_topics: boolean;
}

interface BegunMessages {
  /** Ascending. */
  readonly ids: readonly MessageId[];
  readonly uses: RealmUses;
}

/**
 * Takes ids for messages that are stored later in the transaction, and tells what the realm uses. Counts
 * by the length of a JSON value: a series makes the planner plan each statement anew.
 */
export async function begin(db: Db, realm: RealmId, count: number): Promise<BegunMessages> {
  const each = JSON.stringify(Array.from({ length: count }, () => 0));
  const { rows } = await sql<RealmUses & { id: MessageId }>`
    select nextval('message_id_seq') as id,
      (select exists (select from alert_word where realm_id = ${realm})) as alert_words,
      (select exists (select from muted_user where realm_id = ${realm})) as muted_users,
      (select exists (select from bot_topic where realm_id = ${realm})) as bot_topics
    from json_array_elements(${each}::json)`.execute(db);
  const [uses] = rows;
  if (!uses) throw new Error('No message is sent');
  return { ids: rows.map(({ id }) => id), uses };
}

/**
 * Stores messages of a realm and the flags of single recipients: one statement, sent together with the
 * commit. One that follows the events is for messages with an id that others have read past already.
 */
export function insert(
  { db, afterEvents }: Following,
  realm: RealmId,
  messages: readonly RenderedMessage[],
): void {
  const column = <C extends keyof MessageRow>(name: C) => messages.map(({ row }) => row[name]);
  const found = (name: 'has_link' | 'has_image' | 'has_attachment') =>
    messages.map(({ content }) => content[name]);
  const common = messages.map(({ recipients }) => recipients.common);
  // By user, as in the primary key: a sixth less processor time than by message.
  const received = messages
    .flatMap(({ row: { id }, recipients }) =>
      [...recipients.flags].map(([user, flags]) => ({ user, id, flags })),
    )
    .toSorted((a, b) => a.user - b.user);
  const statement = sql`
    with sent as (
      insert into message (realm_id, id, sender_id, recipient_id, channel_id, topic, content,
        rendered_content, sent_at, client, is_me_message, has_link, has_image, has_attachment, flags)
      overriding system value
      select ${realm}, m.* from unnest(${numberArray(column('id'))}::bigint[],
        ${numberArray(column('sender_id'))}::bigint[],
        ${numberArray(column('recipient_id'))}::bigint[],
        ${numberArray(column('channel_id'))}::bigint[],
        ${column('topic')}::text[], ${column('content')}::text[],
        ${column('rendered_content')}::text[], ${numberArray(column('sent_at'))}::bigint[],
        ${column('client')}::text[], ${column('is_me_message')}::boolean[],
        ${found('has_link')}::boolean[], ${found('has_image')}::boolean[],
        ${found('has_attachment')}::boolean[], ${numberArray(common)}::integer[]) m
    ), noted as (${noteForMails(realm, messages)}), received as (
      insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, r.* from unnest(
        ${numberArray(received.map(({ user }) => user))}::bigint[],
        ${numberArray(received.map(({ id }) => id))}::bigint[],
        ${numberArray(received.map(({ flags }) => flags))}::integer[]) r
    )
    select`;
  db.last(statement.compile(db));
  const inChannels = messages.filter(({ row }) => row.channel_id !== null);
  if (inChannels.length > 0) afterEvents(catchLate(realm, inChannels));
}

/**
 * Subscriptions that changed, or whose user read on, while these messages were being sent: `read_through` is
 * beyond the id of a message. Who is subscribed now has it unread, and who has left does not have it.
 */
function catchLate(realm: RealmId, messages: readonly RenderedMessage[]): RawBuilder<unknown> {
  const column = (name: 'id' | 'channel_id') =>
    numberArray(messages.map(({ row }) => row[name] ?? 0));
  const absent = sql.lit(flagBits.absent | flagBits.read);
  // Nearly always none is late, and the subscriptions are not read: the last of an index says so.
  return sql`with late as materialized (
      select n.* from unnest(${column('id')}::bigint[], ${column('channel_id')}::bigint[],
        ${numberArray(messages.map(({ recipients }) => recipients.common))}::integer[])
        n (id, channel_id, flags)
      where n.id <= (select max(s.read_through) from subscription s
        where s.realm_id = ${realm} and s.channel_id = n.channel_id)
    )
    insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, s.user_id, n.id, case when upper_inf(s.received) then n.flags else ${absent} end
    from late n join subscription s on s.realm_id = ${realm} and s.channel_id = n.channel_id
      and s.read_through >= n.id and (upper_inf(s.received) or s.received @> n.id)
    on conflict (realm_id, user_id, message_id) do update set flags = excluded.flags
      where excluded.flags & ${sql.lit(flagBits.absent)} <> 0`;
}

/**
 * The statement, for a WITH clause, that records which of these messages somebody may not have read: the job
 * `find_missed_messages` looks at them later.
 */
function noteForMails(realm: RealmId, messages: readonly RenderedMessage[]): RawBuilder<unknown> {
  const isUnread = (flags: number) => (flags & flagBits.read) === 0;
  const unread = messages.filter(
    ({ row, recipients: { common, flags } }) =>
      (row.channel_id !== null && isUnread(common)) ||
      [...flags].some(([user, own]) => user !== row.sender_id && isUnread(own)),
  );
  return sql`insert into mail_check (realm_id, message_id)
    select ${realm}, unnest(${numberArray(unread.map(({ row }) => row.id))}::bigint[])`;
}

/** The conversation of exactly these users; creates it if there is none. */
export async function conversation(
  tx: Tx,
  realm_id: RealmId,
  user_ids: readonly UserId[],
): Promise<RecipientId> {
  const sorted = [...new Set(user_ids)].toSorted((a, b) => a - b);
  // A conversation that was created meanwhile is seen only by another statement: the second round.
  for (let rounds = 2; rounds > 0; rounds--) {
    const { rows } = await sql<{ id: RecipientId }>`
      with known as materialized (
        select id from recipient where realm_id = ${realm_id} and user_ids = ${sorted}::bigint[]
      ), created as (
        insert into recipient (realm_id, user_ids)
        select ${realm_id}, ${sorted}::bigint[] where not exists (select from known)
        on conflict do nothing returning id
      )
      select id from known union all select id from created`.execute(tx);
    const [row] = rows;
    if (row) return row.id;
  }
  throw new Error('The conversation was not found after a conflict');
}

/** The users who have written in a topic, for topic wildcard mentions. */
export async function topicParticipants(
  db: Db,
  realm: RealmId,
  { channel_id, topic }: Topic,
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('message')
    .select('sender_id')
    .distinct()
    .where('realm_id', '=', realm)
    .where('channel_id', '=', channel_id)
    .where(sql<boolean>`lower(topic) = lower(${topic})`)
    .execute();
  return rows.map(({ sender_id }) => sender_id);
}

/** A message, without a check of who may read it; undefined if it is gone. */
export const byId = (db: Db, realm: RealmId, id: MessageId): Promise<MessageRow | undefined> =>
  db
    .selectFrom('message as m')
    .innerJoin('recipient as r', (join) =>
      join.onRef('r.realm_id', '=', 'm.realm_id').onRef('r.id', '=', 'm.recipient_id'),
    )
    .leftJoin('channel as c', (join) =>
      join.onRef('c.realm_id', '=', 'm.realm_id').onRef('c.id', '=', 'm.channel_id'),
    )
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
      reactionsOf(realm, 'm').as('reactions'),
      submessagesOf(realm, 'm').as('submessages'),
    ])
    .where('m.realm_id', '=', realm)
    .where('m.id', '=', id)
    .executeTakeFirst();

/** Sets `has_attachment` of messages whose uploads changed. */
export async function recheckAttachments(
  tx: Tx,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<void> {
  await tx
    .updateTable('message as m')
    .set({
      has_attachment: sql<boolean>`exists (select from upload_message l
        where l.realm_id = ${realm} and l.message_id = m.id)`,
    })
    .where('m.realm_id', '=', realm)
    .where(sql<boolean>`m.id = any(${ids}::bigint[])`)
    .execute();
}
