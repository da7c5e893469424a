import type { VisibilityPolicy } from '../user-topics.ts';

/** Whether a topic is muted: a policy of its own, unmuted or followed, overrides a muted channel. */
export const isMutedTopic = (
  policy: VisibilityPolicy | undefined,
  isChannelMuted: boolean,
): boolean => policy === 1 || (isChannelMuted && !policy);
