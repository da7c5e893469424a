import { z } from 'zod';

import { Timestamp } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { UpdateMessageFlagsEvent } from './messages/message-flags.ts';

/** A user whose messages you do not want to notice. `timestamp`: when you muted them, UNIX seconds. */
const MutedUser = z.object({ id: UserId, timestamp: Timestamp }).meta({ id: 'MutedUser' });

/** You muted a user, or stopped muting one: all muted users. */
export const MutedUsersEvent = z.object({
  type: z.literal('muted_users'),
  muted_users: z.array(MutedUser),
});

const state = { muted_users: section({ muted_users: z.array(MutedUser) }) };
const params = { user_id: UserId };

export const mutedUsers = resource({
  endpoints: {
    add: endpoint('POST /users/me/muted_users/{user_id}', {
      summary: 'Mute a user',
      description:
        'Their messages to you count as read: those that you have not read yet, and new ones when they arrive.',
      access: 'user',
      steps: true,
      params,
      emits: [MutedUsersEvent, UpdateMessageFlagsEvent],
    }),

    remove: endpoint('DELETE /users/me/muted_users/{user_id}', {
      summary: 'Stop muting a user',
      access: 'user',
      params,
      emits: [MutedUsersEvent],
    }),
  },
  events: [
    event(MutedUsersEvent, (known: StateOf<typeof state>, { muted_users }) =>
      changed(known, 'muted_users', () => muted_users),
    ),
  ],
  state,
});
