import {
  type ClientCapabilities,
  type RealmId,
  type UserGroup,
  type UserGroupId,
  userGroupSettings,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import { hiddenFrom, type UserView } from '../users/access.ts';
import * as queries from './queries.ts';

/**
 * The named groups of a realm with those of their members whom the viewer may see; deactivated groups
 * only for clients with that capability.
 */
export async function visibleGroups(
  db: Db,
  { realm, viewer }: UserView,
  { include_deactivated_groups }: Pick<ClientCapabilities, 'include_deactivated_groups'>,
): Promise<UserGroup[]> {
  const records = await groupRecords(db, realm.id);
  const members = [...new Set(records.flatMap((record) => record.members))];
  const hidden = await hiddenFrom(db, realm, { viewers: [viewer.id], users: members });
  return records
    .filter(({ deactivated }) => include_deactivated_groups || !deactivated)
    .map((record) => withoutMembers(record, hidden.get(viewer.id)));
}

export const withoutMembers = (
  group: UserGroup,
  excluded: ReadonlySet<UserId> | undefined,
): UserGroup =>
  excluded ? { ...group, members: group.members.filter((id) => !excluded.has(id)) } : group;

/** The named groups of a realm, or those among `ids`, with all members. */
export async function groupRecords(
  db: Db,
  realm: RealmId,
  ids?: readonly UserGroupId[],
): Promise<UserGroup[]> {
  const rows = await queries.named(db, realm, ids);
  const settingIds = rows.flatMap((row) =>
    userGroupSettings.map((name) => row[name]).filter((id) => id !== null),
  );
  const values = await queries.settingValues(db, realm, settingIds);
  return rows.map((row) => {
    const setting = (name: (typeof userGroupSettings)[number]) => {
      const id = row[name];
      if (id === null) throw new Error(`The user group ${row.id} has no ${name}`);
      return values.get(id) ?? id;
    };
    return {
      id: row.id,
      name: row.name ?? '',
      description: row.description,
      members: row.is_system_group ? row.role_ids : row.member_ids,
      direct_subgroup_ids: row.subgroup_ids,
      creator_id: row.creator_id,
      date_created: row.date_created && Math.floor(row.date_created.getTime() / 1000),
      is_system_group: row.is_system_group,
      deactivated: row.deactivated,
      can_add_members_group: setting('can_add_members_group'),
      can_join_group: setting('can_join_group'),
      can_leave_group: setting('can_leave_group'),
      can_manage_group: setting('can_manage_group'),
      can_mention_group: setting('can_mention_group'),
      can_remove_members_group: setting('can_remove_members_group'),
    };
  });
}
