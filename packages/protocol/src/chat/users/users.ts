import { z } from 'zod';

import { AvatarUrl } from '../../values/fields.ts';
import { MessageId, UserId } from '../../values/ids.ts';
import { MAX_LIST_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import { resource } from '../../wire/resource.ts';
import { applyRealmUser } from './apply-realm-user.ts';
import { manageUsers } from './manage-users.ts';
import { RealmUserEvent } from './user-events.ts';
import { userState } from './user-state.ts';
import { User, UserIdOrAddress } from './user.ts';

const ClientGravatar = z.boolean().default(true).meta({
  description: 'Return null as avatar_url if the client can compute it from the e-mail address',
});
const IncludeProfile = z
  .boolean()
  .default(false)
  .meta({ description: 'Include `profile_data` in the records of people' });

const endpoints = {
  me: endpoint('GET /users/me', {
    summary: 'Get your own user',
    access: 'user',
    result: {
      ...User.shape,
      avatar_url: AvatarUrl,
      max_message_id: MessageId.or(z.literal(-1)),
    },
  }),

  get: endpoint('GET /users/{user_id}', {
    summary: 'Get a user',
    description: 'Accepts an ID or an e-mail address: `GET /users/{email}`.',
    access: 'user',
    params: {
      user_id: UserIdOrAddress,
      client_gravatar: ClientGravatar,
      include_custom_profile_fields: IncludeProfile,
    },
    result: { user: User },
  }),

  list: endpoint('GET /users', {
    summary: 'Get all users of the realm',
    description:
      'Includes deactivated users and bots. Guests get those whom they may not see as "Unknown user", unless they ask for `user_ids`.',
    access: 'user',
    paramsSince: { user_ids: 384 },
    params: {
      client_gravatar: ClientGravatar,
      include_custom_profile_fields: IncludeProfile,
      user_ids: z
        .array(UserId)
        .max(MAX_LIST_LENGTH)
        .optional()
        .meta({ description: 'Only these users' }),
    },
    result: { members: z.array(User) },
  }),

  ...manageUsers,
};

export const users = resource({
  endpoints,
  events: [event(RealmUserEvent, applyRealmUser)],
  state: userState,
});
