import { roles } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { anyoneWith, listedRecord } from './user-record.ts';

export const UNKNOWN_NAME = 'Unknown user';
/** Stands for all guests. */
export const ANY_GUEST = anyoneWith(roles.guest);
/** `email_address_visibility`: the API shows the address that is made from the id. */
const NOBODY = 4;
const NO_KEY = Buffer.alloc(0);

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

/** A user of whom only the IDs are known. */
type NamedUser = Pick<User, 'id' | 'realm_id'>;

/**
 * A user as shown to viewers who may not see them: only the IDs stay. The rest is the same for all
 * unknown users: an active member without profile.
 */
export const unknownUser = ({ id, realm_id }: NamedUser): User => ({
  id,
  realm_id,
  delivery_email: '',
  full_name: UNKNOWN_NAME,
  role: roles.member,
  is_active: true,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  api_key_mac: NO_KEY,
  is_system_bot: false,
  can_create_users: false,
  can_change_user_emails: false,
  timezone: '',
  avatar_source: 'G',
  avatar_version: 1,
  settings: { email_address_visibility: NOBODY },
  date_joined: new Date(0),
});

/** The listed record of an unknown user, for clients without the capability `user_list_incomplete`. */
export const unknownListed = (user: NamedUser, realm: Pick<Realm, 'url'>) => ({
  ...listedRecord(unknownUser(user), { realm, viewer: ANY_GUEST }),
  profile_data: {},
});

/** The same outside of a list: unknown users count as active. */
export const unknownRecord = (user: NamedUser, realm: Pick<Realm, 'url'>) => ({
  ...unknownListed(user, realm),
  is_active: true,
});
