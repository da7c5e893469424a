import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { RealmUserEvent } from './user-events.ts';

/**
 * What guests get when they begin or cease to see a user, in realms whose `can_access_all_users_group`
 * leaves out guests.
 */
export const sightEvents = [RealmUserEvent, UserGroupEvent] as const;
