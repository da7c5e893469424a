import { numberArray } from '@bellhop/postgres';
import { type ChannelId, type RealmId, type UserId, visibilityPolicies } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Topic } from '../conversation.ts';
import type { Medium, TopicPreferences } from './decide-notification.ts';

/** The facts about a user that decide about notifications of every message. */
export interface NotifiableUser extends Pick<User, 'is_bot' | 'is_active' | 'settings'> {
  readonly id: UserId;
  /** When the user was last active, UNIX seconds; null if never. */
  readonly active_at: number | null;
  /** Whether an event queue of the user gets messages. */
  readonly is_connected: boolean;
}

/** The users with these ids; with `hasDevice` only those with a device that can get pushes. */
export async function notifiableUsers(
  db: Db,
  realm: RealmId,
  { ids, hasDevice }: { readonly ids: readonly UserId[]; readonly hasDevice: boolean },
): Promise<NotifiableUser[]> {
  const among = hasDevice
    ? sql`select d.user_id from push_device d where d.realm_id = ${realm}
        and d.bouncer_device_id is not null and d.user_id = any(${ids}::bigint[])
        union select d.user_id from client_device d where d.realm_id = ${realm}
        and d.push_token_id is not null and d.user_id = any(${ids}::bigint[])`
    : sql`select unnest(${ids}::bigint[]) as user_id`;
  const { rows } = await sql<NotifiableUser>`
    select u.id, u.is_bot, u.is_active, u.settings, p.active_at,
      exists (select from event_queue q where q.realm_id = ${realm} and q.user_id = u.id
        and (json_typeof(q.registration -> 'event_types') is distinct from 'array'
          or (q.registration -> 'event_types')::jsonb ? 'message')) as is_connected
    from (${among}) o
    join realm_user u on u.realm_id = ${realm} and u.id = o.user_id
    left join user_presence p on p.realm_id = ${realm} and p.user_id = o.user_id`.execute(db);
  return rows;
}

/** A user and the topic of a message. */
interface ReaderOfTopic extends Topic {
  readonly user_id: UserId;
}

/**
 * The users' settings for topics, in the order of the pairs; undefined if a user is not subscribed.
 */
export async function topicPreferences(
  db: Db,
  realm: RealmId,
  pairs: readonly ReaderOfTopic[],
): Promise<(TopicPreferences | undefined)[]> {
  const { rows } = await sql<TopicPreferences & { at: number }>`
    select k.at::integer as at, s.is_muted, s.push_notifications, s.email_notifications,
      s.wildcard_mentions_notify, coalesce(t.visibility_policy, 0) as visibility_policy
    from unnest(${pairs.map(({ user_id }) => user_id)}::bigint[],
      ${pairs.map(({ channel_id }) => channel_id)}::bigint[],
      ${pairs.map(({ topic }) => topic)}::text[]) with ordinality k (user_id, channel_id, topic, at)
    join subscription s on s.realm_id = ${realm} and s.user_id = k.user_id
      and s.channel_id = k.channel_id and s.is_active
    left join user_topic t on t.realm_id = ${realm} and t.user_id = k.user_id
      and t.channel_id = k.channel_id and t.topic_key = lower(k.topic)`.execute(db);
  const byIndex = new Map(rows.map(({ at, ...preferences }) => [at - 1, preferences]));
  return pairs.map((_pair, at) => byIndex.get(at));
}

/** What a message says of those who may want to be notified of it, in expressions of the statement. */
interface NotifyingColumns {
  /** Null for a direct message, which has no listeners. */
  readonly channel: RawBuilder<unknown>;
  readonly topic: RawBuilder<unknown>;
  /** Whether it mentions all subscribers. */
  readonly isForAll: RawBuilder<unknown>;
}

/**
 * For FROM: the `user_id` of those who may want to be notified of a message without being named in it: they want
 * each message of the channel, or follow the topic; all subscribers, if it mentions all. Indexes find who wants
 * each message, by the setting for the channel and by that for all channels.
 */
export const listeners = (
  realm: RealmId,
  medium: Medium,
  { channel, topic, isForAll }: NotifyingColumns,
) => {
  const own = sql.ref(`s.${medium}_notifications`);
  return sql`(select s.user_id from subscription s where s.realm_id = ${realm}
      and s.channel_id = ${channel} and s.is_active and ${own}
    union
    select s.user_id from realm_user u
    join subscription s on s.realm_id = ${realm} and s.user_id = u.id
      and s.channel_id = ${channel} and s.is_active and ${own} is null
    where u.realm_id = ${realm}
      and u.settings ->> ${sql.lit(`enable_stream_${medium}_notifications`)} = 'true'
    union
    select t.user_id from user_topic t where t.realm_id = ${realm} and t.channel_id = ${channel}
      and t.topic_key = lower(${topic})
      and t.visibility_policy = ${sql.lit(visibilityPolicies.followed)}
    union
    select s.user_id from subscription s where ${isForAll}
      and s.realm_id = ${realm} and s.channel_id = ${channel} and s.is_active)`;
};

interface SentTo {
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  /** Everybody in the channel is mentioned. */
  readonly isForAll: boolean;
}

/** The `listeners` of each of these messages. */
export async function listenersOf(
  db: Db,
  { realm, medium }: { readonly realm: RealmId; readonly medium: Medium },
  messages: readonly SentTo[],
): Promise<readonly (readonly UserId[])[]> {
  const columns = {
    channel: sql`n.channel_id`,
    topic: sql`n.topic`,
    isForAll: sql`n.is_for_all`,
  };
  const { rows } = await sql<{ at: number; user_ids: UserId[] }>`
    select n.at::integer as at, array_agg(l.user_id) as user_ids
    from unnest(${numberArray(messages.map(({ channel_id }) => channel_id))}::bigint[],
      ${messages.map(({ topic }) => topic)}::text[], ${messages.map(({ isForAll }) => isForAll)}::boolean[])
      with ordinality n (channel_id, topic, is_for_all, at)
    cross join lateral ${listeners(realm, medium, columns)} l
    group by n.at`.execute(db);
  const byIndex = new Map(rows.map(({ at, user_ids }) => [at - 1, user_ids]));
  return messages.map((_message, at) => byIndex.get(at) ?? []);
}
