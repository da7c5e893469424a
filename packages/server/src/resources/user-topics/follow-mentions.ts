import { type ChannelId, visibilityPolicies } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { RenderedMessage } from '../messages/message.ts';
import * as queries from './queries.ts';
import { raisePolicies } from './set-policies.ts';

/**
 * Makes the people whom channel messages mention by name or group follow the topics, if they receive
 * the messages and their settings say so. One query, and none without a mention.
 */
export async function followMentions(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  messages: readonly RenderedMessage[],
): Promise<void> {
  const mentioned = new Map(messages.flatMap(mentionsOf).map((one) => [one.key, one]));
  const [first] = messages;
  if (!first || mentioned.size === 0) return;
  const { realm } = first.request;
  const following = await queries.followingMentions(change.db, realm.id, [...mentioned.values()]);
  const visibility_policy = visibilityPolicies.followed;
  const topics = following.map((topic) => ({ ...topic, visibility_policy, wasMuted: false }));
  await raisePolicies(change, first.request, topics);
}

function mentionsOf({ content, recipients, row }: RenderedMessage) {
  const channel_id: ChannelId | null = row.channel_id;
  if (channel_id === null) return [];
  const mentioned = new Set([...content.mentioned_user_ids, ...content.group_member_ids]);
  if (mentioned.size === 0) return [];
  const { topic } = row;
  return recipients
    .filter((id) => mentioned.has(id))
    .map((user_id) => ({
      key: `${user_id} ${channel_id} ${topic.toLowerCase()}`,
      user_id,
      channel_id,
      topic,
    }));
}
