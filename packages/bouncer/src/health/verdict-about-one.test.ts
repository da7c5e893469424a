import { TokenKind } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startPushTest, type TestDevice } from '../doors/push-test.fixture.ts';
import { sendersOf } from './senders.fixture.ts';

const { bouncer, notifyAll, addDevice, addDevices, requestsTo, arrival } = await startPushTest();
const { simulator, clock } = bouncer;
const { unused } = sendersOf(bouncer.config);

beforeEach(async () => {
  await sql`update device set expired_at = now() where expired_at is null`.execute(bouncer.kysely);
  await bouncer.restart(unused());
});
/** A retry that outlives its test would try out a pause of the next test. */
afterEach(async () => {
  simulator.faults.clear();
  await bouncer.stop();
  await sql`delete from job`.execute(bouncer.kysely);
  await bouncer.start();
});

const outcomesOf = async (kind: TokenKind, ...devices: readonly TestDevice[]) =>
  (await notifyAll(kind, ...devices)).outcomes.map(({ outcome }) => outcome);
const answerOne = (kind: TokenKind, { token }: TestDevice, fault: Fault) =>
  simulator.faults.add({ provider: kind, match: { token }, fault });
interface Fault {
  readonly status: number;
  readonly reason: string;
  readonly retry_after?: number;
}
const alarmsAfter = (count: number) =>
  bouncer
    .errors()
    .slice(count)
    .map(({ alarm }) => alarm);

const answers: readonly (readonly [TokenKind, Fault])[] = [
  ['webpush', { status: 401, reason: 'unauthorized' }],
  ['webpush', { status: 403, reason: 'forbidden' }],
  ['webpush', { status: 429, reason: 'too_many_requests', retry_after: 300 }],
  ['webpush', { status: 503, reason: 'unavailable', retry_after: 300 }],
  ['apns', { status: 403, reason: 'InvalidProviderToken' }],
  ['apns', { status: 403, reason: 'Forbidden' }],
  ['apns', { status: 403, reason: 'ExpiredProviderToken' }],
  ['apns', { status: 429, reason: 'TooManyRequests', retry_after: 300 }],
  ['apns', { status: 429, reason: 'TooManyProviderTokenUpdates' }],
  ['apns', { status: 400, reason: 'TopicDisallowed' }],
  ['apns', { status: 400, reason: 'BadDeviceToken' }],
  ['apns', { status: 503, reason: 'ServiceUnavailable' }],
  ['fcm', { status: 401, reason: 'UNAUTHENTICATED' }],
  ['fcm', { status: 403, reason: 'PERMISSION_DENIED' }],
  ['fcm', { status: 403, reason: 'SENDER_ID_MISMATCH' }],
  ['fcm', { status: 404, reason: 'NOT_FOUND' }],
  ['fcm', { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 300 }],
  ['fcm', { status: 503, reason: 'UNAVAILABLE' }],
];

describe.each(answers)('%s answers one device with %o', (kind, fault) => {
  test('one refused device delays no notification of other devices and raises no alarm', async () => {
    const [one, ...others] = await addDevices(kind, 4);
    if (!one) throw new Error('no device');
    answerOne(kind, one, fault);
    const before = bouncer.errors().length;
    expect(await outcomesOf(kind, one)).not.toEqual(['accepted']);
    expect(await outcomesOf(kind, ...others)).toEqual(Array<string>(3).fill('accepted'));
    clock.offsetMs += 30_000;
    await outcomesOf(kind, one);
    expect(await outcomesOf(kind, ...others)).toEqual(Array<string>(3).fill('accepted'));
    // An app that has accepted nothing doubts a device that is called dead: decision 46.
    expect(alarmsAfter(before).filter((alarm) => alarm !== 'dead_tokens')).toEqual([]);
  });
});

test.each([401, 403])(
  'a browser whose key its push service answers with %d is skipped for an hour if others were accepted',
  async (status) => {
    const [one, other] = [await addDevice('webpush'), await addDevice('webpush')];
    answerOne('webpush', one, { status, reason: 'forbidden' });
    const { outcomes } = await notifyAll('webpush', other);
    expect(outcomes).toMatchObject([{ outcome: 'accepted' }]);
    expect((await notifyAll('webpush', one)).outcomes).toMatchObject([
      {
        outcome: 'quarantined',
        reason: expect.stringContaining(`${status}: forbidden: `),
        register_again: true,
      },
    ]);
    const before = requestsTo(one).length;
    expect((await notifyAll('webpush', one)).outcomes).toMatchObject([
      { outcome: 'quarantined', register_again: true },
    ]);
    expect(requestsTo(one).length).toBe(before);
  },
);

