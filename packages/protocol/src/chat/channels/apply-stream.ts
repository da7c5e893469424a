import type { z } from 'zod';

import type { ChannelId } from '../../values/ids.ts';
import type { StateOwner } from '../../wire/event.ts';
import { changed, withRow } from '../changed.ts';
import type { StreamEvent } from './channel-events.ts';
import { channelLists, mapChannels, withoutChannels } from './channel-lists.ts';
import type { ChannelState } from './channel-state.ts';
import { Channel, type Subscription } from './channel.ts';

/**
 * Applies a `stream` event. A new channel counts as unsubscribed if it has the owner's settings, else as
 * never subscribed, until a subscription event follows.
 */
export function applyStream(
  state: ChannelState,
  event: z.output<typeof StreamEvent>,
  owner: StateOwner,
): ChannelState {
  switch (event.op) {
    case 'create':
      return event.streams.reduce((next, channel) => created(next, channel, owner), state);
    case 'delete':
      return deleted(state, new Set(event.stream_ids));
    case 'update':
      return mapChannels(state, event.stream_id, (channel) => ({
        ...channel,
        ...(Object.hasOwn(Channel.shape, event.property) ? { [event.property]: event.value } : {}),
        ...dependentProperties(event),
      }));
  }
}

function created(
  state: ChannelState,
  channel: Channel | Subscription,
  owner: StateOwner,
): ChannelState {
  const { subscribers = [], partial_subscribers: _partial, ...known } = channel;
  const bare = withoutSettings(known);
  const isMine = [...(state.subscriptions ?? []), ...(state.unsubscribed ?? [])].some(
    ({ stream_id }) => stream_id === channel.stream_id,
  );
  const next = changed(state, 'streams', (list) => withRow(list, 'stream_id', bare));
  if (isMine) return next;
  const listed = owner.include_subscribers ? { subscribers } : {};
  if ('color' in known)
    return changed(next, 'unsubscribed', (list) =>
      withRow(list, 'stream_id', { ...known, ...listed }),
    );
  return changed(next, 'never_subscribed', (list) =>
    withRow(list, 'stream_id', { ...bare, ...listed }),
  );
}

const withoutSettings = (channel: Channel): Channel =>
  Object.fromEntries(
    Object.entries(channel).filter(([name]) => Object.hasOwn(Channel.shape, name)),
  ) as Channel;

const deleted = (state: ChannelState, ids: ReadonlySet<ChannelId>): ChannelState =>
  changed(withoutChannels(state, ids, channelLists), 'realm_default_streams', (list) =>
    list.filter((id) => !ids.has(id)),
  );

type Update = Extract<z.output<typeof StreamEvent>, { op: 'update' }>;

/** The properties that change together with the description, or with the privacy. */
function dependentProperties(event: Update): Partial<Channel> {
  const { rendered_description, history_public_to_subscribers, is_web_public } = event;
  return {
    ...(rendered_description === undefined ? {} : { rendered_description }),
    ...(history_public_to_subscribers === undefined ? {} : { history_public_to_subscribers }),
    ...(is_web_public === undefined ? {} : { is_web_public }),
  };
}
