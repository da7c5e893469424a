import { type ChannelId, visibilityPolicies } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import * as queries from '../../model/user-topics/queries.ts';
import type { OwnTopics } from './present-user-topic.ts';
import { mutedTopics, type PolicyContext } from './set-policies.ts';

/**
 * Emits the policies of the topics of a channel that was archived, or is not archived any more, to
 * clients without `archived_channels`. They see no policies there while it is archived.
 */
export async function emitTopicsOfArchiving(
  { db, emit }: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  { realm, now }: PolicyContext,
  channel: { readonly id: ChannelId; readonly is_archived: boolean },
): Promise<void> {
  const rows = await queries.ofChannel(db, realm.id, channel.id);
  if (rows.length === 0) return;
  const { inherit, muted } = visibilityPolicies;
  const isMuted = ({ visibility_policy }: queries.PolicyOfTopic) => visibility_policy === muted;
  const concerned = rows.filter(({ topics }) => topics.some(isMuted));
  const lists = await mutedTopics(
    db,
    realm,
    concerned.map(({ user_id }) => user_id),
  );
  const shown = (topic: queries.PolicyOfTopic): queries.PolicyOfTopic =>
    channel.is_archived ? { ...topic, last_updated: now, visibility_policy: inherit } : topic;
  const users = rows.map(({ user_id, topics }): [number, OwnTopics] => {
    const muted_topics = lists.get(user_id);
    return [user_id, { topics: topics.map(shown), ...(muted_topics ? { muted_topics } : {}) }];
  });
  emit(
    { type: 'user_topic', stream_id: channel.id, only: 'no_archived_channels' },
    rows.map(({ user_id }) => user_id),
    { users: Object.fromEntries(users) },
  );
}
