import { type UserSettings, type VisibilityPolicy, visibilityPolicies } from '@bellhop/protocol';

import { flagBits } from '../messages/read/flags.ts';

/** How a user is notified of a message. */
export type Medium = 'push' | 'email';

/** The settings that decide about a medium, and its triggers. */
interface MediumNames<M extends Medium> {
  readonly mentions: `enable_offline_${M}_notifications`;
  readonly followed: `enable_followed_topic_${M}_notifications`;
  readonly channels: `enable_stream_${M}_notifications`;
  readonly own: `${M}_notifications`;
  readonly whileOnline?: 'enable_online_push_notifications';
  readonly followedTrigger: `followed_topic_${M}_notify`;
  readonly channelTrigger: `stream_${M}_notify`;
}

const media: { readonly [M in Medium]: MediumNames<M> } = {
  push: {
    mentions: 'enable_offline_push_notifications',
    followed: 'enable_followed_topic_push_notifications',
    channels: 'enable_stream_push_notifications',
    own: 'push_notifications',
    whileOnline: 'enable_online_push_notifications',
    followedTrigger: 'followed_topic_push_notify',
    channelTrigger: 'stream_push_notify',
  },
  email: {
    mentions: 'enable_offline_email_notifications',
    followed: 'enable_followed_topic_email_notifications',
    channels: 'enable_stream_email_notifications',
    own: 'email_notifications',
    followedTrigger: 'followed_topic_email_notify',
    channelTrigger: 'stream_email_notify',
  },
};

/** The settings that decide about notifications. */
export type NotificationSettings = Pick<
  UserSettings,
  | MediumNames<Medium>['mentions' | 'followed' | 'channels']
  | 'enable_online_push_notifications'
  | 'enable_followed_topic_wildcard_mentions_notify'
  | 'wildcard_mentions_notify'
>;

/** A user's settings for the channel and the topic of a message. */
export interface TopicPreferences {
  readonly is_muted: boolean;
  /** Null: the setting of the user applies. */
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  readonly visibility_policy: VisibilityPolicy;
}

/** A message and one of its recipients. */
export interface NotificationFacts {
  /** The user's flags on the message, see flags.ts. */
  readonly flags: number;
  readonly isSender: boolean;
  readonly hasMutedSender: boolean;
  readonly isBot: boolean;
  readonly isActive: boolean;
  readonly isOnline: boolean;
  readonly settings: NotificationSettings;
  /** Undefined for a direct message. */
  readonly topic: TopicPreferences | undefined;
}

/** Why a user is notified. */
type NotificationTrigger<M extends Medium> =
  | 'direct_message'
  | 'mentioned'
  | 'topic_wildcard_mentioned_in_followed_topic'
  | 'stream_wildcard_mentioned_in_followed_topic'
  | 'topic_wildcard_mentioned'
  | 'stream_wildcard_mentioned'
  | MediumNames<M>['followedTrigger' | 'channelTrigger'];

export interface NotificationDecision<M extends Medium> {
  readonly trigger: NotificationTrigger<M>;
  /** The user is online and wants no notification then: notify later, if the user is idle by then. */
  readonly waitsForIdle: boolean;
}

/** Decides whether a recipient is notified of a message. The only place that does. */
export function decideNotification<M extends Medium>(
  medium: M,
  facts: NotificationFacts,
): NotificationDecision<M> | undefined {
  const { isSender, hasMutedSender, isBot, isActive, isOnline, settings, flags } = facts;
  if (isSender || hasMutedSender || isBot || !isActive || flags & flagBits.read) return undefined;
  const trigger = triggerOf(medium, facts);
  if (trigger === undefined) return undefined;
  const { whileOnline } = media[medium];
  const isTold = whileOnline !== undefined && settings[whileOnline];
  return { trigger, waitsForIdle: isOnline && !isTold };
}

/** The first trigger that applies and that the user wants. A mention by name or group ignores muting. */
function triggerOf<M extends Medium>(
  medium: M,
  { flags, settings, topic }: NotificationFacts,
): NotificationTrigger<M> | undefined {
  const names: MediumNames<M> = media[medium];
  const wantsMentions = settings[names.mentions];
  if (!topic) return wantsMentions ? 'direct_message' : undefined;
  const has = (bits: number) => (flags & bits) !== 0;
  const isFollowed = topic.visibility_policy === visibilityPolicies.followed;
  if (wantsMentions) {
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
  if (isFollowed && settings[names.followed]) return names.followedTrigger;
  const isWanted = wants(topic, { own: topic[names.own], general: settings[names.channels] });
  return isWanted ? names.channelTrigger : undefined;
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
