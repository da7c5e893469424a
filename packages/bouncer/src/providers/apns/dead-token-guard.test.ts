import { expect, test } from 'vitest';

import type { ProviderVerdict } from '../provider-verdict.ts';
import { DeadTokenGuard } from './dead-token-guard.ts';

const bad: ProviderVerdict = { kind: 'dead', reason: 'BadDeviceToken' };
const gone: ProviderVerdict = { kind: 'dead', reason: 'Unregistered' };
const good: ProviderVerdict = { kind: 'accepted' };
const times = (count: number, act: () => ProviderVerdict) =>
  Array.from({ length: count }, act).at(-1);

test('DeadTokenGuard turns BadDeviceToken into a config_error after 50 of them', () => {
  const guard = new DeadTokenGuard(() => 0);
  expect(times(50, () => guard.check(bad))).toEqual(bad);
  expect(guard.check(bad).kind).toBe('config_error');
  expect(times(100, () => guard.check(gone))).toEqual(gone);
});

test('DeadTokenGuard passes BadDeviceToken on while more notifications are accepted', () => {
  const guard = new DeadTokenGuard(() => 0);
  times(1_000, () => guard.check(good));
  expect(times(500, () => guard.check(bad))).toEqual(bad);
});

test('DeadTokenGuard stays at its threshold in the next window until most are accepted', () => {
  let time = 0;
  const guard = new DeadTokenGuard(() => time);
  times(60, () => guard.check(bad));
  time = 301_000;
  expect(guard.check(bad).kind).toBe('config_error');
  times(100, () => guard.check(good));
  expect(guard.check(bad)).toEqual(bad);
  time = 700_000;
  expect(times(50, () => guard.check(bad))).toEqual(bad);
});
