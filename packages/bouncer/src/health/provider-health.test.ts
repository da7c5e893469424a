import { TokenKind } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';

import { startPushTest } from '../doors/push-test.fixture.ts';
import { pushRequests } from '../test-bouncer.fixture.ts';
import { sendersOf } from './senders.fixture.ts';

const {
  bouncer,
  notify,
  notifyAll,
  addDevice,
  addDevices,
  received,
  requestsTo,
  arrival,
  retriesTo,
  prove,
} = await startPushTest();
const { simulator, clock } = bouncer;

const { refused, unused, apns, senders } = sendersOf(bouncer.config);
const alarms = () => bouncer.errors().map(({ alarm }) => alarm);
/** A retry that outlives its test would try out a pause, or take a deletion, of the next test. */
afterEach(async () => {
  simulator.faults.clear();
  await bouncer.stop();
  await sql`delete from job`.execute(bouncer.kysely);
  await bouncer.start();
});

describe.each(TokenKind.options)('credentials that %s does not accept', (kind) => {
  test('keep every notification until the configuration is repaired, and alarm once', async () => {
    const before = bouncer.errors().length;
    await bouncer.restart(refused(kind));
    const devices = await addDevices(kind, 5);
    for (const device of devices)
      expect(await notifyAll(kind, device)).toMatchObject({
        apple_successfully_sent_count: 0,
        android_successfully_sent_count: 0,
        delete_device_ids: [],
        outcomes: [{ outcome: 'queued', reason: expect.any(String), until: expect.any(Number) }],
      });
    expect(alarms().slice(before)).toEqual(['credentials']);
    const arrivals = Promise.all(devices.map(arrival));
    await bouncer.restart();
    clock.offsetMs += 100_000;
    await arrivals;
    for (const device of devices) expect(received(device)).toHaveLength(1);
  });

  test('get no request during a pause, and one after it', async () => {
    await bouncer.restart(refused(kind));
    const devices = await addDevices(kind, 10);
    const tokenRequests = () =>
      simulator.journal.requests().filter(({ provider }) => provider === 'oauth').length;
    const requests = () =>
      tokenRequests() + devices.reduce((sum, device) => sum + requestsTo(device).length, 0);
    await notifyAll(kind, ...devices.slice(0, 3));
    const before = requests();
    await notifyAll(kind, ...devices);
    expect(requests()).toBe(before);
    clock.offsetMs += 11_000;
    await notifyAll(kind, ...devices);
    expect(requests() - before).toBeLessThanOrEqual(2);
  });
});

test('an alarm is repeated at the start of a bouncer with the same credentials', async () => {
  const wrong = refused('apns');
  await bouncer.restart(wrong);
  await notifyAll('apns', await addDevice('apns'));
  const before = bouncer.errors().length;
  await bouncer.restart(wrong);
  expect(alarms().slice(before)).toEqual(['credentials']);
});

test('an alarm ends with an accepted notification, and a later start does not repeat it', async () => {
  const fault = { status: 403, reason: 'InvalidProviderToken' };
  const good = unused();
  await bouncer.restart(good);
  clock.offsetMs += 61_000;
  const devices = await addDevices('apns', 3);
  const before = bouncer.errors().length;
  simulator.faults.add({ provider: 'apns', times: 3, fault });
  const arrived = Promise.all(devices.map(arrival));
  await notifyAll('apns', ...devices);
  expect(alarms().slice(before)).toEqual(['credentials']);
  clock.offsetMs += 30_000;
  await arrived;
  await expect.poll(() => bouncer.logged()).toContain('APNs accepts notifications again');
  const since = bouncer.errors().length;
  await bouncer.restart(good);
  expect(alarms().slice(since)).toEqual([]);
});

