import type { UserId } from '@bellhop/protocol';

import type { RenderedContent } from '../render-content.ts';
import { flagBits } from './flags.ts';

/** The flags that follow from the content of a message. */
export const MENTIONS =
  flagBits.mentioned |
  flagBits.group_mentioned |
  flagBits.stream_wildcard_mentioned |
  flagBits.topic_wildcard_mentioned;

/** Which of them somebody has on a message; `participants` are those who wrote in its topic. */
export function mentionFlags(
  mentioned: Pick<
    RenderedContent,
    'mentioned_user_ids' | 'group_member_ids' | 'channel_wildcard' | 'topic_wildcard'
  >,
  participants: readonly UserId[],
): (user: UserId) => number {
  const direct = new Set(mentioned.mentioned_user_ids);
  const byGroup = new Set(mentioned.group_member_ids);
  const inTopic = new Set(mentioned.topic_wildcard ? participants : []);
  return (user) =>
    (direct.has(user) ? flagBits.mentioned : 0) |
    (byGroup.has(user) ? flagBits.group_mentioned : 0) |
    (mentioned.channel_wildcard ? flagBits.stream_wildcard_mentioned : 0) |
    (inTopic.has(user) ? flagBits.topic_wildcard_mentioned : 0);
}
