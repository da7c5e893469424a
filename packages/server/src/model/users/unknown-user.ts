import { roles, type UserId } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import type { HiddenUsers } from './access.ts';
import { anyoneWith, listedRecord } from './user-record.ts';

export const UNKNOWN_NAME = 'Unknown user';
/** Stands for all guests. */
export const ANY_GUEST = anyoneWith(roles.guest);
/** `email_address_visibility`: the API shows the address that is made from the id. */
const NOBODY = 4;

/** A person without address and the avatar that is made from it, as spectators see them. */
export const withoutAddress = (user: User): User =>
  user.is_bot
    ? user
    : {
        ...user,
        delivery_email: '',
        avatar_source: 'G',
        avatar_version: 1,
        settings: { email_address_visibility: NOBODY },
      };

/**
 * A user as shown to viewers who may not see them: only the id stays. The rest is the same for all
 * unknown users: an active member without profile.
 */
export const unknownUser = (user: User): User => ({
  ...withoutAddress(user),
  avatar_source: 'G',
  full_name: UNKNOWN_NAME,
  role: roles.member,
  is_active: true,
  timezone: '',
  date_joined: new Date(0),
});

/** The listed record of an unknown user, for clients without the capability `user_list_incomplete`. */
export const unknownListed = (user: User, realm: Pick<Realm, 'url'>) => ({
  ...listedRecord(unknownUser(user), { realm, viewer: ANY_GUEST }),
  profile_data: {},
});

/** The same outside of a list: unknown users count as active. */
export const unknownRecord = (user: User, realm: Pick<Realm, 'url'>) => ({
  ...unknownListed(user, realm),
  is_active: true,
});

/**
 * The fields of an event for the readers who may not see all of its users. `fieldsOf` makes them from
 * the users, among which those hidden from the reader are unknown.
 */
export const fieldsForStrangers = (
  hidden: HiddenUsers,
  users: readonly User[],
  fieldsOf: (users: readonly User[]) => object,
): Record<UserId, object> =>
  Object.fromEntries(
    [...hidden].map(([reader, ids]) => [
      reader,
      fieldsOf(users.map((user) => (ids.has(user.id) ? unknownUser(user) : user))),
    ]),
  );
