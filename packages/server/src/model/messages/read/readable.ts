import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { readableChannels } from '../../channels/readable-channels.ts';
import { flagBits } from './flags.ts';
import { ownFlags } from './received.ts';

/** The WITH clause that a statement with `messagesOf` needs: looks up the user's channels once, if needed. */
export const withChannels = (user: User): RawBuilder<unknown> =>
  sql`with readable_channels as materialized (${readableChannels(user)}),
    open_channels as (select id from readable_channels where shows_history),
    reachable_channels as (select id from readable_channels)`;

/** The flags of a message that the user never received. */
const HISTORICAL = sql.lit(flagBits.read | flagBits.historical);

/** The condition that a received message is readable, over `m`. */
export const receivedAllowed = sql`(m.channel_id is null or m.channel_id in (select id from reachable_channels))`;

interface MessageSelection {
  /** Includes messages that the user never received, in channels with shared history. */
  readonly history: boolean;
  /** The condition on the message id, without the column: `< 7`. */
  readonly ids: RawBuilder<unknown>;
}

/**
 * The messages that a user may read, as FROM and WHERE over `m` (message) and `um` (the user's flags):
 * received direct messages, received messages of channels that the user may read, and with `history`
 * all messages of channels that share their history with the user. For messages that the statement finds
 * without regard to who received them, as by id.
 */
export const messagesOf = ({ id, realm_id }: User, { history, ids }: MessageSelection) => {
  const own = ownFlags(realm_id, sql`${id}`);
  const place = sql`where m.realm_id = ${realm_id} and m.id ${ids}`;
  return history
    ? {
        flags: sql`coalesce(um.flags, ${HISTORICAL})`,
        from: sql`message m left join ${own} on true ${place}`,
        allowed: sql`(m.channel_id in (select id from open_channels)
          or (um.flags is not null and ${receivedAllowed}))`,
      }
    : {
        flags: sql`um.flags`,
        from: sql`message m cross join ${own} ${place}`,
        allowed: receivedAllowed,
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
