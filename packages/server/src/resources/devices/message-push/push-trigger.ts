import {
  type PushTrigger,
  type UserSettings,
  type VisibilityPolicy,
  visibilityPolicies,
} from '@bellhop/protocol';

import { flagBits } from '../../messages/read/flags.ts';

/** The settings that decide about pushes. */
export type PushSettings = Pick<
  UserSettings,
  | 'enable_offline_push_notifications'
  | 'enable_online_push_notifications'
  | 'enable_stream_push_notifications'
  | 'enable_followed_topic_push_notifications'
  | 'enable_followed_topic_wildcard_mentions_notify'
  | 'wildcard_mentions_notify'
>;

/** A user's settings for the channel and the topic of a message. */
export interface TopicPreferences {
  readonly is_muted: boolean;
  /** Null: the setting of the user applies. */
  readonly push_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  readonly visibility_policy: VisibilityPolicy;
}

/** A message and one of its recipients. */
export interface PushFacts {
  /** The user's flags on the message, see flags.ts. */
  readonly flags: number;
  readonly isSender: boolean;
  readonly hasMutedSender: boolean;
  readonly isBot: boolean;
  readonly isActive: boolean;
  readonly isOnline: boolean;
  readonly settings: PushSettings;
  /** Undefined for a direct message. */
  readonly topic: TopicPreferences | undefined;
}

export interface PushDecision {
  readonly trigger: PushTrigger;
  /** The user is online and wants no pushes then: push later, if the user is idle by then. */
  readonly waitsForIdle: boolean;
}

/** Decides whether a message is pushed to a recipient. The only place that does. */
export function decidePush(facts: PushFacts): PushDecision | undefined {
  const { isSender, hasMutedSender, isBot, isActive, isOnline, settings, flags } = facts;
  if (isSender || hasMutedSender || isBot || !isActive || flags & flagBits.read) return undefined;
  const trigger = triggerOf(facts);
  if (trigger === undefined) return undefined;
  return { trigger, waitsForIdle: isOnline && !settings.enable_online_push_notifications };
}

/** The first trigger that applies and that the user wants. A mention by name or group ignores muting. */
function triggerOf({ flags, settings, topic }: PushFacts): PushTrigger | undefined {
  const mentionsPush = settings.enable_offline_push_notifications;
  if (!topic) return mentionsPush ? 'direct_message' : undefined;
  const has = (bits: number) => (flags & bits) !== 0;
  const isFollowed = topic.visibility_policy === visibilityPolicies.followed;
  if (mentionsPush) {
    const followedWildcards = isFollowed && settings.enable_followed_topic_wildcard_mentions_notify;
    const wildcards = wants(topic, {
      own: topic.wildcard_mentions_notify,
      general: settings.wildcard_mentions_notify,
    });
    if (has(flagBits.mentioned | flagBits.group_mentioned)) return 'mentioned';
    const byTopic = has(flagBits.topic_wildcard_mentioned);
    const byChannel = has(flagBits.stream_wildcard_mentioned);
    if (byTopic && followedWildcards) return 'topic_wildcard_mentioned_in_followed_topic';
    if (byChannel && followedWildcards) return 'stream_wildcard_mentioned_in_followed_topic';
    if (byTopic && wildcards) return 'topic_wildcard_mentioned';
    if (byChannel && wildcards) return 'stream_wildcard_mentioned';
  }
  if (isFollowed && settings.enable_followed_topic_push_notifications)
    return 'followed_topic_push_notify';
  const own = topic.push_notifications;
  const general = settings.enable_stream_push_notifications;
  return wants(topic, { own, general }) ? 'stream_push_notify' : undefined;
}

/** Muting comes first, then the setting for the channel, then that for all channels. */
function wants(
  { is_muted, visibility_policy }: TopicPreferences,
  { own, general }: { readonly own: boolean | null; readonly general: boolean },
): boolean {
  if (visibility_policy === visibilityPolicies.muted) return false;
  if (is_muted && visibility_policy !== visibilityPolicies.unmuted) return false;
  return own ?? general;
}
