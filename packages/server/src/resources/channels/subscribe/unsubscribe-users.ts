import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Change, LockedChange } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { filterFor } from '../../../model/channels/archived-channels-filter.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { mergedByAudience } from '../../../model/channels/subscribe/merged-by-audience.ts';
import * as subscriptionRows from '../../../model/channels/subscribe/subscription-rows.ts';
import { markChannelsRead } from '../../messages/flag/mark-channels-read.ts';
import { endLostSight, type SightRealm, watchSight } from '../../user-events/changing-sight.ts';

interface UnsubscribeRequest {
  readonly realm: SightRealm & Pick<Realm, 'has_push_devices'>;
  readonly channels: readonly Pick<ChannelRow, 'id' | 'name' | 'is_archived'>[];
  readonly users: readonly UserId[];
}

/**
 * Unsubscribes users from channels, marks the messages there as read for them, and returns the
 * subscriptions that ended. Emits peer_remove to the viewers of each channel, `subscription` remove to
 * the former subscribers, and `stream` delete to those of them who no longer see the channel. Ends the
 * queues of guests who no longer see somebody. Checks no permission.
 */
export async function unsubscribeUsers(
  change: LockedChange<'stream' | 'subscription' | 'update_message_flags'>,
  { realm, channels, users }: UnsubscribeRequest,
): Promise<Pick<subscriptionRows.SubscriptionRow, 'channel_id' | 'user_id'>[]> {
  const { db } = change;
  const ids = channels.map(({ id }) => id);
  const sharers = await subscriptionRows.sharersOf(db, realm.id, ids);
  const sightDifference = await watchSight(db, realm, { users, sharers });
  const removed = await subscriptionRows.unsubscribe(change, realm.id, { channels: ids, users });
  if (removed.length === 0) return removed;
  const leavers = new Map(
    [...Map.groupBy(removed, ({ channel_id }) => channel_id)].map(([id, rows]) => [
      id,
      rows.map(({ user_id }) => user_id).toSorted((a, b) => a - b),
    ]),
  );
  const viewers = await channelRows.viewersOf(db, realm.id, [...leavers.keys()]);
  const leavings = [false, true].map((isArchived): Leaving => {
    const left = channels.filter(
      ({ id, is_archived }) => is_archived === isArchived && leavers.has(id),
    );
    return { channels: left, leavers, viewers, filter: filterFor(isArchived) };
  });
  // Before `remove`: some clients fail on a peer_remove of a channel that they have left.
  for (const leaving of leavings) emitPeers(change, leaving);
  await markChannelsRead(change, realm, removed);
  for (const leaving of leavings) {
    emitRemoved(change, leaving);
    emitDeleted(change, leaving);
  }
  await endLostSight(change, (await sightDifference()).lost);
  return removed;
}

interface Leaving extends Pick<UnsubscribeRequest, 'channels'> {
  /** The former subscribers of each channel. */
  readonly leavers: ReadonlyMap<ChannelId, readonly UserId[]>;
  /** The users who see each channel after the change. */
  readonly viewers: ReadonlyMap<ChannelId, readonly UserId[]>;
  readonly filter: ReturnType<typeof filterFor>;
}

function emitPeers(
  { emit }: Change<'subscription'>,
  { channels, leavers, viewers, filter }: Leaving,
): void {
  const events = channels.flatMap(({ id }) => {
    const about = leavers.get(id) ?? [];
    const left = new Set(about);
    const seeing = viewers.get(id) ?? [];
    const others = { audience: seeing.filter((user) => !left.has(user)), about, items: [id] };
    if (about.length === 1) return [others];
    const amongLeavers = seeing
      .filter((user) => left.has(user))
      .map((user) => ({
        audience: [user],
        about: about.filter((other) => other !== user),
        items: [id],
      }));
    return [others, ...amongLeavers];
  });
  for (const { audience, about, items } of mergedByAudience(events))
    emit(
      {
        type: 'subscription',
        op: 'peer_remove',
        user_ids: [...about],
        stream_ids: [...items],
        ...filter,
      },
      audience,
    );
}

function emitRemoved(
  { emit }: Change<'subscription'>,
  { leavers, channels, filter }: Leaving,
): void {
  const events = channels.map(({ id, name }) => ({
    audience: leavers.get(id) ?? [],
    about: [],
    items: [{ name, stream_id: id }],
  }));
  for (const { audience, items } of mergedByAudience(events))
    emit({ type: 'subscription', op: 'remove', subscriptions: [...items], ...filter }, audience);
}

function emitDeleted(
  { emit }: Change<'stream'>,
  { channels, leavers, viewers, filter }: Leaving,
): void {
  const events = channels.map(({ id }) => {
    const left = leavers.get(id) ?? [];
    const seeing = new Set(viewers.get(id));
    return { audience: left.filter((user) => !seeing.has(user)), about: [], items: [id] };
  });
  for (const { audience, items } of mergedByAudience(events))
    emit(
      {
        type: 'stream',
        op: 'delete',
        streams: items.map((stream_id) => ({ stream_id })),
        stream_ids: [...items],
        ...filter,
      },
      audience,
    );
}
