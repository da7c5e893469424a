import { legacyPresence, type PresenceTimes, type UserId } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';

interface StoredPresence {
  readonly type: 'presence';
  readonly user_id: UserId;
  readonly email: string;
  readonly server_timestamp: number;
  readonly times: PresenceTimes;
}
declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    presence: StoredPresence;
  }
}

/** Presents a presence in the format that the client has chosen by its capabilities. */
export const presentPresence: Presenter = ({ payload }, { registration }) => {
  const { times, ...event } = payload as unknown as StoredPresence;
  const { type, user_id, email, server_timestamp } = event;
  if (registration.capabilities.simplified_presence_events)
    return [{ type, presences: { [user_id]: times } }];
  const { website } = legacyPresence(times);
  const shown = { type, user_id, server_timestamp, presence: { website } };
  return [registration.slim_presence ? shown : { ...shown, email }];
};
