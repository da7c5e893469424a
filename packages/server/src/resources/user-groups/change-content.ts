import { badRequest, type UserGroupId, type UserId } from '@bellhop/protocol';

import type { Db, LockedChange } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { groupRights } from '../../model/user-groups/access.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import type { GroupRow } from '../../model/user-groups/group-rows.ts';
import { newMembers, requireUsableGroups } from '../../model/user-groups/new-members.ts';
import * as users from '../../model/users/queries.ts';
import { changingVisibility } from '../channels/changing-visibility.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

interface ContentChange {
  readonly id: UserGroupId;
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
  readonly addSubgroups: readonly UserGroupId[];
  readonly removeSubgroups: readonly UserGroupId[];
}
export interface ChangedContent {
  readonly group: GroupRow;
  readonly added: readonly User[];
  readonly removed: readonly UserId[];
}

/**
 * Adds and removes members and subgroups of a group, also of a deactivated one. Emits the changes
 * of the group, and the channels that users see or lose because of it. Throws BAD_REQUEST without
 * the right, for adding a present member, for removing an absent one, and for a subgroup that
 * contains the group.
 */
export async function changeContent(
  change: LockedChange<'user_group' | 'stream' | 'subscription'>,
  actor: Actor,
  request: ContentChange,
): Promise<ChangedContent> {
  const { db } = change;
  const { realm, user, now } = actor;
  const add = [...new Set(request.add)];
  const remove = [...new Set(request.remove)];
  const addSubgroups = [...new Set(request.addSubgroups)];
  const removeSubgroups = [...new Set(request.removeSubgroups)];
  const group = await groupRows.groupRow(db, realm.id, request.id);
  await requireRights(db, actor, { ...request, add, remove, group });
  const { members, subgroups } = await groupRows.contentOf(db, group);
  for (const id of add)
    if (members.includes(id)) throw badRequest(`User ${id} is already a member of this group`);
  for (const id of remove)
    if (!members.includes(id)) throw badRequest(`There is no member '${id}' in this user group`);
  for (const id of addSubgroups)
    if (subgroups.includes(id))
      throw badRequest(`User group ${id} is already a subgroup of this group.`);
  for (const id of removeSubgroups)
    if (!subgroups.includes(id))
      throw badRequest(`User group ${id} is not a subgroup of this group.`);
  const added = await newMembers(db, { realm, viewer: user }, add);
  await requireUsableGroups(db, realm.id, addSubgroups);
  if ((await groupRows.withSubgroups(db, realm.id, addSubgroups)).includes(group.id))
    throw badRequest(
      `User group ${group.id} is already a subgroup of one of the passed subgroups.`,
    );
  // Clients have removed a deactivated member already.
  const shown = (await users.byIds(db, realm.id, remove)).filter(({ is_active }) => is_active);
  const containing = await groupRows.withSupergroups(db, group);
  await changingVisibility(change, { realm, now, groups: containing }, async () => {
    await groupRows.removeContent(db, group, { users: remove, groups: removeSubgroups });
    await groupRows.addContent(db, group, { users: add, groups: addSubgroups });
    const about = { type: 'user_group', group_id: group.id } as const;
    for (const [op, user_ids] of [
      ['add_members', add],
      ['remove_members', shown.map(({ id }) => id)],
    ] as const)
      if (user_ids.length > 0) await emitGroupEvent(change, realm, { ...about, op, user_ids });
    for (const [op, direct_subgroup_ids] of [
      ['add_subgroups', addSubgroups],
      ['remove_subgroups', removeSubgroups],
    ] as const)
      if (direct_subgroup_ids.length > 0)
        await emitGroupEvent(change, realm, { ...about, op, direct_subgroup_ids });
  });
  return { group, added, removed: remove };
}

async function requireRights(
  db: Db,
  actor: Actor,
  {
    add,
    remove,
    addSubgroups,
    removeSubgroups,
    group,
  }: ContentChange & { readonly group: GroupRow },
): Promise<void> {
  const rights = await groupRights(db, actor, group);
  const isSelf = (ids: readonly UserId[]) => ids.every((id) => id === actor.user.id);
  const mayAdd = rights.addsMembers || (rights.joins && addSubgroups.length === 0 && isSelf(add));
  const mayRemove =
    rights.removesMembers || (rights.leaves && removeSubgroups.length === 0 && isSelf(remove));
  if (
    (add.length + addSubgroups.length > 0 && !mayAdd) ||
    (remove.length + removeSubgroups.length > 0 && !mayRemove)
  )
    throw badRequest('Insufficient permission');
}
