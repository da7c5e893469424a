import type { Channel, ChannelId, Subscription, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Actor } from '../../engine/caller.ts';
import type { StateCall } from '../../engine/resource.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import { recordsOf } from '../../model/channels/channel-records.ts';
import {
  type ChannelWithAccess,
  channelsWithAccess,
} from '../../model/channels/channels-with-access.ts';
import {
  inheritedOf,
  ownOf,
  withoutNull,
} from '../../model/channels/subscribe/subscription-records.ts';
import { subscribersOf } from '../../model/channels/subscribe/subscription-rows.ts';

interface ViewOptions extends Actor {
  /** Includes archived channels: the capability `archived_channels`. */
  readonly archived?: boolean;
}

/** The channels that a user may see. */
export interface VisibleChannels extends ViewOptions {
  readonly seen: readonly ChannelWithAccess[];
  readonly records: ReadonlyMap<ChannelId, Channel>;
}

export async function visibleChannels(db: Db, options: ViewOptions): Promise<VisibleChannels> {
  const seen = (await channelsWithAccess(db, options.user)).filter(
    ({ row, access }) => access.seesMetadata && (options.archived === true || !row.is_archived),
  );
  const rows = seen.map(({ row }) => row);
  return { ...options, seen, records: await recordsOf(db, options, rows) };
}

const registrations = new WeakMap<StateCall, Promise<VisibleChannels>>();

/** The channels for a client that registers an event queue. Several sections share one reading of them. */
export function channelsOfRegistration(call: StateCall): Promise<VisibleChannels> {
  const known = registrations.get(call);
  if (known) return known;
  const reading = visibleChannels(call.db, {
    realm: call.realm,
    user: userOrSpectator(call),
    now: call.app.now(),
    archived: call.params.client_capabilities.archived_channels,
  });
  registrations.set(call, reading);
  return reading;
}

interface SubscriptionOptions {
  /** `partial` permits leaving subscribers out; this server never does. */
  readonly include_subscribers: boolean | 'partial';
  /** The capability: the client understands null (inherit) as a notification setting. */
  readonly notification_settings_null: boolean;
}
export interface Subscriptions {
  readonly subscriptions: Subscription[];
  /** Former subscriptions to channels that the user may still see. */
  readonly unsubscribed: Subscription[];
  readonly never_subscribed: Channel[];
}

/** Channels as subscribed, formerly subscribed and never subscribed ones. */
export async function subscriptionsFor(
  db: Db,
  { realm, user, seen, records }: VisibleChannels,
  options: SubscriptionOptions,
): Promise<Subscriptions> {
  const { include_subscribers } = options;
  const subscribers =
    include_subscribers === false
      ? new Map<ChannelId, UserId[]>()
      : await subscribersOf(
          db,
          realm.id,
          seen.map(({ row }) => row.id),
        );
  const inherited = inheritedOf(user);
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
