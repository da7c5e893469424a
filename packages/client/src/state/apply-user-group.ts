import type { EventOf, InitialState } from '@bellhop/protocol';

import { changed } from './state.ts';

/** Who is in the user groups of the realm. */
export const applyUserGroup = (
  state: InitialState,
  { op, group_id, user_ids }: EventOf<'user_group'>,
): InitialState =>
  changed(state, 'realm_user_groups', (groups) =>
    groups.map((group) => {
      if (group.id !== group_id) return group;
      const others = group.members.filter((id) => !user_ids.includes(id));
      const members = op === 'add_members' ? [...others, ...user_ids] : others;
      return { ...group, members: members.toSorted((a, b) => a - b) };
    }),
  );
