import type { ChannelId } from '../../values/ids.ts';
import { changed } from '../changed.ts';
import type { ChannelState } from './channel-state.ts';
import type { Channel, Subscription } from './channel.ts';

/** The lists of channel records in the initial state. */
export const channelLists = [
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
] as const;
type AnyChannel = Channel | Subscription;

/** Changes a channel's record in every list that has it. */
export function mapChannels<State extends ChannelState>(
  state: State,
  id: ChannelId,
  change: <C extends AnyChannel>(channel: C) => C,
): State {
  const mapped = <C extends AnyChannel>(list: C[]) =>
    list.map((channel) => (channel.stream_id === id ? change(channel) : channel));
  let next: ChannelState = changed<ChannelState, 'streams'>(state, 'streams', mapped);
  next = changed(next, 'subscriptions', mapped);
  next = changed(next, 'unsubscribed', mapped);
  next = changed(next, 'never_subscribed', mapped);
  return next === state ? state : { ...state, ...next };
}

/** Removes channels from these lists. */
export function withoutChannels(
  state: ChannelState,
  ids: ReadonlySet<ChannelId>,
  lists: readonly (typeof channelLists)[number][],
): ChannelState {
  const kept = <C extends AnyChannel>(list: C[]) =>
    list.filter(({ stream_id }) => !ids.has(stream_id));
  let next = state;
  if (lists.includes('streams')) next = changed(next, 'streams', kept);
  if (lists.includes('subscriptions')) next = changed(next, 'subscriptions', kept);
  if (lists.includes('unsubscribed')) next = changed(next, 'unsubscribed', kept);
  return lists.includes('never_subscribed') ? changed(next, 'never_subscribed', kept) : next;
}
