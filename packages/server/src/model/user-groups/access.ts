import { badRequest, type RealmId, roles, type UserGroupId, type UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User, UserInRealm } from '../../engine/caller.ts';
import { grantsRole } from '../realms/permission-settings.ts';
import type { GroupRow, GroupSettingName } from './group-rows.ts';
import { groupHasUser } from './membership.ts';
import { groupsOf } from './queries.ts';

/** Whether a user belongs to a group: as a direct member, by role, or through a subgroup. */
export const isInGroup = (
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  group: UserGroupId,
): Promise<boolean> => isOneInGroup(db, realm_id, { group, users: [id] });

/** Whether one of these users belongs to a group. */
export async function isOneInGroup(
  db: Db,
  realm: RealmId,
  { group, users }: { readonly group: number; readonly users: readonly UserId[] },
): Promise<boolean> {
  if (users.length === 0) return false;
  const { rows } = await sql<{
    yes: boolean;
  }>`select ${groupHasUser(realm, group, sql`select unnest(${users}::bigint[])`)} as yes`.execute(
    db,
  );
  return rows[0]?.yes ?? false;
}

/** The rights of one user over one group. */
export interface GroupRights {
  /** Everything: name, description, settings, members, deactivating, reactivating. */
  readonly manages: boolean;
  readonly addsMembers: boolean;
  readonly removesMembers: boolean;
  /** Adds themselves. */
  readonly joins: boolean;
  /** Removes themselves. */
  readonly leaves: boolean;
}

/**
 * The rights of a user over a group. System groups give none; guests may only leave, since no other
 * setting can be `role:everyone`.
 */
export async function groupRights(
  db: Db,
  { realm, user }: UserInRealm,
  group: GroupRow,
): Promise<GroupRights> {
  const groups = await groupsOf(db, user);
  const isMember = user.role < roles.guest;
  const isIn = (setting: GroupSettingName) => {
    const id = group[setting];
    const isGranted = id !== null && groups.has(id) && grantsRole('group', setting, user.role);
    return isGranted && !group.is_system_group;
  };
  const manages =
    isMember &&
    !group.is_system_group &&
    (groups.has(realm.group_settings.can_manage_all_groups) || isIn('can_manage_group'));
  const addsMembers = manages || (isMember && isIn('can_add_members_group'));
  const removesMembers = manages || (isMember && isIn('can_remove_members_group'));
  return {
    manages,
    addsMembers,
    removesMembers,
    joins: addsMembers || isIn('can_join_group'),
    leaves: removesMembers || isIn('can_leave_group'),
  };
}

/** Throws BAD_REQUEST unless the user has the right. */
export async function requireGroupRight(
  db: Db,
  actor: UserInRealm,
  { group, right }: { readonly group: GroupRow; readonly right: keyof GroupRights },
): Promise<void> {
  if (!(await groupRights(db, actor, group))[right]) throw badRequest('Insufficient permission');
}
