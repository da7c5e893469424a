import type { FaultRule } from '@bellhop/push-simulator';

const HOUR_MS = 3_600_000;

/** The faults of the push providers and the phones during one round of a crash test. */
export interface FaultRound {
  readonly faults?: readonly FaultRule[];
  /** How far the clocks of the providers are ahead. */
  readonly clockAheadMs?: number;
  /** How many phones are uninstalled at once. */
  readonly uninstalled?: number;
  /** How many of the uninstalled phones come back, with the same token. */
  readonly reinstalled?: number;
}

/** The same fault of APNs and FCM. */
const both = (fault: FaultRule['fault'], times: number): FaultRule[] =>
  (['apns', 'fcm'] as const).map((provider) => ({ provider, fault, times }));

const answers = {
  tooMany: { status: 429, reason: 'TooManyRequests', retry_after: 1 },
  quota: { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 1 },
  apnsDown: { status: 503, reason: 'ServiceUnavailable', retry_after: 1 },
  fcmDown: { status: 503, reason: 'UNAVAILABLE', retry_after: 1 },
  expired: { status: 403, reason: 'ExpiredProviderToken' },
} as const;

/** Every answer comes a little late, so that a kill finds notifications under way. */
export const underWay: readonly FaultRule[] = (['apns', 'fcm'] as const).map((provider) => ({
  provider,
  fault: { slow_ms: 30 },
}));

/** Used in turn. What takes longest to recover from comes first. */
export const faultRounds: readonly FaultRound[] = [
  { uninstalled: 20 },
  { clockAheadMs: 2 * HOUR_MS },
  { faults: [{ provider: 'fcm', fault: answers.quota, times: 1 }], reinstalled: 10 },
  { faults: both('goaway', 5) },
  { faults: both('refuse_stream', 20), uninstalled: 20 },
  { faults: both('reset', 20), reinstalled: 10 },
  { clockAheadMs: -2 * HOUR_MS },
  { faults: [{ provider: 'apns', fault: answers.tooMany, times: 20 }] },
  { faults: both('silent', 6) },
  { faults: both('disconnect', 3), uninstalled: 20 },
  { faults: both('lost_answer', 10), reinstalled: 10 },
  {
    faults: [
      { provider: 'apns', fault: answers.apnsDown, times: 5 },
      { provider: 'fcm', fault: answers.fcmDown, times: 10 },
    ],
  },
  { faults: both('freeze', 1) },
  { faults: both('goaway_after_answer', 5) },
  { faults: [{ provider: 'oauth', fault: { status: 503, reason: 'unavailable' }, times: 1 }] },
  { faults: both({ slow_ms: 4_500 }, 4) },
  { faults: [{ provider: 'apns', fault: answers.expired, times: 1 }] },
  { faults: [...both('goaway', 5), ...both('refuse_stream', 5), ...both('reset', 5)] },
  { faults: both('html_401', 1) },
  {},
];
