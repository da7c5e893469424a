import {
  type ChannelId,
  foldCase,
  type MessageId,
  type RealmId,
  type UserId,
  type VisibilityPolicy,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { mutedChannels } from '../../channels/readable-channels.ts';
import * as userTopics from '../../user-topics/queries.ts';
import { flagBits, MARKED_FLAGS } from '../read/flags.ts';
import { receivedAllowed, withChannels } from '../read/readable.ts';
import { firstReceived, receivedNearby, together } from '../read/received.ts';

/** The most messages that `unread` returns; `old_unreads_missing` says whether there are more. */
export const MAX_UNREAD = 50_000;

export interface UnreadRow {
  readonly message_id: MessageId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly user_ids: readonly UserId[] | null;
  readonly flags: number;
}

export interface Mutes {
  readonly channels: ReadonlySet<ChannelId>;
  /** Policies by `topicKey`. */
  readonly policies: ReadonlyMap<string, VisibilityPolicy>;
}

/** A value of each unread message. */
type Column<K extends keyof UnreadRow> = UnreadRow[K][];

/**
 * A user's newest unread messages, oldest first; none of channels that the user may not read. The statement
 * returns JSON: 50,000 rows would keep the server busy for several times as long.
 */
export async function unread(db: Db, user: User): Promise<UnreadRow[]> {
  const parts = firstReceived(user, {
    ids: sql`> 0`,
    among: 'unread',
    conditions: [receivedAllowed],
    columns: (flags) => sql`m.id, m.channel_id, m.topic, m.recipient_id, ${flags} as flags`,
    order: 'desc',
    limit: MAX_UNREAD,
  });
  const { rows } = await sql<{
    ids: Column<'message_id'> | null;
    channels: Column<'channel_id'>;
    topics: Column<'topic'>;
    users: Column<'user_ids'>;
    flags: Column<'flags'>;
  }>`${withChannels(user)}
    select json_agg(u.id) as ids, json_agg(u.channel_id) as channels, json_agg(u.topic) as topics,
      json_agg(case when u.channel_id is null then (select r.user_ids from recipient r
        where r.realm_id = ${user.realm_id} and r.id = u.recipient_id) end) as users,
      json_agg(u.flags) as flags
    from (select * from ${together(parts)} p order by p.id desc limit ${MAX_UNREAD}) u`.execute(db);
  const [columns] = rows;
  if (!columns?.ids) return [];
  const { ids, channels, topics, users, flags } = columns;
  return ids
    .map((message_id, at) => ({
      message_id,
      channel_id: channels[at] ?? null,
      topic: topics[at] ?? '',
      user_ids: users[at] ?? null,
      flags: flags[at] ?? 0,
    }))
    .toReversed();
}

/** The newest message that a user received; -1 if there is none. */
export async function newestReceived(db: Db, user: User): Promise<MessageId | -1> {
  const first = { ids: sql`> 0`, order: 'desc', limit: 1 } as const;
  const parts = firstReceived(user, { ...first, conditions: [], columns: () => sql`m.id` });
  const { rows } = await sql<{ newest: MessageId }>`select coalesce(
      (select m.id from ${receivedNearby(user, first)} order by m.id desc limit 1),
      (select max(u.id) from ${together(parts)} u), -1) as newest`.execute(db);
  return rows[0]?.newest ?? -1;
}

/** The channels that a user has muted, and their policies by channel and topic. */
export async function mutes(db: Db, user: User): Promise<Mutes> {
  const [channels, topics] = await Promise.all([
    mutedChannels(user).execute(db),
    userTopics.ofUser(db, user),
  ]);
  return {
    channels: new Set(channels.rows.map(({ id }) => id)),
    policies: new Map(
      topics.map((one) => [topicKey(one.stream_id, one.topic_name), one.visibility_policy]),
    ),
  };
}

/** Topics are compared without case. */
export const topicKey = (channel: ChannelId, topic: string): string =>
  `${channel} ${foldCase(topic)}`;

/**
 * The IDs of the messages that a user has starred, also in channels that they have left: no event tells
 * clients of these. Repeats the condition of the index user_message_marked. A message that was starred while it
 * was deleted may have left its row.
 */
export async function starred(db: Db, { id, realm_id }: User): Promise<MessageId[]> {
  const { rows } = await sql<{ message_id: MessageId }>`select message_id from user_message um
    where realm_id = ${realm_id} and user_id = ${id} and flags & ${sql.lit(MARKED_FLAGS)} <> 0
      and flags & ${sql.lit(flagBits.starred)} <> 0
      and (select true from message m where m.realm_id = ${realm_id} and m.id = um.message_id)
    order by message_id`.execute(db);
  return rows.map(({ message_id }) => message_id);
}

/** A user's 1,000 newest direct message conversations, newest first. */
export async function recentConversations(db: Db, realm: RealmId, user: UserId) {
  const { rows } = await sql<{ user_ids: UserId[]; max_message_id: MessageId }>`
    select r.user_ids, m.id as max_message_id
    from recipient r cross join lateral (select id from message
      where realm_id = ${realm} and recipient_id = r.id order by id desc limit 1) m
    where r.realm_id = ${realm} and r.user_ids @> array[${user}]::bigint[]
    order by m.id desc limit 1000`.execute(db);
  return rows.map(({ user_ids, max_message_id }) => ({
    user_ids: user_ids.filter((id) => id !== user),
    max_message_id,
  }));
}
