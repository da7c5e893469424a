import type { z } from 'zod';

import type { StateOwner } from '../event.ts';
import type { GroupSetting, UserGroupId, UserId } from '../ids.ts';
import type { UserGroup } from '../user-groups/user-group.ts';
import type { UserState } from '../users/user-state.ts';
import type { RealmEvent } from './realm-events.ts';
import type { RealmState } from './realm-state.ts';

type State = Partial<RealmState> & UserState & { readonly realm_user_groups?: UserGroup[] };

/**
 * Applies a `realm` event to the properties of the realm and to the permissions of the owner of the
 * state.
 */
export function applyRealm(
  state: State,
  event: z.output<typeof RealmEvent>,
  { user_id }: StateOwner,
): State {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const known = Object.entries(data)
    .map(([name, value]) => [`realm_${name}`, value] as const)
    .filter(([key]) => key in state);
  const next = { ...state, ...Object.fromEntries(known) } as State;
  return { ...next, ...ownPermissions(next, user_id) };
}

/**
 * The permissions that the realm gives a user, if the state has the account and the user groups.
 */
function ownPermissions(state: State, user: UserId): UserState {
  const { realm_user_groups: groups, user_id, realm_can_invite_users_group: inviters } = state;
  if (!groups || user_id === undefined || inviters === undefined) return {};
  const byId = new Map(groups.map((group) => [group.id, group]));
  const may = (setting: GroupSetting | undefined) =>
    setting !== undefined && includes(byId, setting, user);
  const can_create_public_streams = may(state.realm_can_create_public_channel_group);
  const can_create_private_streams = may(state.realm_can_create_private_channel_group);
  const can_create_web_public_streams = may(state.realm_can_create_web_public_channel_group);
  return {
    can_create_public_streams,
    can_create_private_streams,
    can_create_web_public_streams,
    can_create_streams:
      can_create_public_streams || can_create_private_streams || can_create_web_public_streams,
    can_invite_others_to_realm: may(inviters),
  };
}

/** Whether the value of a permission includes a user, directly or by nested groups. */
function includes(
  groups: ReadonlyMap<UserGroupId, UserGroup>,
  value: GroupSetting,
  user: UserId,
): boolean {
  const anonymous = typeof value === 'object' ? value : undefined;
  if (anonymous?.direct_members.includes(user)) return true;
  const nested = new Set(anonymous?.direct_subgroups ?? [value as UserGroupId]);
  for (const id of nested) {
    const group = groups.get(id);
    if (group?.members.includes(user)) return true;
    for (const subgroup of group?.direct_subgroup_ids ?? []) nested.add(subgroup);
  }
  return false;
}
