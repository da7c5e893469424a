import { beforeEach, expect, test } from 'vitest';

import { loginLimit, type LoginLimit } from './login-limit.ts';

let now = 0;
let limit: LoginLimit;
beforeEach(() => {
  limit = loginLimit([{ count: 5, seconds: 1800 }], () => now);
});

const name = '1 hamlet@chat.test';
const wrong = async () => false;
const right = async () => true;
const limited = { code: 'RATE_LIMIT_HIT' };

/** 5 wrong passwords from each of 20 addresses. */
async function guessFromManyAddresses() {
  for (let at = 0; at < 20; at++)
    for (let guess = 0; guess < 5; guess++)
      await limit.check({ name, address: `203.0.113.${at}` }, wrong);
}

test('guesses from many addresses lock out strangers, but no address from which the user has logged in', async () => {
  const home = '198.51.100.7';
  await limit.check({ name, address: home }, right);
  await guessFromManyAddresses();
  await expect(limit.check({ name, address: '192.0.2.1' }, right)).rejects.toMatchObject(limited);
  expect(await limit.check({ name, address: home }, right)).toBe(true);
  now += 1_800_000;
  expect(await limit.check({ name, address: '192.0.2.1' }, right)).toBe(true);
});

test('an attempt whose check fails with an error does not count', async () => {
  const broken = () => Promise.reject(new Error('no database'));
  for (let at = 0; at < 10; at++)
    await expect(limit.check({ name, address: 'a' }, broken)).rejects.toThrow('no database');
  expect(await limit.check({ name, address: 'a' }, right)).toBe(true);
});

test('an attempt in progress counts towards the limit', async () => {
  const pending = Promise.withResolvers<boolean>();
  const attempts = Array.from({ length: 5 }, () =>
    limit.check({ name, address: 'a' }, () => pending.promise),
  );
  await expect(limit.check({ name, address: 'a' }, right)).rejects.toMatchObject(limited);
  pending.resolve(true);
  expect(await Promise.all(attempts)).toEqual([true, true, true, true, true]);
  expect(await limit.check({ name, address: 'a' }, right)).toBe(true);
});