test.each(['apns', 'fcm'] as const)(
  'a phone of %s that is refused three times, while others are accepted, is skipped for an hour',
  async (kind) => {
    const [one, other] = [await addDevice(kind), await addDevice(kind)];
    answerOne(kind, one, { status: 403, reason: 'Forbidden' });
    await notifyAll(kind, one);
    const ended = async () =>
      (
        await sql`select 1 from push_outcome where device_id = ${one.deviceId}
        and outcome = 'quarantined'`.execute(bouncer.kysely)
      ).rows.length;
    await notifyAll(kind, other);
    await expect
      .poll(
        async () => {
          clock.offsetMs += 61_000;
          await notifyAll(kind, other);
          return ended();
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    expect(requestsTo(one).length).toBeGreaterThanOrEqual(3);
  },
);

test.each(['apns', 'fcm', 'webpush'] as const)(
  'two devices of %s whose credentials are not accepted any more wait for the repair, with an alarm',
  async (kind) => {
    const devices = await addDevices(kind, 2);
    expect(await outcomesOf(kind, ...devices)).toEqual(['accepted', 'accepted']);
    const before = bouncer.errors().length;
    simulator.faults.add({ provider: kind, fault: { status: 403, reason: 'Forbidden' } });
    clock.offsetMs += 61_000;
    await outcomesOf(kind, ...devices);
    const attempts = () => Math.min(...devices.map((device) => requestsTo(device).length));
    await expect
      .poll(
        async () => {
          clock.offsetMs += 61_000;
          return attempts();
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBeGreaterThanOrEqual(5);
    expect(alarmsAfter(before)).toContain('credentials');
    let arrived = false;
    const arrivals = Promise.all(devices.map(arrival)).then(() => (arrived = true));
    simulator.faults.clear();
    // An attempt that was under way waits once more after it.
    await expect
      .poll(
        () => {
          clock.offsetMs += 61_000;
          return arrived;
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBe(true);
    await arrivals;
  },
);

test('three browsers that are refused, and nobody accepted, pause their push service with one alarm', async () => {
  const before = bouncer.errors().length;
  simulator.faults.add({ provider: 'webpush', fault: { status: 403, reason: 'forbidden' } });
  const devices = await addDevices('webpush', 4);
  for (const device of devices.slice(0, 2)) await notifyAll('webpush', device);
  expect(alarmsAfter(before)).toEqual([]);
  await notifyAll('webpush', ...devices.slice(2, 3));
  expect(alarmsAfter(before)).toEqual(['credentials']);
  await notifyAll('webpush', ...devices);
  expect(requestsTo(devices[3] as TestDevice)).toEqual([]);
  simulator.faults.clear();
  const arrivals = Promise.all(devices.map(arrival));
  clock.offsetMs += 61_000;
  await arrivals;
  await expect.poll(() => bouncer.logged()).toContain('Web Push accepts notifications again');
});

test('the only browser of a push service raises the alarm, and holds up no browser that comes later', async () => {
  const before = bouncer.errors().length;
  const one = await addDevice('webpush');
  answerOne('webpush', one, { status: 403, reason: 'forbidden' });
  expect(await outcomesOf('webpush', one)).toEqual(['queued']);
  expect(alarmsAfter(before)).toEqual(['credentials']);
  expect(await outcomesOf('webpush', await addDevice('webpush'))).toEqual(['accepted']);
});

test('the only phone of an app that a Firebase project serves beside others raises no alarm', async () => {
  const before = bouncer.errors().length;
  const one = await addDevice('fcm', { android_app_id: 'org.example.rare' });
  await addDevices('fcm', 3);
  answerOne('fcm', one, { status: 403, reason: 'PERMISSION_DENIED' });
  // The check at the start counts as accepted for a minute.
  clock.offsetMs += 61_000;
  expect(await outcomesOf('fcm', one)).toEqual(['queued']);
  expect(alarmsAfter(before)).toEqual([]);
});

test('credentials that a provider ceases to accept pause it a minute later, with an alarm', async () => {
  const devices = await addDevices('webpush', 5);
  expect(await outcomesOf('webpush', ...devices)).toEqual(Array<string>(5).fill('accepted'));
  const before = bouncer.errors().length;
  simulator.faults.add({ provider: 'webpush', fault: { status: 403, reason: 'forbidden' } });
  clock.offsetMs += 61_000;
  expect(await outcomesOf('webpush', ...devices)).toEqual(Array<string>(5).fill('queued'));
  expect(alarmsAfter(before)).toEqual(['credentials']);
});
