import type { MessageFlag } from '@bellhop/protocol';

/** A user's flags on a message are bits of one number. */
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
} as const;

const shown = [
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

/** The flags as the API names them: a group's mention is a mention, any wildcard also has its old name. */
export function flagNames(bits: number): MessageFlag[] {
  const effective = bits & flagBits.group_mentioned ? bits | flagBits.mentioned : bits;
  const names: MessageFlag[] = shown.filter((name) => effective & flagBits[name]);
  return effective & WILDCARDS ? [...names, 'wildcard_mentioned'] : names;
}
