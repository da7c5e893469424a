import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { readableChannels } from '../../channels/readable-channels.ts';
import type { Condition } from '../fetch/narrow/narrow-term.ts';
import { flagBits } from './flags.ts';

/** The WITH clause that a statement with `messagesOf` needs: looks up the user's channels once, if needed. */
export const withChannels = (user: User): RawBuilder<unknown> =>
  sql`with readable_channels as materialized (${readableChannels(user)}),
    open_channels as (select id from readable_channels where shows_history),
    reachable_channels as (select id from readable_channels)`;

/** The flags of a message that the user never received. */
const HISTORICAL = sql.lit(flagBits.read | flagBits.historical);

/** The condition that a received message is readable, over `m`. */
const receivedAllowed = sql`(m.channel_id is null or m.channel_id in (select id from reachable_channels))`;

interface MessageSelection {
  /** Includes messages that the user never received, in channels with shared history. */
  readonly history: boolean;
  /** The condition on the message id, without the column: `< 7`. */
  readonly ids: Condition;
}

/**
 * The messages that a user may read, as FROM and WHERE over `m` (message) and `um` (user_message):
 * received direct messages, received messages of channels that the user may read, and with `history`
 * all messages of channels that share their history with the user. The condition on the ids is
 * repeated for both tables, so that PostgreSQL can use the index of either.
 */
export const messagesOf = (user: User, { history, ids }: MessageSelection) =>
  history
    ? {
        flags: sql`coalesce(um.flags, ${HISTORICAL})`,
        from: sql`message m left join user_message um on um.realm_id = m.realm_id
            and um.user_id = ${user.id} and um.message_id = m.id and um.message_id ${ids}
          where m.realm_id = ${user.realm_id} and m.id ${ids}`,
        allowed: sql`(m.channel_id in (select id from open_channels) or (um.user_id is not null
          and (m.channel_id is null or m.channel_id in (select id from reachable_channels))))`,
      }
    : {
        flags: sql`um.flags`,
        from: sql`user_message um
          join message m on m.realm_id = um.realm_id and m.id = um.message_id
          where um.realm_id = ${user.realm_id} and um.user_id = ${user.id} and m.id ${ids} and um.message_id ${ids}`,
        allowed: receivedAllowed,
      };

/**
 * The readable messages among those a user has marked (`where` is a condition on `um.flags`), as FROM and
 * WHERE over `m` and `um`. Each message is looked up by its id, for marks that a partial index finds: the
 * planner cannot estimate a condition on bits, and without the LIMIT it may read all messages instead.
 */
export const markedMessagesOf = (user: User, where: Condition): RawBuilder<unknown> =>
  sql`user_message um cross join lateral (select * from message
      where realm_id = ${user.realm_id} and id = um.message_id limit 1) m
    where um.realm_id = ${user.realm_id} and um.user_id = ${user.id} and ${where} and ${receivedAllowed}`;

/**
 * The same as `messagesOf` for few ids next to each other: reads these messages in order, and looks up the
 * user's row of each. Without statistics about the tables the planner would join the two ranges row by row.
 */
export const nearbyMessagesOf = (user: User, { history, ids }: MessageSelection) => {
  const own = sql`lateral (select * from user_message where realm_id = ${user.realm_id}
    and user_id = ${user.id} and message_id = m.id limit 1) um`;
  const { flags, allowed } = messagesOf(user, { history, ids });
  const join = history ? sql`left join ${own} on true` : sql`cross join ${own}`;
  return {
    flags,
    allowed,
    from: sql`message m ${join} where m.realm_id = ${user.realm_id} and m.id ${ids}`,
  };
};

interface ReadableMessage {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly user_ids: readonly UserId[] | null;
}

/** The sender and conversation of a message; undefined if it does not exist or the user may not read it. */
export async function readable(
  db: Db,
  user: User,
  id: number,
): Promise<ReadableMessage | undefined> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`= ${id}` });
  const { rows } = await sql<ReadableMessage>`
    ${withChannels(user)} select m.id, m.sender_id, m.channel_id, m.topic,
      (select r.user_ids from recipient r
        where r.realm_id = ${user.realm_id} and r.id = m.recipient_id) as user_ids
    from ${from} and ${allowed}`.execute(db);
  return rows[0];
}
