import { expect, test } from 'vitest';

import type { InitialState } from '../initial-state.ts';
import { after } from '../state.fixture.ts';
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