test('a 429 that three phones get pauses FCM for all its phones, and only FCM', async () => {
  await bouncer.restart(unused());
  const firsts = await addDevices('fcm', 3);
  const second = await addDevice('fcm');
  const iphone = await addDevice('apns');
  const fault = { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 30 };
  simulator.faults.add({ provider: 'fcm', times: 3, fault });
  await notifyAll('fcm', ...firsts);
  await notifyAll('fcm', second);
  expect(requestsTo(second)).toEqual([]);
  expect((await notifyAll('apns', iphone)).apple_successfully_sent_count).toBe(1);
  await bouncer.restart(unused());
  const arrivals = Promise.all([...firsts, second].map(arrival));
  clock.offsetMs += 60_000;
  await arrivals;
});

test('the first notification accepted after a pause lets the others go at once', async () => {
  await bouncer.restart(unused());
  const devices = await addDevices('fcm', 6);
  const fault = { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 480 };
  simulator.faults.add({ provider: 'fcm', times: 3, fault });
  await notifyAll('fcm', ...devices.slice(0, 3));
  expect((await notifyAll('fcm', ...devices.slice(3))).android_successfully_sent_count).toBe(0);
  const arrivals = Promise.all(devices.map(arrival));
  clock.offsetMs += 490_000;
  const fresh = await addDevice('fcm');
  expect((await notifyAll('fcm', fresh)).android_successfully_sent_count).toBe(1);
  const acceptedAt = performance.now();
  await arrivals;
  expect(performance.now() - acceptedAt).toBeLessThan(15_000);
});

test('each further pause of an overloaded provider is longer', async () => {
  await bouncer.restart(unused());
  const fault = { status: 429, reason: 'QUOTA_EXCEEDED' };
  simulator.faults.add({ provider: 'fcm', fault });
  /** Has a pause begin. Returns between which numbers of seconds it is long. */
  await notifyAll('fcm', ...(await addDevices('fcm', 2)));
  const pause = async () => {
    const device = await addDevice('fcm');
    const before = bouncer.now() / 1_000;
    const { outcomes } = await notifyAll('fcm', device);
    const retryAt = outcomes[0]?.retry_at ?? 0;
    const length = { least: retryAt - bouncer.now() / 1_000, most: retryAt - before };
    clock.offsetMs += 600_000;
    return length;
  };
  const [first, second, third] = [await pause(), await pause(), await pause()];
  expect(first.most).toBeGreaterThan(58);
  expect(second.most).toBeGreaterThanOrEqual(first.least);
  expect(third.most).toBeGreaterThan(second.least + 30);
});

test.each([
  [400, 'TopicDisallowed'],
  [400, 'BadTopic'],
  [400, 'DeviceTokenNotForTopic'],
])(
  'an ios_app_id of another team (%d %s) is skipped for an hour, without alarm or pause',
  async (status, reason) => {
    await prove();
    const [foreign, own] = [await addDevice('apns'), await addDevice('apns')];
    const { token } = foreign;
    simulator.faults.add({ provider: 'apns', match: { token }, fault: { status, reason } });
    const before = bouncer.errors().length;
    expect(await notifyAll('apns', foreign, own)).toMatchObject({
      apple_successfully_sent_count: 1,
      delete_device_ids: [],
      outcomes: [
        { device_id: foreign.deviceId, outcome: 'quarantined', reason },
        { outcome: 'accepted' },
      ],
    });
    expect(bouncer.errors().length).toBe(before);
  },
);

test('a notification for a provider without credentials is not queued, and the answer says so', async () => {
  await bouncer.restart({ senders: { ...senders({ apns }).senders, fcm: [] } });
  const [iphone, android] = [await addDevice('apns'), await addDevice('fcm')];
  expect(await notify(pushRequests.apns(iphone), pushRequests.fcm(android))).toMatchObject({
    apple_successfully_sent_count: 1,
    outcomes: [
      { outcome: 'accepted' },
      {
        device_id: android.deviceId,
        outcome: 'configuration',
        reason: expect.stringContaining('BELLHOP_BOUNCER_FCM_ACCOUNT'),
      },
    ],
  });
  expect(await retriesTo(android)).toEqual([]);
});
