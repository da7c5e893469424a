import { expect, test } from 'vitest';

import { authenticator } from './authenticator.ts';
import { createBot } from './create-bot.ts';

const one = createBot({ email: 'One-Bot@chat.test', token: ['old', 'new'] });
const two = createBot({ email: 'two-bot@chat.test', token: 'two' });
const { byEmail: authenticate, byToken } = authenticator([one, two]);

test('every live token of a bot is its own, and nobody else’s', () => {
  expect(authenticate('one-bot@chat.test', 'old')).toBe(one);
  expect(authenticate('ONE-bot@chat.test', 'new')).toBe(one);
  expect(authenticate('two-bot@chat.test', 'two')).toBe(two);
  expect(authenticate('two-bot@chat.test', 'old')).toBeUndefined();
  expect(authenticate('two-bot@chat.test', '')).toBeUndefined();
  expect(authenticate('one-bot@chat.test', 'old ')).toBeUndefined();
});

test.each(['', '__proto__', 'three-bot@chat.test'])('nobody is %j', (email) => {
  expect(authenticate(email, 'old')).toBeUndefined();
  expect(authenticate(email, '')).toBeUndefined();
});

test('nobody to serve, and one address twice, are refused', () => {
  expect(() => authenticator([])).toThrow('at least one bot');
  const again = createBot({ email: 'one-bot@CHAT.test', token: 'x' });
  expect(() => authenticator([one, again])).toThrow('the same e-mail');
});

test('where no address is told, the token alone says which bot it is', () => {
  expect(byToken('new')).toBe(one);
  expect(byToken('two')).toBe(two);
  expect(byToken('three')).toBeUndefined();
});

test('others are looked up, and their tokens checked', async () => {
  const tenant = createBot({ email: 'tenant-bot@chat.test', token: 'tenant' });
  const asked: string[] = [];
  const { byEmail } = authenticator([one], async (email) => {
    asked.push(email);
    return email === tenant.email ? tenant : undefined;
  });
  expect(await byEmail('tenant-bot@chat.test', 'tenant')).toBe(tenant);
  expect(await byEmail('tenant-bot@chat.test', 'wrong')).toBeUndefined();
  expect(await byEmail('nobody@chat.test', 'tenant')).toBeUndefined();
  expect(byEmail('one-bot@chat.test', 'old')).toBe(one);
  expect(asked).toEqual(['tenant-bot@chat.test', 'tenant-bot@chat.test', 'nobody@chat.test']);
});
