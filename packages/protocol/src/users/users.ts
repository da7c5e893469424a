import { z } from 'zod';

import { endpoint } from '../endpoint.ts';
import { MessageId, UserId } from '../ids.ts';
import { User } from './user.ts';

const ClientGravatar = z
  .boolean()
  .default(true)
  .meta({ description: 'Send null for an avatar that the client can compute from the e-mail' });

export const users = {
  me: endpoint('GET /users/me', {
    summary: 'Get your own user',
    access: 'user',
    result: {
      ...User.omit({ profile_data: true }).shape,
      avatar_url: z.string(),
      max_message_id: MessageId.or(z.literal(-1)),
    },
  }),

  list: endpoint('GET /users', {
    summary: 'Get all users of the realm',
    description: 'Deactivated users and bots are included; guests may see fewer.',
    access: 'user',
    params: {
      client_gravatar: ClientGravatar,
      include_custom_profile_fields: z.boolean().default(false),
      user_ids: z
        .array(UserId)
        .optional()
        .meta({ description: 'Only these users (feature level 384)' }),
    },
    result: { members: z.array(User) },
  }),
};
