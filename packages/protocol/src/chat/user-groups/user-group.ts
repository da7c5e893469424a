import { z } from 'zod';

import { Description, Name, Timestamp } from '../../values/fields.ts';
import { GroupSetting, UserGroupId, UserId } from '../../values/ids.ts';

/** A user group. System groups have no creator. */
export const UserGroup = z
  .object({
    id: UserGroupId,
    name: Name,
    description: Description,
    members: z.array(UserId),
    direct_subgroup_ids: z.array(UserGroupId),
    creator_id: UserId.nullable(),
    date_created: Timestamp.nullable(),
    is_system_group: z.boolean(),
    deactivated: z.boolean(),
    can_add_members_group: GroupSetting,
    can_join_group: GroupSetting,
    can_leave_group: GroupSetting,
    can_manage_group: GroupSetting,
    can_mention_group: GroupSetting,
    can_remove_members_group: GroupSetting,
  })
  .meta({ id: 'UserGroup' });
export type UserGroup = z.output<typeof UserGroup>;

/**
 * The user groups that every realm has. `role:nobody` is empty; every other contains the one before
 * it.
 */
export const systemGroups = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const;
export type SystemGroup = (typeof systemGroups)[number];
