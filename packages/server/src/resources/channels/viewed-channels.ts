import type { ChannelId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as userGroups from '../user-groups/queries.ts';
import { readsChannel, seesChannel, type Viewer } from './access.ts';
import { all, type ChannelRow } from './channel-rows.ts';
import { ofUser, type SubscriptionRow } from './subscribe/subscription-rows.ts';

/** A channel, and how somebody stands to it. */
export interface Standing {
  readonly row: ChannelRow;
  /** A subscription they have, or had and ended. */
  readonly subscription: SubscriptionRow | undefined;
  readonly isSubscribed: boolean;
  /** They may read it and subscribe to it. */
  readonly reads: boolean;
  /** They may know of it. */
  readonly sees: boolean;
}

export interface Looking {
  readonly realm: Pick<Realm, 'id'>;
  readonly viewer: User;
}

/** How somebody stands to channels: to `rows`, or to every one of the realm. */
export async function standings(
  db: Db,
  { realm, viewer }: Looking,
  rows?: readonly ChannelRow[],
): Promise<Standing[]> {
  const asked = rows ?? (await all(db, realm.id));
  const eyes = await viewerOf(db, viewer);
  const subscriptions = new Map<ChannelId, SubscriptionRow>(
    (await ofUser(db, realm.id, viewer.id)).map((one) => [one.channel_id, one]),
  );
  return asked.map((row) => {
    const subscription = subscriptions.get(row.id);
    const isSubscribed = subscription?.is_active ?? false;
    return {
      row,
      subscription,
      isSubscribed,
      reads: readsChannel(eyes, row, isSubscribed),
      sees: seesChannel(eyes, row, isSubscribed),
    };
  });
}

export const viewerOf = async (db: Db, user: User): Promise<Viewer> => ({
  user,
  groups: await userGroups.groupsOf(db, user),
});
