import {
  type EventOf,
  type UserId,
  type VisibilityPolicy,
  visibilityPolicies,
} from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as queries from './queries.ts';
import type { TopicOfUser } from './queries.ts';

type MutedTopics = EventOf<'muted_topics'>['muted_topics'];
type TopicsChange = Pick<Change<'user_topic'>, 'db' | 'emit'>;
interface Context {
  readonly realm: Pick<Realm, 'id'>;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Sets the policy of one topic of a user. No event if it has it already. */
export async function setPolicy(
  change: TopicsChange,
  { realm, now }: Context,
  topic: TopicOfUser & { readonly visibility_policy: VisibilityPolicy },
): Promise<void> {
  const { visibility_policy: policy } = topic;
  const before = await queries.policyOf(change.db, realm.id, topic);
  if (before === policy) return;
  if (policy === visibilityPolicies.inherit) await queries.remove(change.db, realm.id, topic);
  else await queries.upsert(change.db, realm.id, [{ ...topic, visibility_policy: policy }], now);
  const changesMuted = [before, policy].includes(visibilityPolicies.muted);
  const muted = changesMuted ? await mutedTopics(change, realm, topic.user_id) : undefined;
  emitTopic(change, topic, { now, muted });
}

/** A topic that becomes more visible. */
export interface RaisedTopic extends TopicOfUser {
  readonly visibility_policy: 2 | 3;
  readonly wasMuted: boolean;
}

/** Makes topics more visible, each topic of a user once. Emits an event for each that changes. */
export async function raisePolicies(
  change: TopicsChange,
  { realm, now }: Context,
  topics: readonly RaisedTopic[],
): Promise<void> {
  if (topics.length === 0) return;
  const unmuting = new Set(topics.filter(({ wasMuted }) => wasMuted).map(({ user_id }) => user_id));
  for (const topic of await queries.upsert(change.db, realm.id, topics, now)) {
    const { user_id } = topic;
    const muted = unmuting.has(user_id) ? await mutedTopics(change, realm, user_id) : undefined;
    emitTopic(change, topic, { now, muted });
  }
}

async function mutedTopics(
  { db }: TopicsChange,
  realm: Context['realm'],
  user: UserId,
): Promise<MutedTopics> {
  const rows = await queries.muted(db, realm.id, [user]);
  return rows.map(({ channel_name, topic, last_updated }) => [channel_name, topic, last_updated]);
}

function emitTopic(
  change: TopicsChange,
  { user_id, channel_id, topic, visibility_policy }: Parameters<typeof setPolicy>[2],
  { now, muted }: { now: number; muted: MutedTopics | undefined },
): void {
  change.emit(
    {
      type: 'user_topic',
      stream_id: channel_id,
      topic_name: topic,
      last_updated: now,
      visibility_policy,
      ...(muted ? { muted_topics: muted } : {}),
    },
    [user_id],
  );
}
