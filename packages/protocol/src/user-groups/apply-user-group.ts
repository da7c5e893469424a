import type { z } from 'zod';

import { changed } from '../changed.ts';
import type { UserGroupEvent } from './user-group-events.ts';
import type { UserGroup } from './user-group.ts';

interface UserGroupState {
  readonly realm_user_groups?: UserGroup[] | undefined;
}

/** Applies a `user_group` event to the members of the group. */
export const applyUserGroup = (
  state: UserGroupState,
  { op, group_id, user_ids }: z.output<typeof UserGroupEvent>,
): UserGroupState =>
  changed(state, 'realm_user_groups', (groups) =>
    groups.map((group) => {
      if (group.id !== group_id) return group;
      const others = group.members.filter((id) => !user_ids.includes(id));
      const members = op === 'add_members' ? [...others, ...user_ids] : others;
      return { ...group, members: members.toSorted((a, b) => a - b) };
    }),
  );
