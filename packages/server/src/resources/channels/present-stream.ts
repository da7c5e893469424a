import type { EventOf } from '@bellhop/protocol';

import type { Presenter, Reader } from '../../engine/stored-event.ts';
import type { ArchivedChannelsFilter } from './emit-visibility.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    stream: EventOf<'stream'> & { readonly only?: ArchivedChannelsFilter };
  }
}

/** Whether the event is for clients like this one. */
export const isForClient = (only: unknown, { registration }: Reader): boolean =>
  only === undefined ||
  (only === 'archived_channels') === registration.capabilities.archived_channels;

/** A `stream` event for one queue: none if it is for clients with other capabilities. */
export const presentStream: Presenter = ({ payload }, reader) => {
  const { only, ...event } = payload;
  return isForClient(only, reader) ? [event] : [];
};
