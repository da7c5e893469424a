import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { sql, type GeneratedAlways } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Topic } from '../conversation.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    bot_topic: {
      realm_id: RealmId;
      user_id: UserId;
      channel_id: ChannelId;
      topic: string;
      topic_key: GeneratedAlways<string>;
      /** UNIX time in seconds. */
      expires_at: number;
    };
  }
}

type Bot = Pick<User, 'id' | 'realm_id'>;

interface Subscription extends Topic {
  /** UNIX seconds, as `now`. */
  readonly expires_at: number;
  readonly now: number;
}

/** The subscriptions of a bot that have not expired, by channel and topic. */
export const ofBot = (db: Db, { id, realm_id }: Bot, now: number) =>
  db
    .selectFrom('bot_topic')
    .select(['channel_id', 'topic', 'expires_at'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('expires_at', '>', now)
    .orderBy('channel_id')
    .orderBy('topic_key')
    .execute();

/**
 * Subscribes a bot and removes its expired subscriptions. Returns the expiry, which is that of an
 * earlier subscription if that ends later. Calls of one bot run one by one.
 */
export async function subscribe(
  tx: Tx,
  { id, realm_id }: Bot,
  { channel_id, topic, expires_at, now }: Subscription,
): Promise<number> {
  await sql`select from realm_user where id = ${id} and realm_id = ${realm_id}
    for no key update`.execute(tx);
  await tx
    .deleteFrom('bot_topic')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('expires_at', '<=', now)
    .execute();
  const { rows } = await sql<{ expires_at: number }>`
    insert into bot_topic (realm_id, user_id, channel_id, topic, expires_at)
    values (${realm_id}, ${id}, ${channel_id}, ${topic}, ${expires_at})
    on conflict (realm_id, user_id, channel_id, topic_key) do update
      set topic = excluded.topic, expires_at = greatest(bot_topic.expires_at, excluded.expires_at)
    returning expires_at`.execute(tx);
  return Number(rows[0]?.expires_at ?? expires_at);
}

export async function unsubscribe(
  tx: Tx,
  { id, realm_id }: Bot,
  { channel_id, topic }: Topic,
): Promise<void> {
  await tx
    .deleteFrom('bot_topic')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('channel_id', '=', channel_id)
    .where(sql<boolean>`topic_key = lower(${topic})`)
    .execute();
}

/** The subscribed bots of each of these topics, with the index of the topic in the list. */
export async function subscribersOf(
  db: Db,
  realm: RealmId,
  topics: readonly Topic[],
  now: number,
): Promise<readonly { readonly at: number; readonly user_id: UserId }[]> {
  const { rows } = await sql<{ at: number; user_id: UserId }>`
    select (m.ordinal - 1)::int as at, t.user_id
    from unnest(${topics.map(({ channel_id }) => channel_id)}::bigint[],
      ${topics.map(({ topic }) => topic)}::text[]) with ordinality m (channel_id, topic, ordinal)
    join bot_topic t on t.realm_id = ${realm} and t.channel_id = m.channel_id
      and t.topic_key = lower(m.topic) and t.expires_at > ${now}`.execute(db);
  return rows;
}
