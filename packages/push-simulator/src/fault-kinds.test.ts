import { expect, expectTypeOf, test } from 'vitest';

import { apnsExplanations } from './apns-explanations.ts';
import type { ApnsReason } from './apns-reasons.ts';
import { type FaultKind, faultKinds, faultOf, UnknownFault } from './fault-kinds.ts';
import { type FaultProvider, FaultRule, namedFaults } from './faults.ts';
import { fcmErrorCodes } from './fcm-errors.ts';
import { webPushErrors } from './webpush-errors.ts';

type ValueOf<T> = T[keyof T];

test('a fault that is not explained does not compile', () => {
  const { BadTopic: _explanation, ...others } = apnsExplanations;
  // @ts-expect-error The explanation of `BadTopic` is missing.
  const unexplained: Readonly<Record<ApnsReason, string>> = others;
  void unexplained;
  expectTypeOf(apnsExplanations).toEqualTypeOf<Readonly<Record<ApnsReason, string>>>();
  expectTypeOf<ValueOf<typeof namedFaults>>().toExtend<string>();
  expectTypeOf<ValueOf<typeof fcmErrorCodes>[3]>().toExtend<string>();
  expectTypeOf<ValueOf<typeof webPushErrors>[1]>().toExtend<string>();
  // @ts-expect-error The kind has no explanation.
  const kind: FaultKind = { kind: 'x', group: 'busy', providers: [], parameters: [] };
  void kind;
  expect(faultKinds.filter(({ explanation }) => explanation.trim() === '')).toEqual([]);
});

const one = faultKinds.flatMap(({ kind, providers }) =>
  providers.map((provider) => ({ provider, kind: kind === '400-599' ? '418' : kind })),
);

test.each(one)('faultOf($provider, $kind) is a fault that the switchboard takes', (entry) => {
  const fault = faultOf(entry.provider, entry.kind);
  expect(FaultRule.safeParse({ provider: entry.provider, fault }).success).toBe(true);
});

test.each<[FaultProvider, string, object, unknown]>([
  [
    'apns',
    'TooManyRequests',
    { retry_after: 7 },
    { status: 429, reason: 'TooManyRequests', retry_after: 7 },
  ],
  ['fcm', 'UNREGISTERED', {}, { status: 404, reason: 'UNREGISTERED' }],
  ['apns', 'goaway', { reason: 'Shutdown' }, { goaway_reason: 'Shutdown' }],
  ['apns', 'slow', { ms: 20 }, { slow_ms: 20 }],
  ['oauth', '503', {}, { status: 503, reason: 'status_503' }],
])('faultOf(%s, %s, %o)', (provider, kind, parameters, fault) => {
  expect(faultOf(provider, kind, parameters)).toEqual(fault);
});

test.each<[FaultProvider, string, object]>([
  ['fcm', 'TooManyRequests', {}],
  ['apns', 'earthquake', {}],
  ['apns', 'reset', { retry_after: 3 }],
  ['apns', 'toString', {}],
])('faultOf(%s, %s, %o) is refused', (provider, kind, parameters) => {
  expect(() => faultOf(provider, kind, parameters)).toThrow(UnknownFault);
});
