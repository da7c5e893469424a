import { type UserId, type VisibilityPolicy, visibilityPolicies } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { filterFor } from '../../model/channels/archived-channels-filter.ts';
import * as queries from '../../model/user-topics/queries.ts';
import type { MutedTopic, NewPolicy, TopicOfUser } from '../../model/user-topics/queries.ts';
import type { OwnTopics } from './present-user-topic.ts';

type TopicsChange = Pick<Change<'user_topic'>, 'db' | 'emit'>;
export interface PolicyContext {
  readonly realm: Pick<Realm, 'id'>;
  /** UNIX time in seconds. */
  readonly now: number;
  /** Set by a setting of the users, not by themselves: those whose lists are full get no new topics. */
  readonly isAutomatic?: boolean;
}
interface TopicWithPolicy extends TopicOfUser {
  readonly visibility_policy: VisibilityPolicy;
}
export interface ChangedTopic extends TopicWithPolicy {
  readonly wasMuted: boolean;
}

/** Sets the policy of one topic of a user. No event if it has it already. */
export async function setPolicy(
  change: TopicsChange,
  context: PolicyContext,
  topic: TopicWithPolicy,
): Promise<void> {
  const before = await queries.policyOf(change.db, context.realm.id, topic);
  if (before === topic.visibility_policy) return;
  const wasMuted = before === visibilityPolicies.muted;
  await setPolicies(change, context, [{ ...topic, wasMuted }]);
}

/**
 * Sets policies, each topic of a user once. The users of one topic who get the same policy share an
 * event; those who have it already get none. Clients that see no archived channels get none of theirs.
 */
export async function setPolicies(
  change: TopicsChange,
  { realm, now, isAutomatic = false }: PolicyContext,
  topics: readonly ChangedTopic[],
): Promise<void> {
  if (topics.length === 0) return;
  const { db, emit } = change;
  const [removed, written] = [topics.filter(isRemoved), topics.filter(isWritten)];
  const changed = [
    ...(await queries.remove(db, realm.id, removed)),
    ...(await queries.upsert(db, realm.id, written, { now, isAutomatic })),
  ];
  if (changed.length === 0) return;
  const concerned = topics
    .filter((one) => one.wasMuted || one.visibility_policy === visibilityPolicies.muted)
    .map(({ user_id }) => user_id);
  const muted = await mutedTopics(db, realm, concerned);
  const alike = Map.groupBy(changed, ({ channel_id, topic, visibility_policy }) =>
    JSON.stringify([channel_id, topic, visibility_policy]),
  );
  for (const [first, ...others] of alike.values()) {
    if (!first) continue;
    const { channel_id: stream_id, topic: topic_name, visibility_policy } = first;
    const users = [first, ...others].map(({ user_id }) => user_id);
    const told = users.flatMap((id) => {
      const muted_topics = muted.get(id);
      return muted_topics ? [[id, { muted_topics } satisfies OwnTopics] as const] : [];
    });
    const topic = { topic_name, last_updated: now, visibility_policy };
    emit({ type: 'user_topic', stream_id, ...topic, ...filterFor(first.is_archived) }, users, {
      users: Object.fromEntries(told),
    });
  }
}

const isWritten = (topic: ChangedTopic): topic is ChangedTopic & NewPolicy => !isRemoved(topic);
const isRemoved = ({ visibility_policy }: ChangedTopic) =>
  visibility_policy === visibilityPolicies.inherit;

/**
 * The muted topics of those users who have a queue for the list of them. A queue that is being registered
 * meanwhile gets the list with the next change.
 */
export async function mutedTopics(
  db: Db,
  realm: PolicyContext['realm'],
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, readonly MutedTopic[]>> {
  if (users.length === 0) return new Map();
  const listening = await queries.listeningToMuted(db, realm.id, users);
  if (listening.length === 0) return new Map();
  const rows = Map.groupBy(await queries.muted(db, realm.id, listening), (row) => row.user_id);
  return new Map(listening.map((id) => [id, rows.get(id) ?? []]));
}
