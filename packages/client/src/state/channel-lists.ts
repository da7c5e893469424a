import type { Channel, ChannelId, InitialState, Subscription } from '@bellhop/protocol';

import { changed } from './state.ts';

/** The four lists of `/register` that hold channel records. */
export const channelLists = [
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
] as const;
type AnyChannel = Channel | Subscription;

/** Changes a channel's record in every list that has it. */
export function mapChannels(
  state: InitialState,
  id: ChannelId,
  change: <C extends AnyChannel>(channel: C) => C,
): InitialState {
  const mapped = <C extends AnyChannel>(list: C[]) =>
    list.map((channel) => (channel.stream_id === id ? change(channel) : channel));
  let next = changed(state, 'streams', mapped);
  next = changed(next, 'subscriptions', mapped);
  next = changed(next, 'unsubscribed', mapped);
  return changed(next, 'never_subscribed', mapped);
}

/** Takes channels out of the lists named. */
export function withoutChannels(
  state: InitialState,
  ids: ReadonlySet<ChannelId>,
  lists: readonly (typeof channelLists)[number][],
): InitialState {
  const kept = <C extends AnyChannel>(list: C[]) =>
    list.filter(({ stream_id }) => !ids.has(stream_id));
  let next = state;
  if (lists.includes('streams')) next = changed(next, 'streams', kept);
  if (lists.includes('subscriptions')) next = changed(next, 'subscriptions', kept);
  if (lists.includes('unsubscribed')) next = changed(next, 'unsubscribed', kept);
  return lists.includes('never_subscribed') ? changed(next, 'never_subscribed', kept) : next;
}
