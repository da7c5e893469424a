import type { StateOwner } from '../../wire/event.ts';
import { changed, withRow } from '../changed.ts';
import { ownPermissions, type PermissionState } from '../users/own-permissions.ts';
import type { UserGroupEvent } from './user-group-events.ts';
import type { UserGroup } from './user-group.ts';

/**
 * Applies a `user_group` event to the list of groups, and to the permissions that the owner of the
 * state has through their groups.
 */
export function applyUserGroup(
  state: PermissionState,
  event: UserGroupEvent,
  { user_id }: StateOwner,
): PermissionState {
  const next = changed(state, 'realm_user_groups', (groups) => {
    if (event.op === 'add') return withRow(groups, 'id', event.group);
    if (event.op === 'remove') return groups.filter(({ id }) => id !== event.group_id);
    return groups.map((group) =>
      group.id === event.group_id ? { ...group, ...changesOf(group, event) } : group,
    );
  });
  return { ...next, ...ownPermissions(next, user_id) };
}

function changesOf(
  { members, direct_subgroup_ids }: UserGroup,
  event: Exclude<UserGroupEvent, { op: 'add' | 'remove' }>,
): object {
  switch (event.op) {
    case 'update':
      return event.data;
    case 'add_members':
      return { members: withIds(members, event.user_ids) };
    case 'remove_members':
      return { members: withoutIds(members, event.user_ids) };
    case 'add_subgroups':
      return { direct_subgroup_ids: withIds(direct_subgroup_ids, event.direct_subgroup_ids) };
    case 'remove_subgroups':
      return { direct_subgroup_ids: withoutIds(direct_subgroup_ids, event.direct_subgroup_ids) };
  }
}

const withoutIds = <Id extends number>(ids: readonly Id[], removed: readonly Id[]): Id[] =>
  ids.filter((id) => !removed.includes(id));

const withIds = <Id extends number>(ids: readonly Id[], added: readonly Id[]): Id[] =>
  [...withoutIds(ids, added), ...added].toSorted((a, b) => a - b);
