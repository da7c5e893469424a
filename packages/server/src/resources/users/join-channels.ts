import type { ChannelId } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { addRecentMessages } from '../../model/messages/read/recipient-flags.ts';
import { subscribeUsers } from '../channels/subscribe/subscribe-users.ts';

interface Joining {
  readonly realm: Realm;
  /** The new user. */
  readonly user: User;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly channels: readonly ChannelId[];
}

/** Subscribes a new user to channels, and gives them the recent messages that they may read there. */
export async function joinChannels(
  change: Parameters<typeof subscribeUsers>[0],
  { realm, user, now, channels }: Joining,
): Promise<void> {
  await subscribeUsers(change, { realm, now, channels, users: [user], activity: null });
  await addRecentMessages(change.db, user, { channels, now });
}
