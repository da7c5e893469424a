import type { UserGroupId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

/**
 * Adds a user who has just been created to those of these groups that are active. Nobody has seen
 * the user yet, so no change of access is emitted. Checks no permission.
 */
export async function addNewMember(
  change: Pick<Change<'user_group'>, 'db' | 'emit'>,
  { realm, user }: { readonly realm: Realm; readonly user: User },
  ids: readonly UserGroupId[],
): Promise<void> {
  if (ids.length === 0) return;
  const { db } = change;
  const { realm_id } = user;
  const user_ids = [user.id];
  for (const group of await queries.usable(db, realm_id, ids)) {
    if (group.name === null || group.is_system_group) continue;
    const { id: group_id } = group;
    await groupRows.addContent(db, { realm_id, id: group_id }, { users: user_ids, groups: [] });
    await emitGroupEvent(change, realm, {
      type: 'user_group',
      op: 'add_members',
      group_id,
      user_ids,
    });
  }
}
