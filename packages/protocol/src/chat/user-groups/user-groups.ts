import { z } from 'zod';

import { Description, Name } from '../../values/fields.ts';
import {
  GroupSettingParameter,
  GroupSettingUpdate,
  UserGroupId,
  UserId,
} from '../../values/ids.ts';
import { MAX_LIST_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import type { Permission } from '../../wire/permission.ts';
import { resource, section } from '../../wire/resource.ts';
import { StreamEvent, SubscriptionEvent } from '../channels/channel-events.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { applyUserGroup } from './apply-user-group.ts';
import { UserGroupEvent } from './user-group-events.ts';
import { UserGroup } from './user-group.ts';

const name = Name.max(MAX_NAME_LENGTH).meta({
  description:
    'At most 100 characters, unique in any letter case; it must not start with `@`, `role:`, `user:`, `stream:` or `channel:`',
});
const description = Description.max(MAX_TEXT_LENGTH);
const users = z.array(UserId).max(MAX_LIST_LENGTH);
const groups = z.array(UserGroupId).max(MAX_LIST_LENGTH);
const value = GroupSettingParameter.optional();
const update = GroupSettingUpdate.optional();
const directMembers = z
  .boolean()
  .default(false)
  .meta({ description: 'Leave out the members of subgroups' });
const directSubgroups = z
  .boolean()
  .default(false)
  .meta({ description: 'Leave out the subgroups of subgroups' });

/** The feature levels that added the permission settings of a group as parameters. */
const permissionsSince = {
  can_add_members_group: 305,
  can_join_group: 301,
  can_leave_group: 308,
  can_manage_group: 283,
  can_remove_members_group: 324,
};

const manages = ['realm.can_manage_all_groups', 'group.can_manage_group'] as const;
const manageGroup: Permission = { to: 'manage the group', grants: manages };
const changeMembers: readonly Permission[] = [
  { to: 'add members', when: 'add', grants: [...manages, 'group.can_add_members_group'] },
  {
    to: 'remove members',
    when: 'delete',
    grants: [...manages, 'group.can_remove_members_group'],
  },
];

const endpoints = {
  list: endpoint('GET /user_groups', {
    summary: 'Get all user groups of the realm',
    paramsSince: { include_deactivated_groups: 294 },
    access: 'user',
    params: {
      include_deactivated_groups: z
        .boolean()
        .default(false)
        .meta({ description: 'Include deactivated groups' }),
    },
    result: { user_groups: z.array(UserGroup) },
  }),

  create: endpoint('POST /user_groups/create', {
    summary: 'Create a user group',
    paramsSince: permissionsSince,
    access: 'member',
    locks: 'realm',
    permissions: [{ to: 'create user groups', grants: ['realm.can_create_groups'] }],
    params: {
      name,
      description,
      members: users,
      subgroups: groups.default([]),
      can_add_members_group: value,
      can_join_group: value,
      can_leave_group: value,
      can_manage_group: value,
      can_mention_group: value,
      can_remove_members_group: value,
    },
    result: { group_id: UserGroupId },
    emits: [UserGroupEvent, MessageEvent],
  }),

  update: endpoint('PATCH /user_groups/{user_group_id}', {
    summary: 'Update or reactivate a user group',
    paramsSince: { ...permissionsSince, deactivated: 386 },
    access: 'member',
    locks: 'realm',
    permissions: [manageGroup],
    params: {
      user_group_id: UserGroupId,
      name: name.optional(),
      description: description.optional(),
      can_add_members_group: update,
      can_join_group: update,
      can_leave_group: update,
      can_manage_group: update,
      can_mention_group: update,
      can_remove_members_group: update,
      deactivated: z
        .boolean()
        .optional()
        .meta({ description: '`false` reactivates the group; `true` has no effect' }),
    },
    errors: ['EXPECTATION_MISMATCH'],
    emits: [UserGroupEvent],
  }),

  deactivate: endpoint('POST /user_groups/{user_group_id}/deactivate', {
    summary: 'Deactivate a user group',
    since: 290,
    access: 'member',
    locks: 'realm',
    permissions: [manageGroup],
    params: { user_group_id: UserGroupId },
    errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
    emits: [UserGroupEvent],
  }),

  updateMembers: endpoint('POST /user_groups/{user_group_id}/members', {
    summary: 'Add and remove members and subgroups of a user group',
    paramsSince: { add_subgroups: 311, delete_subgroups: 311 },
    access: 'user',
    locks: 'realm',
    permissions: [
      ...changeMembers,
      {
        to: 'join the group',
        when: 'add',
        where: 'only the caller is added',
        grants: [...manages, 'group.can_add_members_group', 'group.can_join_group'],
      },
      {
        to: 'leave the group',
        when: 'delete',
        where: 'only the caller is removed',
        grants: [...manages, 'group.can_remove_members_group', 'group.can_leave_group'],
      },
    ],
    params: {
      user_group_id: UserGroupId,
      add: users.default([]),
      delete: users.default([]),
      add_subgroups: groups.default([]),
      delete_subgroups: groups.default([]),
    },
    emits: [UserGroupEvent, StreamEvent, SubscriptionEvent, MessageEvent],
  }),

  updateSubgroups: endpoint('POST /user_groups/{user_group_id}/subgroups', {
    summary: 'Add and remove subgroups of a user group',
    since: 127,
    access: 'member',
    locks: 'realm',
    permissions: changeMembers,
    params: {
      user_group_id: UserGroupId,
      add: groups.default([]),
      delete: groups.default([]),
    },
    emits: [UserGroupEvent, StreamEvent, SubscriptionEvent],
  }),

  members: endpoint('GET /user_groups/{user_group_id}/members', {
    summary: 'Get the members of a user group',
    since: 127,
    access: 'user',
    params: { user_group_id: UserGroupId, direct_member_only: directMembers },
    result: { members: z.array(UserId) },
  }),

  isMember: endpoint('GET /user_groups/{user_group_id}/members/{user_id}', {
    summary: 'Get whether a user is a member of a user group',
    since: 127,
    access: 'user',
    params: { user_group_id: UserGroupId, user_id: UserId, direct_member_only: directMembers },
    result: { is_user_group_member: z.boolean() },
  }),

  subgroups: endpoint('GET /user_groups/{user_group_id}/subgroups', {
    summary: 'Get the subgroups of a user group',
    since: 127,
    access: 'user',
    params: { user_group_id: UserGroupId, direct_subgroup_only: directSubgroups },
    result: { subgroups: z.array(UserGroupId) },
  }),
};

export const userGroups = resource({
  endpoints,
  events: [event(UserGroupEvent, applyUserGroup)],
  state: { realm_user_groups: section({ realm_user_groups: z.array(UserGroup) }) },
});
