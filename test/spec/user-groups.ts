import { names, type SpecSection } from './spec-section.ts';

export const userGroups: readonly SpecSection[] = [
  {
    section: 'Update a user group',
    route: 'PATCH /user_groups/{user_group_id}',
    parametersSince: {
      can_add_members_group: 305,
      can_join_group: 301,
      can_leave_group: 308,
      can_manage_group: 283,
      can_remove_members_group: 324,
      deactivated: 386,
    },
    parameters: names(`
      user_group_id name description can_add_members_group can_join_group can_leave_group
      can_manage_group can_mention_group can_remove_members_group deactivated`),
    errors: ['BAD_REQUEST: Invalid user group'],
    events: ['user_group'],
    rules: {
      'A change is refused if `old` is not the current value':
        'user-groups/groups.test.ts > is refused unless `old` is the current value in any spelling',
      'deactivated=false makes a deactivated group active':
        'user-groups/user-groups.test.ts > works on a deactivated group, and reactivates it',
      'deactivated=true has no effect':
        'user-groups/user-groups.test.ts > with deactivated=true changes nothing',
      'can_manage_group is neither role:internet nor role:everyone':
        'user-groups/user-groups.test.ts > is refused with unknown, deactivated and system users and unusable subgroups',
      'can_mention_group is neither role:internet nor role:owners':
        'user-groups/user-groups.test.ts > is refused with unknown, deactivated and system users and unusable subgroups',
      'A deactivated group cannot be mentioned or used in a permission':
        'user-groups/group-rights.test.ts > are refused outside can_mention_group and silent for a deactivated group',
      'Name and description are optional; a request that changes nothing is refused':
        'user-groups/user-groups.test.ts > an update with a stale old value, without a change or with a taken name is refused',
      'Name, description and settings of a deactivated group may be changed':
        'user-groups/user-groups.test.ts > works on a deactivated group, and reactivates it',
      'can_manage_group and can_manage_all_groups permit changing a group; others are refused':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'can_add_members_group, can_remove_members_group, can_join_group and can_leave_group permit what they name':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'can_mention_group permits mentioning the group':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
    },
  },
  {
    section: 'Update subgroups of a user group',
    route: 'POST /user_groups/{user_group_id}/subgroups',
    since: 127,
    parameters: names('user_group_id add delete'),
    events: ['user_group'],
    rules: {
      'The subgroups of a deactivated group may be changed':
        'user-groups/group-settings.test.ts > the subgroups of a deactivated group can be changed',
      'Subgroups are changed by those who may change the members':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'A group cannot contain itself through subgroups':
        'user-groups/group-content.test.ts > two subgroups added crosswise at the same time make no cycle',
    },
  },
  {
    section: 'States and transitions: user group',
    route: 'POST /user_groups/{user_group_id}/deactivate',
    parameters: ['user_group_id'],
    events: ['user_group'],
    rules: {
      'Clients without include_deactivated_groups get a remove event for a deactivated group':
        'user-groups/user-groups.test.ts > works on a deactivated group, and reactivates it',
      'A group that a permission uses cannot be deactivated':
        'user-groups/user-groups.test.ts > is refused with all uses of the group',
      'A group that is deactivated already is refused':
        'user-groups/user-groups.test.ts > ignores the use of the group in its own settings, and is refused the second time',
    },
  },
];
