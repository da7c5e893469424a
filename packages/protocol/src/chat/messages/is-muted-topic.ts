import { foldCase } from '../../values/fold-case.ts';
import type { Subscription } from '../channels/channel.ts';
import type { UserTopic, VisibilityPolicy } from '../user-topics.ts';
import type { MessageFlag } from './message.ts';

/**
 * Whether a topic is muted. The policy of a topic, unmuted or followed, overrides a muted channel.
 */
export const isMutedTopic = (
  policy: VisibilityPolicy | undefined,
  isChannelMuted: boolean,
): boolean => policy === 1 || (isChannelMuted && !policy);

/** The parts of a state about muted channels and topics. */
export interface MuteState {
  readonly subscriptions?: readonly Pick<Subscription, 'stream_id' | 'is_muted'>[] | undefined;
  readonly user_topics?: readonly UserTopic[] | undefined;
}

/** Whether the owner of a state has muted a topic. Channels and topics that it does not know are not muted. */
export function mutedTopicTest({
  subscriptions = [],
  user_topics = [],
}: MuteState): (channel: number, topic: string) => boolean {
  const muted = new Set<number>(
    subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id),
  );
  const keyOf = (channel: number, topic: string) => `${channel} ${foldCase(topic)}`;
  const policies = new Map(
    user_topics.map(({ stream_id, topic_name, visibility_policy }) => [
      keyOf(stream_id, topic_name),
      visibility_policy,
    ]),
  );
  return (channel, topic) => isMutedTopic(policies.get(keyOf(channel, topic)), muted.has(channel));
}

/**
 * Whether an unread message counts as a mention: a mention of the reader or of one of their groups
 * always, a wildcard only in a topic that is not muted.
 */
export const isShownMention = (flags: readonly MessageFlag[], isMuted: boolean): boolean =>
  flags.includes('mentioned') || (!isMuted && flags.some((flag) => flag.endsWith('mentioned')));
