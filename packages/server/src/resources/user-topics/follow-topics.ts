import {
  type ChannelId,
  type MessageId,
  visibilityPolicies,
  type VisibilityPolicy,
} from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { ChannelAddress } from '../channels/channel-address.ts';
import { cutTopic } from '../messages/check-topic.ts';
import type { RenderedMessage } from '../messages/message.ts';
import { automaticPolicy, mayChangeBySending, settingsFor } from './automatic-policy.ts';
import * as queries from './queries.ts';
import { type RaisedTopic, raisePolicies } from './set-policies.ts';
import { type TopicState, topicStates } from './topic-states.ts';

interface SendRequest {
  readonly realm: Realm;
  readonly sender: User;
  readonly to:
    | { readonly channel: ChannelAddress; readonly topic: string }
    | { readonly people: object };
}

/**
 * The states of the topics before the messages are sent, in the order of the requests. Undefined, and
 * not looked up, for direct messages and if the settings of the sender follow and unmute nothing.
 */
export async function statesBeforeSending(
  db: Db,
  requests: readonly SendRequest[],
): Promise<(TopicState | undefined)[]> {
  const [first] = requests;
  if (!first) return [];
  const asked = requests.flatMap(({ sender, to }, at) =>
    'channel' in to && mayChangeBySending(sender, settingsFor(sender))
      ? [{ at, sender_id: sender.id, channel: to.channel, topic: cutTopic(to.topic) }]
      : [],
  );
  const states = await topicStates(db, first.realm.id, asked);
  const found = new Map(asked.map(({ at }, index) => [at, states[index]]));
  return requests.map((_request, at) => found.get(at));
}

/**
 * Follows or unmutes the topics of messages that were just sent, as the settings of their senders say.
 * Returns the new policies by message.
 */
export async function followSentTopics(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  sent: readonly { readonly message: RenderedMessage; readonly before: TopicState | undefined }[],
): Promise<ReadonlyMap<MessageId, 2 | 3>> {
  const started = new Set<string>();
  const current = new Map<string, VisibilityPolicy>();
  const raised = new Map<string, RaisedTopic>();
  const policies = new Map<MessageId, 2 | 3>();
  for (const { message, before } of sent) {
    const { sender } = message.request;
    const { channel_id, topic, id } = message.row;
    if (channel_id === null) continue;
    const key = `${channel_id} ${topic.toLowerCase()}`;
    const own = `${sender.id} ${key}`;
    const policy =
      before &&
      automaticPolicy(
        settingsFor(sender),
        {
          ...before,
          policy: current.get(own) ?? before.policy,
          // An earlier message of the batch may have started the topic.
          isStarted: before.isStarted || started.has(key),
        },
        { sent: true },
      );
    started.add(key);
    if (policy === undefined) continue;
    current.set(own, policy);
    policies.set(id, policy);
    const wasMuted = before?.policy === 1;
    raised.set(own, { user_id: sender.id, channel_id, topic, visibility_policy: policy, wasMuted });
  }
  const [first] = sent;
  if (first) await raisePolicies(change, first.message.request, [...raised.values()]);
  return policies;
}

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
