import type { Reader } from '../../engine/stored-event.ts';

/**
 * Which clients get an event: those with the capability `archived_channels`, or those without it.
 * Others see no archived channels: for them archiving is deleting.
 */
export type ArchivedChannelsFilter = 'archived_channels' | 'no_archived_channels';

/** The filter of an event about one channel, or about several that are all archived or all not. */
export const filterFor = (isArchived: boolean): { readonly only?: ArchivedChannelsFilter } =>
  isArchived ? { only: 'archived_channels' } : {};

/** Whether the event is for clients like this one. */
export const isForClient = (only: unknown, { registration }: Reader): boolean =>
  only === undefined ||
  (only === 'archived_channels') === registration.capabilities.archived_channels;
