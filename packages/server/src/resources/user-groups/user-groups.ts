import { badRequest, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { groupRecords, visibleGroups } from '../../model/user-groups/group-record.ts';
import * as groupRows from '../../model/user-groups/group-rows.ts';
import type { GroupRow } from '../../model/user-groups/group-rows.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { visibleByIds } from '../../model/users/access.ts';
import * as users from '../../model/users/queries.ts';
import { presentUserGroup } from '../user-events/present-user-group.ts';
import { announceFullMembersOfAll } from './announce-full-members.ts';
import { changeContent } from './change-content.ts';
import { createGroup } from './create-group.ts';
import { deactivateGroup } from './deactivate-group.ts';
import { sendMembershipNotices } from './membership-notices.ts';
import { updateGroup } from './update-group.ts';

const handlers: Handlers<'userGroups'> = {
  async list({ user, realm, params, db }) {
    return { user_groups: await visibleGroups(db, { realm, viewer: user }, params) };
  },

  async create(call) {
    const { id, name, members } = await createGroup(call);
    await sendMembershipNotices(call, call.actor, {
      group: { id, name },
      affected: members,
      action: 'added you to',
    });
    return { group_id: id };
  },

  update: updateGroup,
  deactivate: deactivateGroup,

  async updateMembers(call) {
    const { actor, realm, db } = call;
    const { user_group_id, add, delete: remove, add_subgroups, delete_subgroups } = call.params;
    if ([add, remove, add_subgroups, delete_subgroups].every(({ length }) => length === 0))
      throw badRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      );
    const { group, added, removed } = await changeContent(call, actor, {
      id: user_group_id,
      add,
      remove,
      addSubgroups: add_subgroups,
      removeSubgroups: delete_subgroups,
    });
    if (group.deactivated) return {};
    const affected = await users.byIds(db, realm.id, removed);
    await sendMembershipNotices(call, actor, { group, affected: added, action: 'added you to' });
    await sendMembershipNotices(call, actor, { group, affected, action: 'removed you from' });
    return {};
  },

  async updateSubgroups(call) {
    const { actor, params } = call;
    if (params.add.length + params.delete.length === 0)
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    await changeContent(call, actor, {
      id: params.user_group_id,
      add: [],
      remove: [],
      addSubgroups: params.add,
      removeSubgroups: params.delete,
    });
    return {};
  },

  async members({ user, realm, params, db }) {
    const group = await groupRows.groupRow(db, realm.id, params.user_group_id);
    const ids = await memberIds(db, group, { direct: params.direct_member_only });
    const visible = await visibleByIds(db, { realm, viewer: user }, ids);
    return { members: visible.map(({ id }) => id) };
  },

  async isMember({ user, realm, params, db }) {
    const group = await groupRows.groupRow(db, realm.id, params.user_group_id);
    const [found] = await visibleByIds(db, { realm, viewer: user }, [params.user_id]);
    if (!found) throw badRequest('No such user');
    const ids = await memberIds(db, group, { direct: params.direct_member_only });
    return { is_user_group_member: ids.includes(found.id) };
  },

  async subgroups({ realm, params, db }) {
    const group = await groupRows.groupRow(db, realm.id, params.user_group_id);
    if (params.direct_subgroup_only)
      return { subgroups: (await groupRows.contentOf(db, group)).subgroups };
    const ids = await groupRows.withSubgroups(db, realm.id, [group.id]);
    return { subgroups: ids.filter((id) => id !== group.id) };
  },
};

export const userGroups: Resource<'userGroups'> = {
  handlers,
  state: {
    realm_user_groups: async ({ db, realm, user, params }) => ({
      realm_user_groups: await visibleGroups(
        db,
        { realm, viewer: user },
        params.client_capabilities,
      ),
    }),
  },
  presenters: () => ({ user_group: presentUserGroup }),
  jobs: () => [announceFullMembersOfAll],
};

/** The active users in a group; `direct` leaves out the members of its subgroups. */
async function memberIds(
  db: Db,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
  { direct }: { readonly direct: boolean },
): Promise<UserId[]> {
  if (direct) return (await groupRecords(db, realm_id, [id])).flatMap(({ members }) => members);
  return queries.membersOf(db, realm_id, [id]);
}
