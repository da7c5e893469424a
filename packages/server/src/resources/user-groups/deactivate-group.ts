import { badRequest, type GroupObjection, userGroupSettings } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Actor } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { channelsUsingGroups } from '../../model/channels/channels-with-access.ts';
import * as realms from '../../model/realms/queries.ts';
import { requireGroupRight } from '../../model/user-groups/access.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import type { GroupRow } from '../../model/user-groups/group-rows.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

/**
 * Deactivates a group. Throws BAD_REQUEST without the right or if it is deactivated,
 * CANNOT_DEACTIVATE_GROUP_IN_USE with all its uses if there are any. A use in its own settings does
 * not count.
 */
export const deactivateGroup: Handlers<'userGroups'>['deactivate'] = async (call) => {
  const { actor, realm, params, db, fail } = call;
  const id = params.user_group_id;
  const group = await groupRows.groupRow(db, realm.id, id);
  await requireGroupRight(db, actor, { group, right: 'manages' });
  if (group.deactivated) throw badRequest('User group is deactivated.');
  // The update waits for transactions that are about to use the group in a setting.
  await groupRows.update(db, group, { deactivated: true });
  const objections = await usesOf(db, actor, group);
  if (objections.length > 0) fail('CANNOT_DEACTIVATE_GROUP_IN_USE', undefined, { objections });
  await emitGroupEvent(call, realm, {
    type: 'user_group',
    op: 'update',
    group_id: id,
    data: { deactivated: true },
    others: { type: 'user_group', op: 'remove', group_id: id },
  });
  return {};
};

/**
 * The uses of a group: in other groups, also deactivated ones, and in permission settings, directly
 * or in a list of users and groups.
 */
async function usesOf(db: Db, { realm, user }: Actor, group: GroupRow): Promise<GroupObjection[]> {
  const containing = await groupRows.supergroups(db, group);
  const supergroup_ids = containing.filter(({ name }) => name !== null).map(({ id }) => id);
  const values = new Set<unknown>([
    group.id,
    ...containing.filter(({ name }) => name === null).map(({ id }) => id),
  ]);
  const inSettings = (settings: object) =>
    Object.entries(settings).flatMap(([name, value]) => (values.has(value) ? [name] : []));
  const groups = (await queries.named(db, realm.id)).flatMap((other): GroupObjection[] => {
    const own = Object.fromEntries(userGroupSettings.map((name) => [name, other[name]]));
    const settings = other.id === group.id ? [] : inSettings(own);
    return settings.length > 0 ? [{ type: 'user_group', group_id: other.id, settings }] : [];
  });
  const channels = await channelsUsingGroups(db, user, values);
  const { group_settings } = await realms.byId(db, realm.id);
  const ofRealm = inSettings(group_settings);
  return [
    ...(supergroup_ids.length > 0 ? [{ type: 'subgroup' as const, supergroup_ids }] : []),
    ...channels.map((use) => ({ type: 'channel' as const, ...use })),
    ...groups,
    ...(ofRealm.length > 0 ? [{ type: 'realm' as const, settings: ofRealm }] : []),
  ];
}
