import {
  type ApiError,
  badRequest,
  type ChannelId,
  type MessageId,
  type RealmId,
  type RecipientId,
  type TopicsPolicy,
  type UserGroupId,
  type UserId,
} from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { isOneInGroup } from '../user-groups/access.ts';
import { groupIncludes, isPastWaitingPeriod } from '../user-groups/membership.ts';
import { actingOwnerOf } from '../users/queries.ts';
import { type ChannelAddress, noSuchChannel } from './channel-address.ts';
import { takesPosts } from './channel-rights.ts';
import { visibleChannel } from './readable-channels.ts';
import { type IsReceivedBy, type TopicState, topicState } from './topic-state.ts';

/** A channel as of the current transaction, whether a sender may post in it. */
export interface PostableChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly invite_only: boolean;
  readonly is_archived: boolean;
  readonly topics_policy: TopicsPolicy;
  readonly first_message_id: MessageId | null;
  readonly recipient_id: RecipientId;
  /** Whether an active user is subscribed. */
  readonly has_subscribers: boolean;
  readonly is_sender_subscribed: boolean;
  readonly may_post: boolean;
  /** The topic of the request for its sender, before the message; null if it was not asked for. */
  readonly topic_state: TopicState | null;
}

/** The channel, whether the sender may post in it or not: see `requireCanPost`. */
export async function postableChannel(
  db: Db,
  sender: User,
  address: ChannelAddress,
): Promise<PostableChannel | undefined> {
  const [channel] = await postableChannels(db, sender.realm_id, [{ sender, place: address }]);
  return channel;
}

interface ChannelRequest {
  readonly sender: Pick<User, 'id' | 'realm_id'>;
  readonly place: ChannelAddress;
  readonly topic?: string;
}

/**
 * Returns the channel that was found for a request. Throws `missing`, by default
 * STREAM_DOES_NOT_EXIST, if there is none or the sender may not see it: both cases run the same
 * queries. Throws BAD_REQUEST if the sender sees the channel but may not post in it.
 */
export async function requireCanPost(
  db: Db,
  { sender, place, missing }: ChannelRequest & { missing?: ApiError },
  channel: PostableChannel | undefined,
): Promise<PostableChannel> {
  if (channel?.may_post) return channel;
  const visible = await visibleChannel(db, sender, { name: null, id: null, ...place });
  if (!visible) throw missing ?? noSuchChannel(place);
  throw badRequest(`Not authorized to send to channel '${visible.name}'`);
}

interface FoundChannel extends PostableChannel {
  readonly key: string;
  /** The group whose members may post, if the role of the sender does not say. */
  readonly asked_group: UserGroupId | null;
  /** The sender, and the owner in whose channels a bot may post. */
  readonly senders: readonly UserId[];
}

const keyOf = ({ sender, place, topic }: ChannelRequest) =>
  JSON.stringify([sender.id, 'id' in place ? place.id : place.name, topic]);

/**
 * Channels of a realm in the order of the requests: one statement, equal requests looked up once. Role
 * and owner of the senders are read here: a caller that authentication has cached may be out of date.
 * The requests are one JSON value: of arrays the planner knows the length, and would make a new plan
 * for each batch of a few requests, which takes longer than the statement. In a JSON value it expects 100
 * requests, and for so many it would read all users and subscriptions: subqueries by key, with `offset 0` or of
 * a single value, prevent that. An active subscriber is looked for among those who have read last.
 * The members of the group are asked only where the role does not do: that takes longer than all the rest.
 * The state of topics is read with `isReceivedBy` only.
 */
export async function postableChannels(
  db: Db,
  realm: RealmId,
  requests: readonly ChannelRequest[],
  isReceivedBy?: IsReceivedBy,
): Promise<(PostableChannel | undefined)[]> {
  const distinct = new Map(requests.map((one) => [keyOf(one), one]));
  const wanted = [...distinct].map(([key, { sender, place, topic }]) => ({
    key,
    sender: sender.id,
    topic,
    ...('id' in place ? { id: place.id } : { name: place.name }),
  }));
  const subscribed = (
    user: RawBuilder<unknown>,
  ) => sql`coalesce((select s.is_active from subscription s
    where s.realm_id = ${realm} and s.user_id = ${user} and s.channel_id = a.channel_id), false)`;
  const topic = { realm, user_id: sql`a.sender`, topic_key: sql`a.topic_key` };
  const takesPost = takesPosts('c', {
    role: sql`a.role`,
    isSubscribed: sql`(a.is_subscribed or (a.owner is not null and ${subscribed(sql`a.owner`)}))`,
    inGroup: sql`true`,
  });
  const byRole = groupIncludes('g', { role: sql`a.role`, isFullMember: sql`a.is_full_member` });
  const { rows } = await sql<FoundChannel>`
    with k as materialized (
      select k.key, k.sender, lower(k.topic) as topic_key, u.role, ${isPastWaitingPeriod('u', 'r')} as is_full_member, coalesce(k.id, (
          select n.id from channel n where n.realm_id = ${realm} and lower(n.name) = lower(k.name))
        ) as channel_id, case when u.bot_owner_id is not null then ${actingOwnerOf(realm, 'u')} end as owner
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        k (key text, sender bigint, topic text, id bigint, name text)
      cross join lateral (select * from realm_user u
        where u.realm_id = ${realm} and u.id = k.sender offset 0) u
      join realm r on r.id = ${realm}
    ), a as materialized (
      select a.*, ${subscribed(sql`a.sender`)} as is_subscribed from k a
    ), t as materialized (
      select c.id,
        (select r.id from recipient r where r.realm_id = ${realm} and r.channel_id = c.id)
          as recipient_id,
        coalesce((select true from subscription s
          join realm_user u on u.realm_id = s.realm_id and u.id = s.user_id
          where s.realm_id = ${realm} and s.channel_id = c.id and s.is_active and u.is_active
          order by s.read_through desc limit 1), false) as has_subscribers
      from (select distinct channel_id as id from a) c
    )
    select a.key, c.id, c.name, c.invite_only, c.is_archived, c.topics_policy, c.first_message_id,
      t.recipient_id, t.has_subscribers, a.is_subscribed as is_sender_subscribed,
      ${takesPost} and ${byRole} is true as may_post,
      case when ${takesPost} and ${byRole} is not true then g.id end as asked_group,
      array_remove(array[a.sender, a.owner], null) as senders,
      ${isReceivedBy ? topicState(topic, isReceivedBy) : sql`null`} as topic_state
    from a join t on t.id = a.channel_id
    cross join lateral (select * from channel c where c.realm_id = ${realm} and c.id = t.id offset 0) c
    join user_group g on g.realm_id = ${realm} and g.id = c.can_send_message_group`.execute(db);
  const found = new Map<string, PostableChannel>();
  for (const { key, asked_group: group, senders: users, ...channel } of rows) {
    const may_post =
      channel.may_post || (group !== null && (await isOneInGroup(db, realm, { group, users })));
    found.set(key, { ...channel, may_post });
  }
  return requests.map((one) => found.get(keyOf(one)));
}
