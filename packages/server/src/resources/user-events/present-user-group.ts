import type { EventOf } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    user_group: StoredUserGroupEvent;
  }
}
type UserGroupEvent = EventOf<'user_group'>;

export type StoredUserGroupEvent = UserGroupEvent & {
  /**
   * The event of queues without the capability `include_deactivated_groups`; null if they get none.
   * Undefined: the same event.
   */
  readonly others?: UserGroupEvent | null;
};

/** Presents the event of the queue's capability. Events about no visible user are left out. */
export const presentUserGroup: Presenter = ({ payload }, reader) => {
  const { others, ...event } = payload as Readonly<Record<string, unknown>> & {
    readonly others?: object | null;
  };
  if ((event['user_ids'] as readonly unknown[] | undefined)?.length === 0) return [];
  if (others === undefined || reader.registration.capabilities.include_deactivated_groups)
    return [event];
  return others === null ? [] : [others];
};
