import type { UserId } from '@bellhop/protocol';

import type { User } from '../../engine/caller.ts';
import type { HiddenUsers } from './access.ts';

const UNKNOWN_NAME = 'Unknown user';
/** `email_address_visibility`: the API shows the address that is made from the id. */
const NOBODY = 5;

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

/** A user as shown to somebody who may not see them: the id stays, name, address and avatar do not. */
export const unknownUser = (user: User): User => ({
  ...withoutAddress(user),
  avatar_source: 'G',
  full_name: UNKNOWN_NAME,
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
