import type { GroupSetting, UserGroupId, UserId } from '../../values/ids.ts';
import type { RealmState } from '../realms/realm-state.ts';
import type { UserGroup } from '../user-groups/user-group.ts';
import type { UserState } from './user-state.ts';

/** The parts of the state that decide what the realm permits the owner of the state. */
export type PermissionState = Partial<RealmState> &
  UserState & { readonly realm_user_groups?: UserGroup[] | undefined };

/**
 * The permissions that the realm gives a user, if the state has the account and the user groups.
 * Guests have none of them, in whichever group they are.
 */
export function ownPermissions(state: PermissionState, user: UserId): UserState {
  const { realm_user_groups: groups, user_id, realm_can_invite_users_group: inviters } = state;
  if (!groups || user_id === undefined || inviters === undefined) return {};
  const byId = new Map(groups.map((group) => [group.id, group]));
  const may = (setting: GroupSetting | undefined) =>
    !state.is_guest && setting !== undefined && includes(byId, setting, user);
  const hasSpectators =
    state.server_web_public_streams_enabled === true &&
    state.realm_enable_spectator_access === true;
  const can_create_public_streams = may(state.realm_can_create_public_channel_group);
  const can_create_private_streams = may(state.realm_can_create_private_channel_group);
  const can_create_web_public_streams =
    hasSpectators && may(state.realm_can_create_web_public_channel_group);
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
