import type { ChannelId, RealmId, UserId, UserTopic, VisibilityPolicy } from '@bellhop/protocol';
import { type RawBuilder, sql, type GeneratedAlways } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { isReadableBy, rightsInChannels } from '../channels/channel-rights.ts';
import { type IsReceivedBy, type TopicState, topicState } from '../channels/topic-state.ts';
import type { Topic } from '../conversation.ts';
import { MAX_USER_TOPICS } from '../list-limits.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    user_topic: {
      realm_id: RealmId;
      user_id: UserId;
      channel_id: ChannelId;
      topic: string;
      /** The topic in lower case. */
      topic_key: GeneratedAlways<string>;
      /** Without a row: 0, like the channel. */
      visibility_policy: Exclude<VisibilityPolicy, 0>;
      /** UNIX seconds. */
      last_updated: number;
    };
  }
}

/** A topic of one user. */
export interface TopicOfUser {
  readonly user_id: UserId;
  readonly channel_id: ChannelId;
  readonly topic: string;
}

/** The topics with a policy of a user's own. */
export async function ofUser(db: Db, { id, realm_id }: User) {
  const { rows } = await sql<UserTopic & { is_archived: boolean }>`
    select t.channel_id as stream_id, t.topic as topic_name, t.last_updated, t.visibility_policy,
      c.is_archived
    from user_topic t join channel c on c.realm_id = t.realm_id and c.id = t.channel_id
    where t.realm_id = ${realm_id} and t.user_id = ${id}`.execute(db);
  return rows;
}

export type PolicyOfTopic = Omit<UserTopic, 'stream_id'>;

/** The topics of a channel that have policies of their users' own, by user. */
export async function ofChannel(
  db: Db,
  realm: RealmId,
  id: ChannelId,
): Promise<{ user_id: UserId; topics: PolicyOfTopic[] }[]> {
  const { rows } = await sql<{ user_id: UserId; topics: PolicyOfTopic[] }>`
    select user_id, json_agg(json_build_object('topic_name', topic, 'last_updated', last_updated,
      'visibility_policy', visibility_policy) order by topic_key) as topics
    from user_topic where realm_id = ${realm} and channel_id = ${id} group by user_id`.execute(db);
  return rows;
}

export interface MutedTopic extends Pick<TopicOfUser, 'user_id' | 'topic'> {
  readonly channel_name: string;
  readonly last_updated: number;
  readonly is_archived: boolean;
}

