import type { Fault } from '@bellhop/push-simulator';

import type { PhoneKind } from '../../support/push-server.ts';

/** The behaviour of a provider while a burst of notifications is sent. */
export interface FaultCase {
  readonly name: string;
  /** How many requests it happens to; all by default. */
  readonly times?: number;
  /** Undefined: the provider refuses connections for two seconds. */
  readonly fault: Readonly<Record<PhoneKind, Fault>> | undefined;
}

const same = (fault: Fault) => ({ apns: fault, fcm: fault });

export const faultCases: readonly FaultCase[] = [
  { name: 'GOAWAY', times: 2, fault: same('goaway') },
  { name: 'refused stream', times: 10, fault: same('refuse_stream') },
  { name: 'reset', times: 10, fault: same('reset') },
  { name: 'answer lost after delivery', times: 10, fault: same('lost_answer') },
  { name: 'silence', times: 10, fault: same('silent') },
  {
    name: '429, Retry-After: 1',
    times: 10,
    fault: {
      apns: { status: 429, reason: 'TooManyRequests', retry_after: 1 },
      fcm: { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 1 },
    },
  },
  {
    name: '503, Retry-After: 1',
    times: 10,
    fault: {
      apns: { status: 503, reason: 'ServiceUnavailable', retry_after: 1 },
      fcm: { status: 503, reason: 'UNAVAILABLE', retry_after: 1 },
    },
  },
  {
    name: 'expired token of the provider',
    times: 10,
    fault: {
      apns: { status: 403, reason: 'ExpiredProviderToken' },
      fcm: { status: 401, reason: 'UNAUTHENTICATED' },
    },
  },
  { name: 'connection refused for 2 s', fault: undefined },
  {
    name: 'every token called dead',
    fault: {
      apns: { status: 410, reason: 'Unregistered' },
      fcm: { status: 404, reason: 'UNREGISTERED' },
    },
  },
];
