import type { MessageFlag, UserId } from '@bellhop/protocol';

/** A user's flags on a message, stored as the bits of one number. */
export const flagBits = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  group_mentioned: 64,
  has_alert_word: 128,
  historical: 256,
  /** The user does not have the message, although they were subscribed when it was sent. */
  absent: 512,
} as const;

const namedFlags = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
] as const satisfies readonly MessageFlag[];
const WILDCARDS = flagBits.stream_wildcard_mentioned | flagBits.topic_wildcard_mentioned;

/**
 * The flags by their names in the API: a mention of a group counts as `mentioned`, a wildcard also
 * has the older name `wildcard_mentioned`.
 */
export function flagNames(bits: number): MessageFlag[] {
  const effective = bits & flagBits.group_mentioned ? bits | flagBits.mentioned : bits;
  const names: MessageFlag[] = namedFlags.filter((name) => effective & flagBits[name]);
  return effective & WILDCARDS ? [...names, 'wildcard_mentioned'] : names;
}

/** The flags of mentions in a message. */
export const MENTION_FLAGS = flagBits.mentioned | flagBits.group_mentioned | WILDCARDS;

/** The flags that an edit of the content may change. */
export const CONTENT_FLAGS = MENTION_FLAGS | flagBits.has_alert_word;

/** The bits of the partial index user_message_marked: starred, mentioned in any way, or with an alert word. */
export const MARKED_FLAGS = flagBits.starred | CONTENT_FLAGS;

interface Mentions {
  readonly mentioned_user_ids: readonly number[];
  readonly group_member_ids: readonly number[];
  readonly channel_wildcard: boolean;
  readonly topic_wildcard: boolean;
}

/** The mention flags of each user; `participants` are the users who wrote in the topic. */
export function mentionFlags(
  mentions: Mentions,
  participants: readonly UserId[],
): (user: UserId) => number {
  const byName = new Set(mentions.mentioned_user_ids);
  const byGroup = new Set(mentions.group_member_ids);
  const inTopic = new Set(mentions.topic_wildcard ? participants : []);
  return (user) =>
    (byName.has(user) ? flagBits.mentioned : 0) |
    (byGroup.has(user) ? flagBits.group_mentioned : 0) |
    (mentions.channel_wildcard ? flagBits.stream_wildcard_mentioned : 0) |
    (inTopic.has(user) ? flagBits.topic_wildcard_mentioned : 0);
}

/** Clients in which people read messages. */
const readingClients = new Set([
  'website',
  'ZulipMobile',
  'ZulipFlutter',
  'ZulipTerminal',
  'ZulipElectron',
  'BellhopConsole',
]);

/** Whether messages that a user sends with this client count as read by that user. */
export const readsOwnMessages = (client: string): boolean => readingClients.has(client);
