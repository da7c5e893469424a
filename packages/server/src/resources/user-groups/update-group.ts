import {
  type Api,
  badRequest,
  type EventOf,
  foldCase,
  type ParamsOf,
  userGroupSettings,
} from '@bellhop/protocol';

import type { LockedChange } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import { requireGroupRight } from '../../model/user-groups/access.ts';
import { checkGroupName, nameTaken } from '../../model/user-groups/group-name.ts';
import { groupRecords } from '../../model/user-groups/group-record.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import type { GroupRow } from '../../model/user-groups/group-rows.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { changedSettingGroup } from '../../model/user-groups/setting-value.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

interface GroupUpdate {
  readonly realm: Realm;
  readonly params: ParamsOf<Api['userGroups']['update']>;
}
type GroupChange = Pick<LockedChange<'user_group'>, 'db' | 'emit'>;
type ChangedProperties = Extract<EventOf<'user_group'>, { op: 'update' }>['data'];

/**
 * Changes a group, also a deactivated one, with one event for each property. Throws BAD_REQUEST without the right or for a bad value, EXPECTATION_MISMATCH if the
 * `old` value of a setting is stale.
 */
export const updateGroup: Handlers<'userGroups'>['update'] = async (call) => {
  const { actor, realm, params, db } = call;
  const { user_group_id, ...properties } = params;
  if (Object.values(properties).every((value) => value === undefined))
    throw badRequest('No new data supplied');
  const group = await groupRows.groupRow(db, realm.id, user_group_id);
  await requireGroupRight(db, actor, { group, right: 'manages' });
  const reactivates = group.deactivated && params.deactivated === false;
  if (reactivates) await reactivate(call, realm, group);
  const changed = [
    ...(await changedTexts(call, call, group)),
    ...(await changedSettings(call, call, group)),
  ];
  for (const data of changed)
    await emitGroupEvent(call, realm, {
      type: 'user_group',
      op: 'update',
      group_id: group.id,
      data,
    });
  return {};
};

async function reactivate(change: GroupChange, realm: Realm, row: GroupRow): Promise<void> {
  await groupRows.update(change.db, row, { deactivated: false });
  const [group] = await groupRecords(change.db, realm.id, [row.id]);
  if (!group) throw new Error(`The user group ${row.id} vanished`);
  await emitGroupEvent(change, realm, {
    type: 'user_group',
    op: 'update',
    group_id: group.id,
    data: { deactivated: false },
    others: { type: 'user_group', op: 'add', group },
  });
}

async function changedTexts(
  { db }: GroupChange,
  { realm, params }: GroupUpdate,
  group: GroupRow,
): Promise<ChangedProperties[]> {
  const changed: ({ readonly name: string } | { readonly description: string })[] = [];
  const name = params.name === undefined ? group.name : checkGroupName(params.name);
  if (name !== group.name) {
    const isSame = foldCase(name) === foldCase(group.name);
    if (!isSame && (await groupRows.isNameTaken(db, realm.id, name))) throw nameTaken(name);
    changed.push({ name });
  }
  const { description = group.description } = params;
  if (description !== group.description) changed.push({ description });
  for (const data of changed) await groupRows.update(db, group, data);
  return changed;
}

async function changedSettings(
  { db }: GroupChange,
  { realm, params }: GroupUpdate,
  group: GroupRow,
): Promise<ChangedProperties[]> {
  const changes: ChangedProperties[] = [];
  for (const name of userGroupSettings) {
    const update = params[name];
    const current = group[name];
    const rule = supportedPermissionSettings.group[name];
    if (!rule || current === null) throw new Error(`The user group ${group.id} has no ${name}`);
    const changed =
      update && (await changedSettingGroup(db, { realm, name, rule, update }, current));
    if (!changed) continue;
    await groupRows.update(db, group, { [name]: changed.id });
    await queries.deleteAnonymous(db, realm.id, [current]);
    changes.push({ [name]: changed.value });
  }
  return changes;
}
