import { expect, test } from 'vitest';

import type { InitialState } from '../../api/initial-state.ts';
import { after, listed, self, user } from '../../api/state.fixture.ts';

const before: InitialState = {
  realm_users: [listed(10), listed(12)],
  realm_non_active_users: [listed(13)],
  cross_realm_bots: [],
  user_id: self,
  full_name: 'User 10',
  email: 'u10@x.com',
  is_admin: false,
  is_owner: false,
  is_moderator: false,
  is_guest: false,
};
const update = (person: object) => ({ type: 'realm_user', op: 'update', person });

test('users are added in the order of their IDs, deactivated ones to realm_non_active_users', () => {
  const state = after(
    before,
    { type: 'realm_user', op: 'add', person: user(11, { profile_data: {} }) },
    { type: 'realm_user', op: 'add', person: user(9, { is_active: false }) },
  );
  expect(state.realm_users).toEqual([listed(10), listed(11, { profile_data: {} }), listed(12)]);
  expect(state.realm_non_active_users).toEqual([listed(9), listed(13)]);
});

test('a realm_user remove event removes the user from both lists', () => {
  const remove = { type: 'realm_user', op: 'remove', person: { user_id: 12, full_name: '' } };
  expect(after(before, remove)).toEqual({ ...before, realm_users: [listed(10)] });
});

test('deactivation and reactivation move a user between the two lists', () => {
  const gone = after(before, update({ user_id: 12, is_active: false }));
  expect(gone.realm_users).toEqual([listed(10)]);
  expect(gone.realm_non_active_users).toEqual([listed(12), listed(13)]);
  expect(after(gone, update({ user_id: 12, is_active: true }))).toEqual(before);
  expect(after(before, update({ user_id: 99, is_active: true }))).toEqual(before);
});

test("an update of another user changes their record, not the owner's account", () => {
  const state = after(
    before,
    update({ user_id: 12, full_name: 'New', email: undefined }),
    update({ user_id: 12, role: 200 }),
    update({ user_id: 12, new_email: 'new@x.com' }),
    update({
      user_id: 12,
      avatar_url: '/n',
      avatar_version: 2,
      avatar_source: 'U',
      avatar_url_medium: '/m',
    }),
  );
  const changes = {
    full_name: 'New',
    role: 200,
    is_admin: true,
    email: 'new@x.com',
    avatar_url: '/n',
    avatar_version: 2,
  };
  expect(state).toEqual({ ...before, realm_users: [listed(10), listed(12, changes)] });
});

test("an update of the owner of the state also changes the owner's account at the top level", () => {
  const state = after(
    before,
    update({ user_id: 10, role: 100 }),
    update({ user_id: 10, full_name: 'Me', new_email: 'me@x.com' }),
    update({ user_id: 10, avatar_source: 'U', avatar_url: '/a', avatar_url_medium: '/m' }),
    update({ user_id: 10, delivery_email: 'real@x.com' }),
  );
  const changes = { full_name: 'Me', email: 'me@x.com', is_owner: true, is_admin: true };
  expect(state).toEqual({
    ...before,
    ...changes,
    delivery_email: 'real@x.com',
    avatar_source: 'U',
    avatar_url: '/a',
    avatar_url_medium: '/m',
    realm_users: [
      listed(10, { ...changes, role: 100, avatar_url: '/a', delivery_email: 'real@x.com' }),
      listed(12),
    ],
  });
  expect(after(state, update({ user_id: 10, role: 300 }))).toMatchObject({
    is_owner: false,
    is_admin: false,
    is_moderator: true,
  });
});

test('an update sets or removes a custom profile field', () => {
  const field = (value: string | null) => ({
    user_id: 12,
    custom_profile_field: { id: 4, value, ...(value ? { rendered_value: '<p>x</p>' } : {}) },
  });
  const state = after(before, update(field('x')));
  const profile_data = { '4': { value: 'x', rendered_value: '<p>x</p>' } };
  expect(state.realm_users?.[1]).toEqual(listed(12, { profile_data }));
  expect(after(state, update(field(null))).realm_users?.[1]?.profile_data).toEqual({});
});
