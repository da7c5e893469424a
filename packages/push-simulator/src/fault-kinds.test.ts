import { expect, test } from 'vitest';

import { faultKinds, faultOf, UnknownFault } from './fault-kinds.ts';
import { type FaultProvider, FaultRule } from './faults.ts';

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
