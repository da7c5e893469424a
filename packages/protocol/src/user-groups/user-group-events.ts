import { z } from 'zod';

import { UserGroupId, UserId } from '../ids.ts';

/** Users were added to the direct members of a user group, or removed from them. */
export const UserGroupEvent = z.object({
  type: z.literal('user_group'),
  op: z.enum(['add_members', 'remove_members']),
  group_id: UserGroupId,
  user_ids: z.array(UserId),
});
