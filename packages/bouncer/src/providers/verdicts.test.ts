import { expect, test } from 'vitest';

import { apnsRules, judgeApns } from './apns/apns-verdicts.ts';
import { fcmRules, judgeFcm } from './fcm/fcm-verdicts.ts';

const now = Date.UTC(2026, 0, 1);
const answer = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const apns = (status: number, body: unknown, { attempt = 0, headers = {} } = {}) =>
  judgeApns(answer(status, body, headers), attempt, now);
const fcm = (status: number, body: unknown, { attempt = 0, headers = {} } = {}) =>
  judgeFcm(answer(status, body, headers), attempt, now);
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

test.each(Object.entries(apnsRules))('APNs %s has the verdict of the table', (reason, { kind }) => {
  expect(apns(400, { reason }).verdict).toMatchObject({ kind, reason });
});

test.each(Object.entries(fcmRules))('FCM %s has the verdict of the table', (code, { kind }) => {
  expect(fcm(400, fcmError(code)).verdict).toMatchObject({ kind, reason: code });
});

test('only what says so of the token itself is dead', () => {
  const isDead = (rules: object) =>
    Object.entries(rules).flatMap(([reason, rule]) => (rule.kind === 'dead' ? [reason] : []));
  expect(isDead(apnsRules)).toEqual(['Unregistered', 'ExpiredToken', 'BadDeviceToken']);
  expect(isDead(fcmRules)).toEqual(['UNREGISTERED']);
  expect(fcm(404, { error: { status: 'NOT_FOUND' } }).verdict.kind).toBe('config_error');
  expect(fcm(404, '<html>').verdict.kind).toBe('config_error');
  expect(fcm(400, 'nonsense').verdict.kind).toBe('rejected');
  expect(apns(400, '').verdict.kind).toBe('rejected');
  expect(apns(404, { reason: 'constructor' }).verdict.kind).toBe('rejected');
});

test('FCM: an invalid argument is about the token only if the field says so', () => {
  const about = (field: string) => fcm(400, fcmError('INVALID_ARGUMENT', badField(field))).verdict;
  expect(about('message.token').kind).toBe('dead');
  expect(about('message.data').kind).toBe('rejected');
  expect(fcm(400, { error: { details: [badField('message.token')] } }).verdict.kind).toBe('dead');
});

test('APNs: a dead token comes with the time it was noticed', () => {
  expect(apns(410, { reason: 'Unregistered', timestamp: 12_345 }).verdict).toEqual({
    kind: 'dead',
    reason: 'Unregistered',
    since: 12_345,
  });
});

test('waits as long as the provider asks, else ever longer', () => {
  const waits = (headers = {}) =>
    [0, 1, 5].map((attempt) => fcm(503, fcmError('UNAVAILABLE'), { attempt, headers }).verdict);
  expect(waits()).toMatchObject([{ after: 1 }, { after: 2 }, { after: 32 }]);
  expect(waits({ 'retry-after': '7' })).toMatchObject([{ after: 7 }, { after: 7 }, { after: 7 }]);
  expect(fcm(429, fcmError('QUOTA_EXCEEDED')).verdict).toMatchObject({ after: 60 });
  expect(apns(503, { reason: 'ServiceUnavailable' }, { attempt: 1 }).verdict).toMatchObject({
    kind: 'retry',
    after: 900,
  });
  expect(apns(500, 'oops').verdict.kind).toBe('retry');
});

test('says what to do about our own credentials', () => {
  expect(apns(403, { reason: 'ExpiredProviderToken' }).first).toBe('renew_token');
  expect(apns(429, { reason: 'TooManyProviderTokenUpdates' }).first).toBe('retire_connection');
  expect(fcm(401, '<html>no</html>').unauthenticated).toBe(true);
  expect(fcm(401, fcmError('THIRD_PARTY_AUTH_ERROR')).unauthenticated).toBe(false);
});
