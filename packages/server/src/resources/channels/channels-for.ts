import type { Channel, ChannelId, Subscription, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { UserViewing } from '../../engine/resource.ts';
import { recordsOf } from './channel-records.ts';
import { inheritedOf, ownOf, withoutNull } from './subscribe/subscription-records.ts';
import { subscribersOf } from './subscribe/subscription-rows.ts';
import { type ViewedChannel, viewedChannels } from './viewed-channels.ts';

interface Looking {
  readonly realm: Realm;
  readonly viewer: User;
  /** UNIX time in seconds. */
  readonly now: number;
  /** Archived channels too: the capability `archived_channels`. */
  readonly archived?: boolean;
}

/** What the reader of an initial state is shown of channels. */
export const lookingFrom = ({ app, realm, user, params }: UserViewing): Looking => ({
  realm,
  viewer: user,
  now: app.now(),
  archived: params.client_capabilities.archived_channels,
});

/** All channels that somebody may know of. */
export async function channelsFor(db: Db, looking: Looking): Promise<Channel[]> {
  const seen = await visible(db, looking);
  const records = await recordsOf(
    db,
    looking,
    seen.map(({ row }) => row),
  );
  return [...records.values()];
}

interface WithSubscribers extends Looking {
  /** `partial` allows to leave some out; here all are given. */
  readonly include_subscribers: boolean | 'partial';
  /** The capability: a setting of null is understood. */
  readonly notification_settings_null: boolean;
}
export interface Subscriptions {
  readonly subscriptions: Subscription[];
  /** Those that were ended, of channels that can still be seen. */
  readonly unsubscribed: Subscription[];
  readonly never_subscribed: Channel[];
}

/** All channels that somebody may know of, by their relation to them. */
export async function subscriptionsFor(db: Db, looking: WithSubscribers): Promise<Subscriptions> {
  const { realm, viewer, include_subscribers } = looking;
  const seen = await visible(db, looking);
  const rows = seen.map(({ row }) => row);
  const records = await recordsOf(db, looking, rows);
  const subscribers =
    include_subscribers === false
      ? new Map<ChannelId, UserId[]>()
      : await subscribersOf(
          db,
          realm.id,
          rows.map(({ id }) => id),
        );
  const inherited = inheritedOf(viewer);
  const found: Subscriptions = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const { row, subscription, access } of seen) {
    const record = records.get(row.id);
    if (!record) continue;
    const channel =
      include_subscribers === false
        ? record
        : { ...record, subscribers: subscribers.get(row.id) ?? [] };
    if (!subscription) {
      found.never_subscribed.push(channel);
      continue;
    }
    const stored = ownOf(subscription);
    const own = looking.notification_settings_null ? stored : withoutNull(stored, inherited);
    found[access.isSubscribed ? 'subscriptions' : 'unsubscribed'].push({ ...channel, ...own });
  }
  return found;
}

const visible = async (db: Db, looking: Looking): Promise<ViewedChannel[]> =>
  (await viewedChannels(db, looking)).filter(
    ({ row, access }) => access.seesMetadata && (looking.archived === true || !row.is_archived),
  );
