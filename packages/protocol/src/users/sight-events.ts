import { PresenceEvent } from '../presence.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { UserStatusEvent } from '../user-status.ts';
import { RealmUserEvent } from './user-events.ts';

/** What guests get when they cease to see a user, in realms whose guests do not see all users. */
export const lostSightEvents = [RealmUserEvent, UserGroupEvent] as const;

/**
 * What guests get when they begin to see a user, in realms whose `can_access_all_users_group` leaves
 * out guests.
 */
export const sightEvents = [...lostSightEvents, PresenceEvent, UserStatusEvent] as const;
