import { expect, test } from 'vitest';

import { searchKeys, withAddresses } from './search-text.ts';

const user = (user_id: number, full_name: string) => ({
  user_id,
  full_name,
  email: `user${user_id}@x.org`,
});
const state = {
  realm_users: [user(1, 'Ada Byron'), user(2, 'Bo Berg'), user(3, 'Bo Lind')],
  subscriptions: [{ name: 'general' }, { name: 'on call' }],
} as never;

test.each([
  ['from:ada tea', 'from:user1@x.org tea'],
  ['tea -from:"Ada Byron"', 'tea -from:user1@x.org'],
  ['sender:me is:unread', 'sender:user2@x.org is:unread'],
  ['dm:“Ada”', 'dm:“Ada”'],
  ['from:bo', 'from:bo'],
  ['from:by', 'from:user1@x.org'],
  ['from:lin tea', 'from:user3@x.org tea'],
  ['from:b', 'from:b'],
  ['from:user3@x.org', 'from:user3@x.org'],
  ['topic:ada', 'topic:ada'],
])('the search %j is asked as %j', (typed, asked) => {
  expect(withAddresses(typed, state, 2)).toBe(asked);
});

test('operators have values, channels with a space in quotation marks', () => {
  expect(searchKeys(state)).toMatchObject({
    channel: ['general', '"on call"'],
    from: ['me', 'user1@x.org', 'user2@x.org', 'user3@x.org'],
  });
});
