import type { ChannelId, EventOf } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';
import {
  type ArchivedChannelsFilter,
  isForClient,
} from '../../model/channels/archived-channels-filter.ts';
import {
  type PersonalSubscriptions,
  settingsFor,
} from '../../model/channels/subscribe/subscription-records.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    stream: EventOf<'stream'> & { readonly only?: ArchivedChannelsFilter };
  }
}

/**
 * A `stream` event for one queue; none if the event is for clients with other capabilities. A
 * channel that the reader was once subscribed to has their settings.
 */
export const presentStream: Presenter = ({ payload, personal }, reader) => {
  const { only, ...event } = payload;
  if (!isForClient(only, reader)) return [];
  const mine = personal?.users?.[reader.user_id] as PersonalSubscriptions | undefined;
  if (payload['op'] !== 'create' || !mine) return [event];
  const streams = payload['streams'] as readonly { stream_id: ChannelId }[];
  const settings = new Map(
    settingsFor(mine, reader.registration).map((own) => [own.stream_id, own]),
  );
  return [
    { ...event, streams: streams.map((one) => ({ ...one, ...settings.get(one.stream_id) })) },
  ];
};
