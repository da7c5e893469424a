import { TokenKind } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { readApnsRefusal } from './apns/apns-verdicts.ts';
import { readFcmRefusal } from './fcm/fcm-verdicts.ts';
import { judgeBy } from './provider-verdict.ts';
import { providers } from './providers.ts';
import { readWebPushRefusal } from './webpush/webpush-verdicts.ts';

const now = Date.UTC(2026, 0, 1);
const answer = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const apns = (status: number, body: unknown, { attempt = 0, headers = {} } = {}) =>
  judgeBy(providers.apns.verdicts)(readApnsRefusal(answer(status, body, headers), now), attempt);
const fcm = (status: number, body: unknown, { attempt = 0, headers = {} } = {}) =>
  judgeBy(providers.fcm.verdicts)(readFcmRefusal(answer(status, body, headers), now), attempt);
const webpush = (status: number, body: string) =>
  judgeBy(providers.webpush.verdicts)(
    readWebPushRefusal({ status, headers: {}, body: Buffer.from(body) }, now),
    0,
  );
const fcmError = (errorCode: string, ...details: object[]) => ({
  error: {
    status: 'X',
    details: [...details, { '@type': 'type.googleapis.com/...FcmError', errorCode }],
  },
});
const badField = (field: string) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field, description: '' }],
});
const rules = (kind: TokenKind) =>
  Object.entries(providers[kind].verdicts.byReason).map(([reason, rule]) => ({
    reason,
    kind: rule.kind,
  }));

test.each(rules('apns'))('APNs reason $reason is $kind', ({ reason, kind }) => {
  expect(apns(400, { reason })).toMatchObject({ kind, reason });
});

test.each(rules('fcm'))('FCM code $reason is $kind', ({ reason, kind }) => {
  expect(fcm(400, fcmError(reason))).toMatchObject({ kind, reason });
});

test('only answers about the token itself are dead', () => {
  const dead = (kind: TokenKind) =>
    rules(kind).flatMap((rule) => (rule.kind === 'dead' ? [rule.reason] : []));
  expect(dead('apns')).toEqual(['Unregistered', 'ExpiredToken', 'BadDeviceToken']);
  expect(dead('fcm')).toEqual(['UNREGISTERED']);
  expect(fcm(404, { error: { status: 'NOT_FOUND' } }).kind).toBe('config_error');
  expect(fcm(404, '<html>').kind).toBe('config_error');
  expect(fcm(400, 'nonsense').kind).toBe('rejected');
  expect(apns(400, '').kind).toBe('rejected');
  expect(apns(404, { reason: 'constructor' }).kind).toBe('rejected');
});

test.each([
  ['APNs', 401, apns(401, ''), 'config_error'],
  ['APNs', 403, apns(403, '<html>'), 'config_error'],
  ['APNs', 410, apns(410, ''), 'dead'],
  ['APNs', 429, apns(429, ''), 'retry'],
  ['APNs', 500, apns(500, 'oops'), 'retry'],
  ['FCM', 401, fcm(401, ''), 'config_error'],
  ['FCM', 429, fcm(429, ''), 'overloaded'],
  ['FCM', 502, fcm(502, '<html>'), 'retry'],
])(
  '%s status %d without a known code has the verdict of its status',
  (_name, _status, verdict, kind) => {
    expect(verdict.kind).toBe(kind);
  },
);

test.each([
  ['Apple', JSON.stringify({ reason: 'VapidPkHashMismatch' })],
  ['Google', '<HTML><HEAD><TITLE>UnauthorizedRegistration</TITLE></HEAD></HTML>'],
])('a 400 of %s about the key of a subscription is about the credentials', (_who, body) => {
  expect(webpush(400, body).kind).toBe('config_error');
  expect(webpush(400, 'Bad Request').kind).toBe('rejected');
});

test.each([408, 421, 425])('status %d is temporary at every provider', (status) => {
  for (const verdict of [apns(status, ''), fcm(status, ''), webpush(status, '')])
    expect(verdict).toMatchObject({ kind: 'retry', after: 1 });
});

test('an FCM answer of any form is read, and its code is short', () => {
  const odd = { error: { status: 'X'.repeat(100_000), details: [null, 7, 'text', []] } };
  expect(fcm(503, odd)).toMatchObject({ kind: 'retry', reason: '…' });
  expect(fcm(403, { error: { status: 5, message: {} } })).toMatchObject({ reason: 'status 403' });
});

