import { PresenceEvent } from '../presence.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { UserStatusEvent } from '../user-status.ts';
import { RealmUserEvent } from './user-events.ts';

/**
 * The events that guests get when they begin to see a user, in realms whose
 * `can_access_all_users_group` excludes guests.
 */
export const sightEvents = [
  RealmUserEvent,
  UserGroupEvent,
  PresenceEvent,
  UserStatusEvent,
] as const;
