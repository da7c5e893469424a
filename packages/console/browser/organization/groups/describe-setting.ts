import type { GroupSetting, InitialState } from '@bellhop/protocol';

import { groupName } from './group-name.ts';
import { groupOf, settingOf } from './membership.ts';

type State = Pick<InitialState, 'realm_user_groups' | 'realm_users'>;
export type NamedGroups = Exclude<GroupSetting, number>;

/** A value as the groups and people that it names. */
export const namedBy = (value: GroupSetting): NamedGroups =>
  typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value;

/** The value of a permission setting in words: `Administrators, on-call, Max Member`. */
export function describeSetting(state: State, value: unknown): string {
  const setting = settingOf(value);
  if (setting === undefined) return '';
  const { direct_members, direct_subgroups } = namedBy(setting);
  const groups = direct_subgroups.map((id) => groupName(groupOf(state, id)?.name ?? String(id)));
  const people = direct_members.map(
    (id) => state.realm_users?.find(({ user_id }) => user_id === id)?.full_name ?? String(id),
  );
  const all = [...groups, ...people];
  return all.length === 0 ? groupName('role:nobody') : all.join(', ');
}
