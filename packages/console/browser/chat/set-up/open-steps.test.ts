import { INITIAL_REALM_NAME, type InitialState, roles } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { openSteps } from './open-steps.ts';

const OWNER = 1;
const person = (user_id: number, role: number, is_bot = false) => ({ user_id, role, is_bot });
const stateOf = (state: object) => state as unknown as InitialState;
const fresh = {
  realm_name: INITIAL_REALM_NAME,
  realm_users: [person(OWNER, roles.owner)],
  realm_bots: [],
  subscriptions: [],
};

test('the owner of a new server has all steps before them', () => {
  expect(openSteps(stateOf(fresh), OWNER)).toEqual(['name', 'channel', 'people', 'bot']);
});

test('a step is done by another name, a channel that somebody else has made, a second person, an active bot', () => {
  const bots = [person(2, roles.member, true)];
  const open = (change: object) => openSteps(stateOf({ ...fresh, ...change }), OWNER);
  expect(open({ realm_name: 'Lovelace & Co' })).not.toContain('name');
  expect(open({ never_subscribed: [{ stream_id: 1 }] })).not.toContain('channel');
  expect(open({ realm_users: [...fresh.realm_users, ...bots] })).toContain('people');
  expect(open({ realm_users: [...fresh.realm_users, person(3, roles.member)] })).not.toContain(
    'people',
  );
  expect(open({ realm_bots: [{ is_active: false }] })).toContain('bot');
  expect(open({ realm_bots: [{ is_active: true }] })).not.toContain('bot');
});

test('a moderator and somebody whom the state does not know have no steps', () => {
  const realm_users = [person(OWNER, roles.moderator)];
  expect(openSteps(stateOf({ ...fresh, realm_users }), OWNER)).toEqual([]);
  expect(openSteps(stateOf(fresh), 9)).toEqual([]);
});