/** The users among these with an event queue for `muted_topics`: for the others their list is not needed. */
export async function listeningToMuted(
  db: Db,
  realm: RealmId,
  users: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`select distinct user_id from event_queue
    where realm_id = ${realm} and user_id = any(${users}::bigint[])
      and (registration -> 'event_types')::jsonb ? 'muted_topics'`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** The muted topics of users in the channels that they see, oldest change first. */
export async function muted(
  db: Db,
  realm: RealmId,
  user_ids: readonly UserId[],
): Promise<MutedTopic[]> {
  const { rows } = await sql<MutedTopic>`
    select t.user_id, c.name as channel_name, t.topic, t.last_updated, c.is_archived
    from unnest(${[...new Set(user_ids)]}::bigint[]) u (id) cross join lateral (${rightsInChannels(realm, sql`u.id`)}) a
    join channel c on c.realm_id = ${realm} and c.id = a.channel_id and a.sees_metadata
    join user_topic t on t.realm_id = ${realm} and t.user_id = u.id and t.channel_id = c.id
    where t.visibility_policy = 1
    order by t.last_updated, t.channel_id, t.topic_key`.execute(db);
  return rows;
}

/** The policy of a topic, locked until the commit; 0 if the user has none of their own. */
export async function policyOf(
  tx: Tx,
  realm: RealmId,
  { user_id, channel_id, topic }: TopicOfUser,
): Promise<VisibilityPolicy> {
  const row = await tx
    .selectFrom('user_topic')
    .select('visibility_policy')
    .where('realm_id', '=', realm)
    .where('user_id', '=', user_id)
    .where('channel_id', '=', channel_id)
    .where(sql<boolean>`topic_key = lower(${topic})`)
    .forUpdate()
    .executeTakeFirst();
  return row?.visibility_policy ?? 0;
}

export interface NewPolicy extends TopicOfUser {
  readonly visibility_policy: Exclude<VisibilityPolicy, 0>;
}

/** A policy that changed. */
export interface ChangedPolicy extends TopicOfUser {
  readonly visibility_policy: VisibilityPolicy;
  /** Whether its channel is archived. */
  readonly is_archived: boolean;
}

/**
 * Writes policies, each topic of a user once. Automatic ones are not added for users whose lists are
 * full. Returns those that changed.
 */
export async function upsert(
  tx: Tx,
  realm: RealmId,
  policies: readonly NewPolicy[],
  { now, isAutomatic }: { readonly now: number; readonly isAutomatic: boolean },
): Promise<ChangedPolicy[]> {
  if (policies.length === 0) return [];
  const column = <C extends keyof NewPolicy>(name: C) => policies.map((one) => one[name]);
  const { rows } = await sql<ChangedPolicy>`
    with written as (insert into user_topic
      (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
    select ${realm}, p.*, ${now} from unnest(${column('user_id')}::bigint[],
      ${column('channel_id')}::bigint[], ${column('topic')}::text[],
      ${column('visibility_policy')}::smallint[]) p (user_id)
    where ${!isAutomatic} or (select count(*) from user_topic t
      where t.realm_id = ${realm} and t.user_id = p.user_id) < ${MAX_USER_TOPICS}
    on conflict (realm_id, user_id, channel_id, topic_key) do update
      set topic = excluded.topic, visibility_policy = excluded.visibility_policy,
        last_updated = excluded.last_updated
      where user_topic.visibility_policy <> excluded.visibility_policy
    returning user_id, channel_id, topic, visibility_policy)
    select w.*, c.is_archived from written w
    join channel c on c.realm_id = ${realm} and c.id = w.channel_id`.execute(tx);
  return rows;
}

/** Removes the policies of topics. Returns those that there were, as 0. */
export async function remove(
  tx: Tx,
  realm: RealmId,
  topics: readonly TopicOfUser[],
): Promise<ChangedPolicy[]> {
  if (topics.length === 0) return [];
  const column = <C extends keyof TopicOfUser>(name: C) => topics.map((one) => one[name]);
  const { rows } = await sql<ChangedPolicy>`
    delete from user_topic t using channel c, unnest(${column('user_id')}::bigint[],
      ${column('channel_id')}::bigint[], ${column('topic')}::text[]) k (user_id, channel_id, topic)
    where t.realm_id = ${realm} and t.user_id = k.user_id and t.channel_id = k.channel_id
      and t.topic_key = lower(k.topic) and c.realm_id = t.realm_id and c.id = t.channel_id
    returning t.user_id, t.channel_id, k.topic, 0 as visibility_policy, c.is_archived`.execute(tx);
  return rows;
}

interface MovedPolicy {
  readonly user_id: UserId;
  /** The policies of the old and of the new topic. */
  readonly before: VisibilityPolicy;
  readonly there: VisibilityPolicy;
  /** Whether the user may read the channel of the new topic. */
  readonly can_read: boolean;
}

/** The users with a policy for one of two topics, locked until the commit; none if they are the same. */
export async function movedPolicies(
  tx: Tx,
  realm: RealmId,
  { from, to }: { readonly from: Topic; readonly to: Topic },
): Promise<MovedPolicy[]> {
  const { rows } = await sql<MovedPolicy>`
    with own as materialized (
      select user_id, channel_id = ${from.channel_id} and topic_key = lower(${from.topic}) as is_old,
        visibility_policy
      from user_topic where realm_id = ${realm}
        and ((channel_id = ${from.channel_id} and topic_key = lower(${from.topic}))
          or (channel_id = ${to.channel_id} and topic_key = lower(${to.topic})))
        and not (${from.channel_id}::bigint = ${to.channel_id}::bigint
          and lower(${from.topic}) = lower(${to.topic}))
      order by user_id for update
    ), both_topics as (
      select user_id, coalesce(max(visibility_policy) filter (where is_old), 0) as before,
        coalesce(max(visibility_policy) filter (where not is_old), 0) as there
      from own group by user_id
    )
    select b.*, ${isReadableBy(realm, 'c', {
      row: 'u',
      isSubscribed: sql`exists (select from subscription s
        where s.realm_id = ${realm} and s.user_id = u.id and s.channel_id = c.id and s.is_active)`,
    })} as can_read
    from both_topics b join realm_user u on u.realm_id = ${realm} and u.id = b.user_id
    join channel c on c.realm_id = ${realm} and c.id = ${to.channel_id}
    order by b.user_id`.execute(tx);
  return rows;
}

/** The subscribers of a channel for whom a notice about the resolution of a topic there is unread. */
export async function unreadResolution(
  db: Db,
  realm: RealmId,
  { channel_id, topic }: Topic,
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`select u.id from subscription s
    join realm_user u on u.realm_id = ${realm} and u.id = s.user_id
    where s.realm_id = ${realm} and s.channel_id = ${channel_id} and s.is_active
      and case u.settings ->> 'resolved_topic_notice_auto_read_policy'
        when 'always' then false when 'never' then true
        else exists (select from user_topic t where t.realm_id = ${realm} and t.user_id = u.id
          and t.channel_id = ${channel_id} and t.topic_key = lower(${topic})
          and t.visibility_policy = 3) end`.execute(db);
  return rows.map(({ id }) => id);
}

/** Users among these who follow topics where they are mentioned, and have neither muted nor followed theirs. */
export async function followingMentions(
  db: Db,
  realm: RealmId,
  mentions: readonly TopicOfUser[],
): Promise<TopicOfUser[]> {
  const column = <C extends keyof TopicOfUser>(name: C) => mentions.map((one) => one[name]);
  const { rows } = await sql<TopicOfUser>`
    select k.* from unnest(${column('user_id')}::bigint[], ${column('channel_id')}::bigint[],
      ${column('topic')}::text[]) k (user_id, channel_id, topic)
    join realm_user u on u.realm_id = ${realm} and u.id = k.user_id and not u.is_bot
      and coalesce((u.settings ->> 'automatically_follow_topics_where_mentioned')::boolean, true)
    left join user_topic t on t.realm_id = ${realm} and t.user_id = k.user_id
      and t.channel_id = k.channel_id and t.topic_key = lower(k.topic)
    where t.visibility_policy is distinct from 1 and t.visibility_policy is distinct from 3`.execute(
    db,
  );
  return rows;
}

/** The policy of a reader for the topic of a row `m` of `message`, or null: for conditions of narrows. */
export const policyOfMessage = ({ id, realm_id }: User): RawBuilder<VisibilityPolicy | null> =>
  sql`(select t.visibility_policy from user_topic t where t.realm_id = ${realm_id}
    and t.user_id = ${id} and t.channel_id = m.channel_id and t.topic_key = lower(m.topic))`;

/** The state of a topic for a user; undefined for a missing channel. */
export async function topicStateOf(
  db: Db,
  realm: RealmId,
  { user_id, channel_id, topic }: TopicOfUser,
  isReceivedBy: IsReceivedBy,
): Promise<TopicState | undefined> {
  const columns = { realm, user_id: sql`${user_id}::bigint`, topic_key: sql`lower(${topic})` };
  const { rows } = await sql<{
    state: TopicState;
  }>`select ${topicState(columns, isReceivedBy)} as state
    from channel c where c.realm_id = ${realm} and c.id = ${channel_id}`.execute(db);
  return rows[0]?.state;
}
