import { expect, test } from 'vitest';

import { authenticator } from './authenticator.ts';
import { createBot } from './create-bot.ts';

const one = createBot({ email: 'One-Bot@chat.test', token: ['old', 'new'] });
const two = createBot({ email: 'two-bot@chat.test', token: 'two' });
const { byEmail, byToken } = authenticator([one, two]);

test('byEmail accepts every token of a bot and refuses tokens of other bots', async () => {
  expect(await byEmail('one-bot@chat.test', 'old')).toBe(one);
  expect(await byEmail('ONE-bot@chat.test', 'new')).toBe(one);
  expect(await byEmail('two-bot@chat.test', 'two')).toBe(two);
  expect(await byEmail('two-bot@chat.test', 'old')).toBeUndefined();
  expect(await byEmail('two-bot@chat.test', '')).toBeUndefined();
  expect(await byEmail('one-bot@chat.test', 'old ')).toBeUndefined();
});

test.each(['', '__proto__', 'three-bot@chat.test'])(
  'byEmail finds no bot for %j',
  async (email) => {
    expect(await byEmail(email, 'old')).toBeUndefined();
    expect(await byEmail(email, '')).toBeUndefined();
  },
);

test('authenticator throws without bots and on two bots with one address', () => {
  expect(() => authenticator([])).toThrow('at least one bot');
  const again = createBot({ email: 'one-bot@CHAT.test', token: 'x' });
  expect(() => authenticator([one, again])).toThrow('the same e-mail');
});

test('byToken finds the bot of a token', () => {
  expect(byToken('new')).toBe(one);
  expect(byToken('two')).toBe(two);
  expect(byToken('three')).toBeUndefined();
});

test('byEmail resolves an unknown address and checks the token of the resolved bot', async () => {
  const tenant = createBot({ email: 'tenant-bot@chat.test', token: 'tenant' });
  const resolved: string[] = [];
  const tenants = authenticator([one], async (email) => {
    resolved.push(email);
    return email === tenant.email ? tenant : undefined;
  });
  expect(await tenants.byEmail('tenant-bot@chat.test', 'tenant')).toBe(tenant);
  expect(await tenants.byEmail('tenant-bot@chat.test', 'wrong')).toBeUndefined();
  expect(await tenants.byEmail('nobody@chat.test', 'tenant')).toBeUndefined();
  expect(await tenants.byEmail('one-bot@chat.test', 'old')).toBe(one);
  expect(resolved).toEqual(['tenant-bot@chat.test', 'tenant-bot@chat.test', 'nobody@chat.test']);
});
