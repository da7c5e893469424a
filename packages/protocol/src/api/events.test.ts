import { expect, test } from 'vitest';

import { isRequestedType } from './events.ts';

test('a queue gets the event types that it requests, or all if it names none', () => {
  expect(isRequestedType('message', ['message', 'typing'])).toBe(true);
  expect(isRequestedType('message', ['typing'])).toBe(false);
  expect(isRequestedType('message', null)).toBe(true);
});

test('a queue that requests realm_user_groups gets user_group events', () => {
  expect(isRequestedType('user_group', ['realm_user_groups'])).toBe(true);
  expect(isRequestedType('message', ['realm_user_groups'])).toBe(false);
});
