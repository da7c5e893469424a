import { badRequest } from '@bellhop/protocol';

import type { PostableChannel } from './queries.ts';

/**
 * Throws BAD_REQUEST where the sender may not post: the channel is archived, private and not theirs
 * (nor their owner's, for a bot), or its `can_send_message_group` leaves them out.
 */
export function requireCanPost(channel: PostableChannel): void {
  const reachable = channel.is_subscribed || (!channel.invite_only && channel.sees_public);
  if (channel.is_archived || !reachable || !channel.can_send)
    throw badRequest(`Not authorized to send to channel '${channel.name}'`);
}