test('FCM INVALID_ARGUMENT is dead only if it names the field message.token', () => {
  const about = (field: string) => fcm(400, fcmError('INVALID_ARGUMENT', badField(field)));
  expect(about('message.token').kind).toBe('dead');
  expect(about('message.data').kind).toBe('rejected');
  expect(fcm(400, { error: { details: [badField('message.token')] } }).kind).toBe('dead');
});

test('a dead APNs token carries the timestamp of the answer', () => {
  expect(apns(410, { reason: 'Unregistered', timestamp: 12_345 })).toEqual({
    kind: 'dead',
    reason: 'Unregistered',
    since: 12_345,
  });
});

test('a retry waits for Retry-After, or else for the delay of its attempt', () => {
  const waits = (headers = {}) =>
    [0, 1, 5].map((attempt) => fcm(503, fcmError('UNAVAILABLE'), { attempt, headers }));
  expect(waits()).toMatchObject([{ after: 1 }, { after: 2 }, { after: 32 }]);
  expect(waits({ 'retry-after': '70' })).toMatchObject(Array(3).fill({ after: 70 }));
  expect(fcm(429, fcmError('QUOTA_EXCEEDED'))).toMatchObject({ after: 60 });
  expect(apns(503, { reason: 'ServiceUnavailable' }, { attempt: 1 })).toMatchObject({
    kind: 'retry',
    after: 900,
  });
});

test.each(['0', '0.001', 'Sat, 21 Nov 2020 10:00:00 GMT', '-5', 'soon', '1e3', ''])(
  'Retry-After %j is lengthened: 1 s for the first retry, at least 60 s for the seventh',
  (header) => {
    const headers = { 'retry-after': header };
    for (const [attempt, shortest] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      const verdict = fcm(503, fcmError('UNAVAILABLE'), { attempt, headers });
      expect('after' in verdict && verdict.after).toBeGreaterThanOrEqual(shortest);
      expect('after' in verdict && verdict.after).toBeLessThanOrEqual(120);
    }
  },
);

test.each(['86400', '99999999999999999999', 'Sun, 01 Jan 2040 10:00:00 GMT'])(
  'Retry-After %s is shortened to 15 minutes',
  (header) => {
    const headers = { 'retry-after': header };
    for (const verdict of [
      fcm(503, fcmError('UNAVAILABLE'), { headers }),
      fcm(429, fcmError('QUOTA_EXCEEDED'), { headers }),
      apns(429, { reason: 'TooManyRequests' }, { headers }),
    ])
      expect(verdict).toMatchObject({ after: 900 });
  },
);

test.each(['0', '5', '59.9', 'Sat, 21 Nov 2020 10:00:00 GMT'])(
  'Retry-After %s of an FCM quota is lengthened to a minute',
  (header) => {
    const headers = { 'retry-after': header };
    const device = { '@type': 'QuotaFailure', violations: [{ subject: 'device' }] };
    const longer = { headers: { 'retry-after': '61' } };
    expect(fcm(429, fcmError('QUOTA_EXCEEDED'), { headers })).toMatchObject({ after: 60 });
    expect(fcm(429, fcmError('QUOTA_EXCEEDED', device), { headers })).toMatchObject({ after: 60 });
    expect(fcm(429, fcmError('QUOTA_EXCEEDED'), longer)).toMatchObject({ after: 61 });
  },
);

test('FCM QUOTA_EXCEEDED is about the project, unless its QuotaFailure names a device or topic', () => {
  const quota = (subject: string) =>
    fcm(429, fcmError('QUOTA_EXCEEDED', { '@type': 'QuotaFailure', violations: [{ subject }] }));
  expect(quota('device').kind).toBe('retry');
  expect(quota('topic:news').kind).toBe('retry');
  expect(quota('project:device-shop').kind).toBe('overloaded');
  expect(fcm(429, fcmError('QUOTA_EXCEEDED')).kind).toBe('overloaded');
});

test('an FCM 401 is about the access token unless it has a code', () => {
  const read = (body: unknown) => readFcmRefusal(answer(401, body), now).isUnauthenticated;
  expect(read('<html>no</html>')).toBe(true);
  expect(read(fcmError('THIRD_PARTY_AUTH_ERROR'))).toBe(false);
});
