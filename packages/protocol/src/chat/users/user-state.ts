import { z } from 'zod';

import { AvatarUrl, Email, FullName } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import { section, type StateOf } from '../../wire/resource.ts';
import { User } from './user.ts';

/**
 * A user in the initial state: the list says whether they are active. Some capabilities omit keys.
 */
const ListedUser = User.omit({ is_active: true }).partial({ avatar_url: true, timezone: true });

const account = {
  user_id: UserId,
  email: Email,
  delivery_email: Email,
  full_name: FullName,
  avatar_source: z.string(),
  avatar_url: AvatarUrl,
  avatar_url_medium: z.string(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  can_create_streams: z.boolean(),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
};

export const userState = {
  /** Without a login, only the lists. */
  realm_user: section(
    {
      realm_users: z.array(ListedUser),
      realm_non_active_users: z.array(ListedUser),
      cross_realm_bots: z.array(ListedUser),
      ...z.object(account).partial().shape,
    },
    { access: 'optional' },
  ),
};
export type UserState = StateOf<typeof userState>;
