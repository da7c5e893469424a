import { expect, test } from 'vitest';

import type { InitialState } from '../../api/initial-state.ts';
import { after, self } from '../../api/state.fixture.ts';
import { UserGroupId } from '../../values/ids.ts';
import type { UserGroup } from './user-group.ts';

const group = (id: number, ...members: number[]) => ({ id, members }) as unknown as UserGroup;
const before: InitialState = { realm_user_groups: [group(1, 10, 12), group(2)] };
const event = (op: string, ...user_ids: number[]) => ({
  type: 'user_group',
  op,
  group_id: 1,
  user_ids,
});

test('members are added once in the order of their IDs, and removed', () => {
  const more = after(before, event('add_members', 11, 12));
  expect(more.realm_user_groups).toEqual([group(1, 10, 11, 12), group(2)]);
  expect(after(more, event('remove_members', 10, 99)).realm_user_groups).toEqual([
    group(1, 11, 12),
    group(2),
  ]);
});

test('a user who joins a group that a realm setting names has its permission in the state, a guest has not', () => {
  const nested = { id: 2, members: [], direct_subgroup_ids: [1] } as unknown as UserGroup;
  const member: InitialState = {
    user_id: self,
    is_guest: false,
    can_invite_others_to_realm: false,
    realm_can_invite_users_group: UserGroupId.parse(2),
    realm_user_groups: [group(1), nested],
  };
  const joins = event('add_members', self);
  expect(after(member, joins).can_invite_others_to_realm).toBe(true);
  expect(after(member, joins, event('remove_members', self)).can_invite_others_to_realm).toBe(
    false,
  );
  expect(after({ ...member, is_guest: true }, joins).can_invite_others_to_realm).toBe(false);
});
