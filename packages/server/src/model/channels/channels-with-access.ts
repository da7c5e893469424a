import {
  badRequest,
  type ChannelGroupSetting,
  channelGroupSettings,
  type ChannelId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { type ChannelAccess, channelAccess } from './access.ts';
import { all, byIds, type ChannelRow } from './channel-rows.ts';
import { ofUser, type SubscriptionRow } from './subscribe/subscription-rows.ts';

/** A channel, and one user's rights in it. */
export interface ChannelWithAccess {
  readonly row: ChannelRow;
  /** Inactive after the user has left; undefined if the user was never subscribed. */
  readonly subscription: SubscriptionRow | undefined;
  readonly access: ChannelAccess;
}

/**
 * The rights of a user in each of these channels; without `rows`, in every channel of the realm.
 */
export async function channelsWithAccess(
  db: Db,
  viewer: User,
  rows?: readonly ChannelRow[],
): Promise<ChannelWithAccess[]> {
  const channels = rows ?? (await all(db, viewer.realm_id));
  const access = await channelAccess(
    db,
    viewer,
    rows?.map(({ id }) => id),
  );
  const subscriptions = new Map<ChannelId, SubscriptionRow>(
    (await ofUser(db, viewer.realm_id, viewer.id)).map((one) => [one.channel_id, one]),
  );
  return channels.flatMap((row) => {
    const rights = access.get(row.id);
    return rights ? [{ row, subscription: subscriptions.get(row.id), access: rights }] : [];
  });
}

/** A channel that the viewer may see. Throws BAD_REQUEST if there is none with this id. */
export async function requireVisibleChannel(
  db: Db,
  viewer: User,
  id: ChannelId,
): Promise<ChannelWithAccess> {
  const [found] = await channelsWithAccess(db, viewer, await byIds(db, viewer.realm_id, [id]));
  if (!found?.access.seesMetadata) throw badRequest('Invalid channel ID');
  return found;
}

interface ChannelUse {
  /** Null for a channel that the viewer may not see. */
  readonly channel_id: ChannelId | null;
  readonly settings: ChannelGroupSetting[];
}

/** The channels, archived ones included, with a permission setting whose stored group is among `groups`. */
export async function channelsUsingGroups(
  db: Db,
  viewer: User,
  groups: ReadonlySet<unknown>,
): Promise<ChannelUse[]> {
  const channels = await channelsWithAccess(db, viewer);
  return channels.flatMap(({ row, access }) => {
    const settings = channelGroupSettings.filter((name) => groups.has(row[name]));
    const channel_id = access.seesMetadata ? row.id : null;
    return settings.length > 0 ? [{ channel_id, settings }] : [];
  });
}
