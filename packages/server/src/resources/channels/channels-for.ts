import type { Channel, ChannelId, Subscription, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { StateCall } from '../../engine/resource.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import { recordsOf } from './channel-records.ts';
import { inheritedOf, ownOf, withoutNull } from './subscribe/subscription-records.ts';
import { subscribersOf } from './subscribe/subscription-rows.ts';
import { type ViewedChannel, viewedChannels } from './viewed-channels.ts';

interface ViewOptions {
  readonly realm: Realm;
  readonly viewer: User;
  /** UNIX time in seconds. */
  readonly now: number;
  /** Includes archived channels: the capability `archived_channels`. */
  readonly archived?: boolean;
}

/** The view of a client that registers an event queue. */
export const viewOptionsOf = (call: StateCall): ViewOptions => ({
  realm: call.realm,
  viewer: userOrSpectator(call),
  now: call.app.now(),
  archived: call.params.client_capabilities.archived_channels,
});

/** The channels that the viewer may see. */
export async function channelsFor(db: Db, options: ViewOptions): Promise<Channel[]> {
  const seen = await visible(db, options);
  const records = await recordsOf(
    db,
    options,
    seen.map(({ row }) => row),
  );
  return [...records.values()];
}

interface WithSubscribers extends ViewOptions {
  /** `partial` permits leaving subscribers out; this server never does. */
  readonly include_subscribers: boolean | 'partial';
  /** The capability: the client understands null (inherit) as a notification setting. */
  readonly notification_settings_null: boolean;
}
export interface Subscriptions {
  readonly subscriptions: Subscription[];
  /** Former subscriptions to channels that the viewer may still see. */
  readonly unsubscribed: Subscription[];
  readonly never_subscribed: Channel[];
}

/** The channels that the viewer may see: subscribed, formerly subscribed, never subscribed. */
export async function subscriptionsFor(db: Db, options: WithSubscribers): Promise<Subscriptions> {
  const { realm, viewer, include_subscribers } = options;
  const seen = await visible(db, options);
  const rows = seen.map(({ row }) => row);
  const records = await recordsOf(db, options, rows);
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
    const own = options.notification_settings_null ? stored : withoutNull(stored, inherited);
    found[access.isSubscribed ? 'subscriptions' : 'unsubscribed'].push({ ...channel, ...own });
  }
  return found;
}

const visible = async (db: Db, options: ViewOptions): Promise<ViewedChannel[]> =>
  (await viewedChannels(db, options)).filter(
    ({ row, access }) => access.seesMetadata && (options.archived === true || !row.is_archived),
  );
