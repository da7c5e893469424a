import {
  type ChannelId,
  foldCase,
  type MessageId,
  visibilityPolicies,
  type VisibilityPolicy,
} from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import type { TopicState } from '../../model/channels/topic-state.ts';
import type { RenderedMessage } from '../../model/messages/message.ts';
import { isReceivedBy } from '../../model/messages/read/received.ts';
import * as queries from '../../model/user-topics/queries.ts';
import { settingOf } from '../../model/users/user-settings.ts';
import { type ChangedTopic, type PolicyContext, setPolicies } from './set-policies.ts';

/**
 * Follows or unmutes the topics of messages that were just sent, as the settings of their senders say.
 * Returns the new policies by message.
 */
export async function followSentTopics(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  sent: readonly RenderedMessage[],
): Promise<ReadonlyMap<MessageId, 2 | 3>> {
  const started = new Set<string>();
  const current = new Map<string, VisibilityPolicy>();
  const raised = new Map<string, ChangedTopic>();
  const policies = new Map<MessageId, 2 | 3>();
  for (const { request, row } of sent) {
    const { sender, to } = request;
    const { channel_id, topic, id } = row;
    if (channel_id === null || !('channel' in to)) continue;
    const before = sender.is_bot ? undefined : (to.channel.topic_state ?? undefined);
    const key = `${channel_id} ${foldCase(topic)}`;
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
  if (first) await setPolicies(change, automatically(first.request), [...raised.values()]);
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
  await setPolicies(change, automatically(first.request), topics);
}

function mentionsOf({ content, recipients, row }: RenderedMessage) {
  const channel_id: ChannelId | null = row.channel_id;
  if (channel_id === null) return [];
  const mentioned = new Set([...content.mentioned_user_ids, ...content.group_member_ids]);
  if (mentioned.size === 0) return [];
  const { topic } = row;
  return [...recipients.flags.keys()]
    .filter((id) => mentioned.has(id))
    .map((user_id) => ({
      key: `${user_id} ${channel_id} ${foldCase(topic)}`,
      user_id,
      channel_id,
      topic,
    }));
}

/** The values of the two settings: which act follows or unmutes a topic. Each includes the next one. */
const by = { participating: 1, sending: 2, starting: 3, nothing: 4 } as const;
const { muted, followed, unmuted } = visibilityPolicies;

interface Settings {
  readonly follow: number;
  readonly unmute: number;
}

const settingsFor = (user: User): Settings => ({
  follow: settingOf('automatically_follow_topics_policy', { user }),
  unmute: settingOf('automatically_unmute_topics_in_muted_streams_policy', { user }),
});

/** Whether a reaction or a vote may change the policy of a topic. */
const mayChangeByParticipating = ({ is_bot }: User, { follow, unmute }: Settings): boolean =>
  !is_bot && (follow === by.participating || unmute === by.participating);

/**
 * The policy that a topic gets because its user sent a message there or, with `sent` false, took part
 * otherwise; undefined if it stays. A topic only becomes more visible: a topic that the user muted is
 * not followed for being started.
 */
function automaticPolicy(
  { follow, unmute }: Settings,
  { policy, isChannelMuted, isStarted }: TopicState,
  { sent }: { readonly sent: boolean },
): 2 | 3 | undefined {
  if (policy === followed) return undefined;
  const starts = sent && !isStarted && policy !== muted && policy !== unmuted;
  const causes = (setting: number) =>
    setting === by.participating ||
    (setting === by.sending && sent) ||
    (setting === by.starting && starts);
  if (causes(follow)) return followed;
  return isChannelMuted && policy !== unmuted && causes(unmute) ? unmuted : undefined;
}

/** Follows or unmutes the topic of a message that the user reacted to or voted on, as their settings say. */
export async function followParticipation(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  actor: Actor,
  { channel_id, topic }: { readonly channel_id: ChannelId | null; readonly topic: string },
): Promise<void> {
  const { realm, user } = actor;
  const settings = settingsFor(user);
  if (channel_id === null || !mayChangeByParticipating(user, settings)) return;
  const own = { user_id: user.id, channel_id, topic };
  const before = await queries.topicStateOf(change.db, realm.id, own, isReceivedBy);
  const policy = before && automaticPolicy(settings, before, { sent: false });
  if (policy === undefined) return;
  const wasMuted = before?.policy === 1;
  const raised = { user_id: user.id, channel_id, topic, visibility_policy: policy, wasMuted };
  await setPolicies(change, automatically(actor), [raised]);
}

const automatically = ({ realm, now }: PolicyContext) => ({ realm, now, isAutomatic: true });
