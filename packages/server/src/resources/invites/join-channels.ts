import type { ChannelId } from '@bellhop/protocol';

import type { Actor } from '../../engine/caller.ts';
import { addRecentMessages } from '../../model/messages/read/recipient-flags.ts';
import { subscribeUsers } from '../channels/subscribe/subscribe-users.ts';

/** Subscribes a new user to channels, and gives them the recent messages that they may read there. */
export async function joinChannels(
  change: Parameters<typeof subscribeUsers>[0],
  { realm, user, now }: Actor,
  channels: readonly ChannelId[],
): Promise<void> {
  await subscribeUsers(change, { realm, now, channels, users: [user], sight: null });
  await addRecentMessages(change.db, user, { channels, now });
}
