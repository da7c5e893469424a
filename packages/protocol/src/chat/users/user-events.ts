import { z } from 'zod';

import { FullName } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import { User } from './user.ts';

const type = z.literal('realm_user');

/** A user joined the realm, or became visible to this reader. */
export const RealmUserAdded = z.object({ type, op: z.literal('add'), person: User });
/** A user is no longer visible to this reader. Bellhop ends the queues of the reader instead. */
export const RealmUserRemoved = z.object({
  type,
  op: z.literal('remove'),
  person: z.object({ user_id: UserId, full_name: FullName }),
});
/** A property of a user changed. `is_active` false means that the user was deactivated. */
export const RealmUserUpdated = z.object({
  type,
  op: z.literal('update'),
  person: User.partial().extend({
    user_id: UserId,
    new_email: z.string().optional(),
    avatar_source: z.string().optional(),
    avatar_url_medium: z.string().nullable().optional(),
    custom_profile_field: z
      .object({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() })
      .optional(),
  }),
});
export const RealmUserEvent = z.discriminatedUnion('op', [
  RealmUserAdded,
  RealmUserRemoved,
  RealmUserUpdated,
]);
