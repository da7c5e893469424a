import type { z } from 'zod';

import type { ChannelId, UserId } from '../../values/ids.ts';
import type { StateOwner } from '../../wire/event.ts';
import { changed, withRow } from '../changed.ts';
import type { SubscriptionEvent } from './channel-events.ts';
import { mapChannels, withoutChannels } from './channel-lists.ts';
import type { ChannelState } from './channel-state.ts';
import { Subscription } from './channel.ts';

/**
 * Applies a `subscription` event: moves channels between the three lists, updates subscribers and
 * counts.
 */
export function applySubscription(
  state: ChannelState,
  event: z.output<typeof SubscriptionEvent>,
  owner: StateOwner,
): ChannelState {
  switch (event.op) {
    case 'add':
      return event.subscriptions.reduce((next, row) => subscribed(next, row, owner), state);
    case 'remove':
      return event.subscriptions.reduce(
        (next, { stream_id }) => unsubscribed(next, stream_id, owner.user_id),
        state,
      );
    case 'update':
      // A former subscription keeps its settings, and what they inherit may change.
      return (['subscriptions', 'unsubscribed'] as const).reduce<ChannelState>(
        (next, list) =>
          changed(next, list, (rows) =>
            rows.map((row) => (row.stream_id === event.stream_id ? withProperty(row, event) : row)),
          ),
        state,
      );
    case 'peer_add':
    case 'peer_remove':
      return event.stream_ids.reduce(
        (next, id) => withPeers(next, id, { op: event.op, user_ids: event.user_ids }),
        state,
      );
  }
}

function subscribed(state: ChannelState, given: Subscription, owner: StateOwner): ChannelState {
  const { stream_id, subscriber_count } = given;
  const known = recordsOf(state, stream_id).find(({ subscribers }) => subscribers);
  const lacks = !given.subscribers && !given.partial_subscribers;
  const row =
    lacks && owner.include_subscribers
      ? { ...given, subscribers: withIds(known?.subscribers ?? [], [owner.user_id]) }
      : given;
  const elsewhere = withoutChannels(state, new Set([stream_id]), [
    'unsubscribed',
    'never_subscribed',
  ]);
  const counted = mapChannels(elsewhere, stream_id, (channel) => ({
    ...channel,
    subscriber_count,
  }));
  return changed(counted, 'subscriptions', (list) => withRow(list, 'stream_id', row));
}

function unsubscribed(state: ChannelState, id: ChannelId, self: UserId): ChannelState {
  const left = state.subscriptions?.find(({ stream_id }) => stream_id === id);
  if (!left) return state;
  const next = withPeers(state, id, { op: 'peer_remove', user_ids: [self] });
  const row = next.subscriptions?.find(({ stream_id }) => stream_id === id) ?? left;
  return changed(withoutChannels(next, new Set([id]), ['subscriptions']), 'unsubscribed', (list) =>
    withRow(list, 'stream_id', row),
  );
}

function withProperty(
  row: Subscription,
  { property, value }: { property: string; value?: unknown },
): Subscription {
  if (property === 'is_muted') return { ...row, is_muted: value === true, in_home_view: !value };
  if (property === 'in_home_view')
    return { ...row, in_home_view: value === true, is_muted: !value };
  return Object.hasOwn(Subscription.shape, property) ? { ...row, [property]: value } : row;
}

interface Peers {
  readonly op: 'peer_add' | 'peer_remove';
  readonly user_ids: readonly UserId[];
}

/**
 * Adds or removes subscribers. If the channel lists its subscribers, users already there (or gone)
 * are not counted again.
 */
function withPeers(state: ChannelState, id: ChannelId, { op, user_ids }: Peers): ChannelState {
  const adds = op === 'peer_add';
  const known = recordsOf(state, id).find(({ subscribers }) => subscribers)?.subscribers;
  const news = known ? user_ids.filter((user) => known.includes(user) !== adds) : user_ids;
  const change = (ids: readonly UserId[]) =>
    adds ? withIds(ids, user_ids) : ids.filter((user) => !user_ids.includes(user));
  return mapChannels(state, id, (channel) => ({
    ...channel,
    subscriber_count: channel.subscriber_count + (adds ? news.length : -news.length),
    ...(channel.subscribers ? { subscribers: change(channel.subscribers) } : {}),
    ...(channel.partial_subscribers
      ? { partial_subscribers: change(channel.partial_subscribers) }
      : {}),
  }));
}

const recordsOf = (state: ChannelState, id: ChannelId) =>
  [
    ...(state.subscriptions ?? []),
    ...(state.unsubscribed ?? []),
    ...(state.never_subscribed ?? []),
  ].filter(({ stream_id }) => stream_id === id);

const withIds = (ids: readonly UserId[], more: readonly UserId[]): UserId[] =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
