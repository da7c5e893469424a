import { Channel, type ChannelId, type EventOf, type InitialState } from '@bellhop/protocol';

import { channelLists, mapChannels, withoutChannels } from './channel-lists.ts';
import { changed, type Reader, withRow } from './state.ts';

/** Channels appear as never subscribed: a subscription event follows where the reader is in them. */
export function applyStream(
  state: InitialState,
  event: EventOf<'stream'>,
  reader: Reader,
): InitialState {
  switch (event.op) {
    case 'create':
      return event.streams.reduce((next, channel) => created(next, channel, reader), state);
    case 'delete':
      return deleted(state, new Set(event.stream_ids));
    case 'update':
      return mapChannels(state, event.stream_id, (channel) => ({
        ...channel,
        ...(Object.hasOwn(Channel.shape, event.property) ? { [event.property]: event.value } : {}),
        ...companions(event),
      }));
  }
}

function created(state: InitialState, channel: Channel, reader: Reader): InitialState {
  const { subscribers = [], partial_subscribers: _partial, ...bare } = channel;
  const isMine = [...(state.subscriptions ?? []), ...(state.unsubscribed ?? [])].some(
    ({ stream_id }) => stream_id === channel.stream_id,
  );
  const next = changed(state, 'streams', (list) => withRow(list, 'stream_id', bare));
  if (isMine) return next;
  const listed = reader.include_subscribers ? { ...bare, subscribers } : bare;
  return changed(next, 'never_subscribed', (list) => withRow(list, 'stream_id', listed));
}

const deleted = (state: InitialState, ids: ReadonlySet<ChannelId>): InitialState =>
  changed(withoutChannels(state, ids, channelLists), 'realm_default_streams', (list) =>
    list.filter((id) => !ids.has(id)),
  );

type Update = Extract<EventOf<'stream'>, { op: 'update' }>;

/** What changes together with a description, or with privacy. */
function companions(event: Update): Partial<Channel> {
  const { rendered_description, history_public_to_subscribers, is_web_public } = event;
  return {
    ...(rendered_description === undefined ? {} : { rendered_description }),
    ...(history_public_to_subscribers === undefined ? {} : { history_public_to_subscribers }),
    ...(is_web_public === undefined ? {} : { is_web_public }),
  };
}
