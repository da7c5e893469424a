import type { UserGroup } from '@bellhop/protocol';

import type { PageProps } from '../page.ts';
import { isNamedBy } from './membership.ts';

/** The actions on a group that the page offers. The server decides which it permits. */
export function groupRights({ account, state, rights }: PageProps, group: UserGroup) {
  const isNamed = (value: unknown) => isNamedBy(state, value, account.user_id);
  const manages =
    !rights.isGuest &&
    !group.is_system_group &&
    (rights.may('can_manage_all_groups') || isNamed(group.can_manage_group));
  const isOpen = !group.deactivated;
  const adds = manages || (!rights.isGuest && isNamed(group.can_add_members_group));
  const removes = manages || (!rights.isGuest && isNamed(group.can_remove_members_group));
  return {
    manages,
    adds: isOpen && adds,
    removes: isOpen && removes,
    joins: isOpen && (adds || isNamed(group.can_join_group)),
    leaves: isOpen && (removes || isNamed(group.can_leave_group)),
  };
}
