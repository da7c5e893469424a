import type { GroupSetting, InitialState, UserGroup } from '@bellhop/protocol';

type Groups = Pick<InitialState, 'realm_user_groups'>;

export const groupOf = ({ realm_user_groups }: Groups, id: number): UserGroup | undefined =>
  realm_user_groups?.find((group) => group.id === id);

/** The members of a group and of its subgroups, each once. */
export function allMembers(state: Groups, group_id: number): ReadonlySet<number> {
  const found = new Set<number>();
  const seen = new Set<number>();
  const visit = (id: number) => {
    if (seen.has(id)) return;
    seen.add(id);
    const group = groupOf(state, id);
    group?.members.forEach((member) => found.add(member));
    group?.direct_subgroup_ids.forEach(visit);
  };
  visit(group_id);
  return found;
}

/** The value of a permission setting; undefined: it is none. */
export const settingOf = (value: unknown): GroupSetting | undefined =>
  typeof value === 'number' ||
  (typeof value === 'object' && value !== null && 'direct_members' in value)
    ? (value as GroupSetting)
    : undefined;

/** Whether the value of a permission setting names a user, directly or by a group. */
export function isNamedBy(state: Groups, value: unknown, user_id: number): boolean {
  const setting = settingOf(value);
  if (setting === undefined) return false;
  if (typeof setting === 'number') return allMembers(state, setting).has(user_id);
  const { direct_members, direct_subgroups } = setting;
  return (
    direct_members.some((id) => id === user_id) ||
    direct_subgroups.some((id) => allMembers(state, id).has(user_id))
  );
}
