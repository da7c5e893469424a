import { ApiError, roles, type UserId } from '@bellhop/protocol';

import type { Realm, User } from './caller.ts';

/** No user has this id. */
const SPECTATOR_ID = 0 as UserId;

/**
 * A client without a login, as a user: a guest who is in no group, channel or conversation. The
 * rules for guests then decide what a spectator sees.
 */
const spectatorOf = (realm: Pick<Realm, 'id'>): User => ({
  id: SPECTATOR_ID,
  realm_id: realm.id,
  delivery_email: '',
  full_name: '',
  role: roles.guest,
  is_active: true,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  api_key_mac: Buffer.alloc(0),
  is_system_bot: false,
  can_create_users: false,
  can_change_user_emails: false,
  timezone: '',
  avatar_source: 'G',
  avatar_version: 1,
  settings: {},
  date_joined: new Date(0),
});

export const isSpectator = ({ id }: Pick<User, 'id'>): boolean => id === SPECTATOR_ID;

/** Whether the server and the realm permit reading without a login (spec, Create a channel). */
export const admitsSpectators = (
  realm: Pick<Realm, 'settings' | 'has_web_public_channels'>,
): boolean => realm.has_web_public_channels && realm.settings['enable_spectator_access'] === true;

/** The user who calls, or a spectator. Throws UNAUTHORIZED if the realm admits no spectators. */
export function userOrSpectator({ user, realm }: { user: User | null; realm: Realm }): User {
  if (user) return user;
  if (!admitsSpectators(realm)) throw new ApiError('UNAUTHORIZED');
  return spectatorOf(realm);
}
