import type { Channel, ChannelId, UserId } from '@bellhop/protocol';

import type { Change, LockedChange } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { channelRecords } from '../../../model/channels/channel-records.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import { colorsBeside } from '../../../model/channels/subscribe/colors.ts';
import {
  type AudienceItems,
  mergedByAudience,
} from '../../../model/channels/subscribe/merged-by-audience.ts';
import {
  inheritedOf,
  type PersonalSubscriptions,
  ownOf,
} from '../../../model/channels/subscribe/subscription-records.ts';
import * as subscriptionRows from '../../../model/channels/subscribe/subscription-rows.ts';
import type { SubscriptionRow } from '../../../model/channels/subscribe/subscription-rows.ts';
import {
  emitSeen,
  type SightChange,
  type SightRealm,
  watchSight,
} from '../../user-events/changing-sight.ts';

export interface SubscribeRequest {
  readonly realm: SightRealm;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly channels: readonly ChannelId[];
  readonly users: readonly User[];
  /** The channels created in this transaction: nobody has seen them. */
  readonly created?: readonly ChannelId[];
  /** Colours of first subscriptions. */
  readonly colors?: ReadonlyMap<ChannelId, string>;
  /** Emits the users whom guests now see. Null if all the users are new: they were announced. */
  readonly sight: SightChange | null;
}

/**
 * Subscribes users to channels and returns the new subscriptions. Emits `stream` create to users who
 * now see a channel, `subscription` add to the new subscribers and peer_add to the other viewers
 * (decision 9); before these, the users whom guests now see. Checks no permission.
 */
export async function subscribeUsers(
  change: LockedChange<'stream' | 'subscription'>,
  request: SubscribeRequest,
): Promise<SubscriptionRow[]> {
  const { db } = change;
  const { realm, channels, users, created = [], sight } = request;
  const before = await channelRows.viewersOf(
    db,
    realm.id,
    channels.filter((id) => !created.includes(id)),
  );
  const sightDifference =
    sight &&
    (await watchSight(db, realm, {
      users: users.map(({ id }) => id),
      sharers: await subscriptionRows.sharersOf(db, realm.id, channels),
    }));
  const added = await subscriptionRows.subscribe(
    change,
    realm.id,
    await newSubscriptions(change, request),
  );
  if (sightDifference) await emitSeen(sight, request, (await sightDifference()).seen);
  const affected = [...new Set([...added.map(({ channel_id }) => channel_id), ...created])];
  if (affected.length === 0) return added;
  const newcomers = new Map<ChannelId, Set<UserId>>(affected.map((id) => [id, new Set()]));
  for (const { channel_id, user_id } of added) newcomers.get(channel_id)?.add(user_id);
  const difference = {
    newcomers,
    before,
    after: await channelRows.viewersOf(db, realm.id, affected),
    records: await channelRecords(db, request, affected),
  };
  emitCreatedChannels(change, difference);
  const subscribers = await subscriptionRows.subscribersOf(db, realm.id, affected);
  emitSubscriptions(change, { ...difference, subscribers, added, users });
  emitPeers(change, difference);
  return added;
}

async function newSubscriptions(
  { db }: Pick<Change, 'db'>,
  { realm, channels, users, colors }: SubscribeRequest,
) {
  const used = await subscriptionRows.colorsOf(
    db,
    realm.id,
    users.map(({ id }) => id),
  );
  return users.flatMap(({ id }) => {
    const next = colorsBeside(used.get(id) ?? []);
    return channels.map((channel_id) => ({
      channel_id,
      user_id: id,
      color: colors?.get(channel_id) ?? next(),
    }));
  });
}

interface SubscriptionChange {
  /** The new subscribers of each channel. */
  readonly newcomers: ReadonlyMap<ChannelId, ReadonlySet<UserId>>;
  /** The viewers of each channel before the change, and after it. */
  readonly before: ReadonlyMap<ChannelId, readonly UserId[]>;
  readonly after: ReadonlyMap<ChannelId, readonly UserId[]>;
  readonly records: ReadonlyMap<ChannelId, Channel>;
}

/** Emits the new channel to its new viewers. Existing viewers count the subscribers by peer_add. */
function emitCreatedChannels(
  change: Change<'stream'>,
  { newcomers, before, after, records }: SubscriptionChange,
) {
  const events = [...records].flatMap(([id, record]): AudienceItems<Channel>[] => {
    const formerViewers = new Set(before.get(id));
    const newViewers = (after.get(id) ?? []).filter((user) => !formerViewers.has(user));
    const fresh = newcomers.get(id) ?? new Set();
    const withoutNewcomers = { ...record, subscriber_count: record.subscriber_count - fresh.size };
    return [
      { audience: newViewers.filter((user) => fresh.has(user)), about: [], items: [record] },
      {
        audience: newViewers.filter((user) => !fresh.has(user)),
        about: [],
        items: [withoutNewcomers],
      },
    ];
  });
  for (const { audience, items } of mergedByAudience(events))
    change.emit({ type: 'stream', op: 'create', streams: [...items] }, audience);
}

interface SubscriberChange extends SubscriptionChange {
  readonly subscribers: ReadonlyMap<ChannelId, readonly UserId[]>;
  readonly added: readonly SubscriptionRow[];
  readonly users: readonly User[];
}

/** Emits `subscription` add to the new subscribers. */
function emitSubscriptions(
  change: Change<'subscription'>,
  { records, subscribers, added, users }: SubscriberChange,
) {
  const personal: Record<number, PersonalSubscriptions> = {};
  const byUser = Map.groupBy(added, ({ user_id }) => user_id);
  for (const user of users) {
    const own = byUser.get(user.id)?.map((row) => ({ stream_id: row.channel_id, ...ownOf(row) }));
    if (own) personal[user.id] = { own, inherited: inheritedOf(user) };
  }
  const subscriptions = [...records].map(([id, record]) => ({
    ...record,
    subscribers: subscribers.get(id) ?? [],
  }));
  const audience = [...byUser.keys()];
  change.emit({ type: 'subscription', op: 'add', subscriptions }, audience, { users: personal });
}

/** Emits `subscription` peer_add to the other viewers of each channel. */
function emitPeers(change: Change<'subscription'>, { newcomers, after }: SubscriptionChange) {
  const events = [...newcomers]
    .filter(([, fresh]) => fresh.size > 0)
    .map(([id, fresh]) => ({
      audience: (after.get(id) ?? []).filter((user) => !fresh.has(user)),
      about: [...fresh].toSorted((a, b) => a - b),
      items: [id],
    }));
  for (const { audience, about, items } of mergedByAudience(events))
    change.emit(
      { type: 'subscription', op: 'peer_add', user_ids: [...about], stream_ids: [...items] },
      audience,
    );
}
