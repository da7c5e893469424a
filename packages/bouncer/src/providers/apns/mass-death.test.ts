import { expect, test } from 'vitest';

import type { Verdict } from '../verdict.ts';
import { MassDeath } from './mass-death.ts';

const bad: Verdict = { kind: 'dead', reason: 'BadDeviceToken' };
const gone: Verdict = { kind: 'dead', reason: 'Unregistered' };
const good: Verdict = { kind: 'accepted' };
const times = (count: number, act: () => Verdict) => Array.from({ length: count }, act).at(-1);

test('stops believing that most tokens are bad', () => {
  const guard = new MassDeath(() => 0);
  expect(times(50, () => guard.doubt(bad))).toEqual(bad);
  expect(guard.doubt(bad).kind).toBe('config_error');
  expect(times(100, () => guard.doubt(gone))).toEqual(gone);
});

test('believes it while most are accepted', () => {
  const guard = new MassDeath(() => 0);
  times(1_000, () => guard.doubt(good));
  expect(times(500, () => guard.doubt(bad))).toEqual(bad);
});

test('stays careful until things have changed', () => {
  let time = 0;
  const guard = new MassDeath(() => time);
  times(60, () => guard.doubt(bad));
  time = 301_000;
  expect(guard.doubt(bad).kind).toBe('config_error');
  times(100, () => guard.doubt(good));
  expect(guard.doubt(bad)).toEqual(bad);
  time = 700_000;
  expect(times(50, () => guard.doubt(bad))).toEqual(bad);
});
