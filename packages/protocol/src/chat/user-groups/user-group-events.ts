import { z } from 'zod';

import { UserGroupId, UserId } from '../../values/ids.ts';
import { UserGroup } from './user-group.ts';

const type = z.literal('user_group');
const group_id = UserGroupId;

/**
 * A user group was created or changed. `remove` goes to clients without the capability
 * `include_deactivated_groups` when a group is deactivated, `add` when it is reactivated; other
 * clients get `update`.
 */
export const UserGroupEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), group: UserGroup }),
  z.object({
    type,
    op: z.literal('update'),
    group_id,
    /** The properties that changed. */
    data: UserGroup.omit({
      id: true,
      members: true,
      direct_subgroup_ids: true,
      creator_id: true,
      date_created: true,
      is_system_group: true,
    }).partial(),
  }),
  z.object({
    type,
    op: z.enum(['add_members', 'remove_members']),
    group_id,
    user_ids: z.array(UserId),
  }),
  z.object({
    type,
    op: z.enum(['add_subgroups', 'remove_subgroups']),
    group_id,
    direct_subgroup_ids: z.array(UserGroupId),
  }),
  z.object({ type, op: z.literal('remove'), group_id }),
]);
export type UserGroupEvent = z.output<typeof UserGroupEvent>;
