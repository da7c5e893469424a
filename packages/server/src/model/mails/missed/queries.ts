import { numberArray } from '@bellhop/postgres';
import { type MessageId, type RealmId, type UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { flagBits, MENTION_FLAGS } from '../../messages/read/flags.ts';
import { messagesOf, withChannels } from '../../messages/read/readable.ts';
import { ownFlags } from '../../messages/read/received.ts';
import type { Candidate, NotifyingMessage } from '../../notifications/decide-notifications.ts';
import { listeners } from '../../notifications/queries.ts';

declare module '../../../engine/tables.ts' {
  interface Tables {
    /** `due_at` in UNIX seconds. */
    missed_message: { realm_id: RealmId; user_id: UserId; message_id: MessageId; due_at: number };
  }
}

const UNREAD = sql`um.flags & ${sql.lit(flagBits.read)} = 0`;

/** The realms with messages to look at or mails to send. */
export async function realmsToCheck(db: Db, now: number): Promise<RealmId[]> {
  const { rows } = await sql<{ realm_id: RealmId }>`
    select r.id as realm_id from realm r
    where exists (select from mail_check c where c.realm_id = r.id)
      or exists (select from missed_message x where x.realm_id = r.id and x.due_at <= ${now})
    order by r.id`.execute(db);
  return rows.map(({ realm_id }) => realm_id);
}

/**
 * Takes messages that nobody has looked at. An array is made once; the planner, which takes the table for
 * empty, would run `in (select ...)` anew for each row, and take more than `limit`.
 */
export async function takeUnchecked(tx: Tx, realm: RealmId, limit: number): Promise<MessageId[]> {
  const { rows } = await sql<{ message_id: MessageId }>`
    delete from mail_check c where c.realm_id = ${realm} and c.message_id = any(array(
      select message_id from mail_check where realm_id = ${realm}
      order by message_id limit ${limit} for update skip locked))
    returning c.message_id`.execute(tx);
  return rows.map(({ message_id }) => message_id);
}

interface CandidateRow extends NotifyingMessage {
  readonly user_id: UserId;
  readonly flags: number;
}
const asCandidate = ({ user_id, flags, ...message }: CandidateRow): Candidate => ({
  message,
  user_id,
  flags,
});

/**
 * The recipients who have not read a message, if it may concern them: without those who would get a mail
 * of no setting that `decideNotification` knows. `offset 0` makes the planner look up the rows of each message
 * by its key.
 */
export async function concerned(
  tx: Tx,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<Candidate[]> {
  // Just-in-time compilation of this statement takes longer than running it, and its estimated cost
  // would cause it.
  await sql`set local jit = off`.execute(tx);
  const { rows } = await sql<CandidateRow>`
    with sent as materialized (
      select m.id, m.sender_id, m.channel_id, m.home_channel_id, m.topic, m.flags from message m
      where m.realm_id = ${realm} and m.id = any(${ids}::bigint[])
    ), concerned as materialized (
      select m.*, um.user_id from sent m cross join lateral (
        select um.user_id from user_message um
        where um.realm_id = ${realm} and um.message_id = m.id
          and (m.channel_id is null or um.flags & ${sql.lit(MENTION_FLAGS)} <> 0) offset 0) um
      union
      select m.*, l.user_id from sent m cross join lateral ${listeners(realm, 'email', {
        channel: sql`m.channel_id`,
        topic: sql`m.topic`,
        isForAll: sql`m.flags & ${sql.lit(MENTION_FLAGS)} <> 0`,
      })} l
    )
    select um.flags, m.id, m.sender_id, m.channel_id, m.topic, m.user_id from concerned m
    join realm_user u on u.realm_id = ${realm} and u.id = m.user_id and u.is_active and not u.is_bot
    cross join ${ownFlags(realm, sql`m.user_id`)}
    where m.sender_id <> m.user_id and ${UNREAD}
    order by m.user_id, m.id`.execute(tx);
  return rows.map(asCandidate);
}

export interface MissedMessage {
  readonly user_id: UserId;
  readonly message_id: MessageId;
  /** UNIX time in seconds. */
  readonly due_at: number;
}

export async function addMissed(
  tx: Tx,
  realm: RealmId,
  missed: readonly MissedMessage[],
): Promise<void> {
  if (missed.length === 0) return;
  await sql`insert into missed_message (realm_id, user_id, message_id, due_at)
    select ${realm}, * from unnest(${numberArray(missed.map(({ user_id }) => user_id))}::bigint[],
      ${numberArray(missed.map(({ message_id }) => message_id))}::bigint[],
      ${numberArray(missed.map(({ due_at }) => due_at))}::bigint[])
    on conflict do nothing`.execute(tx);
}

/** The messages of one conversation that a user missed. */
export interface MissedConversation {
  readonly user_id: UserId;
  /** Ascending. */
  readonly message_ids: readonly MessageId[];
}

/**
 * Takes the missed messages of users by conversation, as soon as one of a conversation is due. Messages
 * that are gone are forgotten. `limit` is the maximum number of users.
 */
export async function takeDue(
  tx: Tx,
  realm: RealmId,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<MissedConversation[]> {
  const { rows } = await sql<MissedConversation>`
    with missed as materialized (
      select x.user_id, x.message_id, x.due_at, m.recipient_id, lower(m.topic) as topic_key
      from missed_message x
      left join message m on m.realm_id = x.realm_id and m.id = x.message_id
      where x.realm_id = ${realm} and x.user_id = any(array(
        select distinct user_id from missed_message
        where realm_id = ${realm} and due_at <= ${now} limit ${limit}))
      for update of x skip locked
    ), due as (
      select user_id, recipient_id, array_agg(message_id order by message_id) as message_ids
      from missed group by user_id, recipient_id, topic_key having min(due_at) <= ${now}
    ), taken as (
      delete from missed_message x using due d where x.realm_id = ${realm}
        and x.user_id = d.user_id and x.message_id = any(d.message_ids)
    )
    select user_id, message_ids from due where recipient_id is not null
    order by user_id, message_ids[1]`.execute(tx);
  return rows;
}

/** A missed message as a mail shows it. */
export interface MailedMessage extends NotifyingMessage {
  readonly channel_name: string | null;
  /** The participants of a direct message. */
  readonly user_ids: readonly UserId[] | null;
  readonly rendered_content: string;
  readonly flags: number;
}

/** The messages among these that the user has not read and may read, ascending. */
export async function unreadAmong(
  db: Db,
  user: User,
  ids: readonly MessageId[],
): Promise<MailedMessage[]> {
  const { from, allowed } = messagesOf(user, {
    history: false,
    ids: sql`= any(${ids}::bigint[])`,
  });
  const { rows } = await sql<MailedMessage>`
    ${withChannels(user)} select um.flags, m.id, m.sender_id, m.channel_id, m.topic, m.rendered_content,
      (select c.name from channel c where c.realm_id = ${user.realm_id} and c.id = m.channel_id)
        as channel_name,
      (select r.user_ids from recipient r where r.realm_id = ${user.realm_id} and r.id = m.recipient_id)
        as user_ids
    from ${from} and ${allowed} and ${UNREAD} order by m.id`.execute(db);
  return rows;
}
