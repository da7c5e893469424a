import {
  type Api,
  badRequest,
  type ParamsOf,
  type SystemGroup,
  type UserGroupId,
  userGroupSettings,
} from '@bellhop/protocol';

import type { LockedChange } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import { requireRoom } from '../../model/require-room.ts';
import { isInGroup } from '../../model/user-groups/access.ts';
import { checkGroupName, nameTaken } from '../../model/user-groups/group-name.ts';
import { groupRecords } from '../../model/user-groups/group-record.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import type { GroupSettingName } from '../../model/user-groups/group-rows.ts';
import { newMembers, requireUsableGroups } from '../../model/user-groups/new-members.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { settingGroup } from '../../model/user-groups/setting-value.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

interface GroupCreation extends LockedChange<'user_group'> {
  readonly actor: Actor;
  readonly params: ParamsOf<Api['userGroups']['create']>;
}
interface CreatedGroup {
  readonly id: UserGroupId;
  readonly name: string;
  readonly members: readonly User[];
}

/** Creates a group and emits it. Throws BAD_REQUEST for bad parameters or without the right. */
export async function createGroup(call: GroupCreation): Promise<CreatedGroup> {
  const { actor, params, db } = call;
  const { realm, user, now } = actor;
  if (!(await isInGroup(db, user, realm.group_settings.can_create_groups)))
    throw badRequest('Insufficient permission');
  const name = checkGroupName(params.name);
  if (await groupRows.isNameTaken(db, realm.id, name)) throw nameTaken(name);
  const members = await newMembers(db, { realm, viewer: user }, params.members);
  const groups = [...new Set(params.subgroups)];
  await requireUsableGroups(db, realm.id, groups);
  const id = await groupRows.insert(db, {
    realm_id: realm.id,
    name,
    description: params.description,
    creator_id: user.id,
    date_created: new Date(now * 1000),
    ...(await settingGroups(call)),
  });
  if (id === undefined) throw nameTaken(name);
  await requireRoom(db, 'user_group', { realm_id: realm.id, creator_id: user.id });
  const content = { users: members.map((member) => member.id), groups };
  await groupRows.addContent(db, { realm_id: realm.id, id }, content);
  const [group] = await groupRecords(db, realm.id, [id]);
  if (!group) throw new Error(`The user group ${id} vanished`);
  await emitGroupEvent(call, realm, { type: 'user_group', op: 'add', group });
  return { id, name, members };
}

/** The groups to store for the permission settings: those of the request or the defaults. */
async function settingGroups({
  actor: { realm, user },
  params,
  db,
}: GroupCreation): Promise<Record<GroupSettingName, UserGroupId>> {
  const system = await queries.systemGroupIds(db, realm.id);
  const creator = { direct_members: [user.id], direct_subgroups: [] };
  const groups: Partial<Record<GroupSettingName, UserGroupId>> = {};
  for (const name of userGroupSettings) {
    const rule = supportedPermissionSettings.group[name];
    if (!rule) throw new Error(`No rule for ${name}`);
    const value = params[name];
    if (value !== undefined) groups[name] = await settingGroup(db, { realm, name, value, rule });
    else if (rule.default_group_name === 'group_creator')
      groups[name] = await queries.insertAnonymous(db, realm.id, creator);
    else groups[name] = system[rule.default_group_name as SystemGroup];
  }
  return groups as Record<GroupSettingName, UserGroupId>;
}
