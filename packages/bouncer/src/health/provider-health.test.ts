import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { TokenKind } from '@bellhop/protocol';
import { newWebPushSubscription } from '@bellhop/push-crypto/web-push';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';

import type { BouncerConfig } from '../bouncer.ts';
import { startPushTest, type TestDevice } from '../push/push-test.fixture.ts';
import { pushRequests } from '../test-bouncer.fixture.ts';
import { ProviderHealth } from './provider-health.ts';

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
} = await startPushTest();
const { simulator, clock } = bouncer;

const { apns, fcm, webpush } = bouncer.config.providers;
if (!apns || !fcm || !webpush) throw new Error('The test bouncer has all providers');
const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
/** Configurations that a provider does not accept. */
const refused: Readonly<Record<TokenKind, () => Partial<BouncerConfig>>> = {
  apns: () => ({ providers: { fcm, webpush, apns: { ...apns, privateKey: newKey() } } }),
  fcm: () => ({
    providers: {
      apns,
      webpush,
      fcm: { ...fcm, account: { ...fcm.account, client_email: 'x@example.com' } },
    },
  }),
  webpush: () => {
    const { private_key: privateKey, p256dh: publicKey } = newWebPushSubscription();
    return { providers: { apns, fcm, webpush: { ...webpush, privateKey, publicKey } } };
  },
};
/** A configuration that has never been used, so that nothing is known about it. */
const unused = (): Partial<BouncerConfig> => ({
  providers: {
    apns: { ...apns, url: `${apns.url}/?${Math.random()}` },
    fcm: { ...fcm, url: `${fcm.url}/?${Math.random()}` },
    webpush: { ...webpush, subject: `https://example.com/${Math.random()}` },
  },
});
const alarms = () => bouncer.errors().map(({ alarm }) => alarm);
/** Waits until no retry of the device is due or running. */
const settled = (device: TestDevice, state: string) =>
  expect.poll(async () => (await retriesTo(device)).map((job) => job.state)).toEqual([state]);

const credentials = { apns: randomBytes(32), fcm: randomBytes(32), webpush: randomBytes(32) };
/** What one of several bouncers on the database knows of the providers. */
const newNode = () =>
  new ProviderHealth({
    kysely: bouncer.kysely,
    credentials,
    log: pino({ level: 'silent' }),
    now: bouncer.now,
  });

/** A retry that outlives its test would try out a pause, or take a deletion, of the next test. */
afterEach(async () => {
  await bouncer.stop();
  await sql`delete from job`.execute(bouncer.kysely);
  await bouncer.start();
});

describe.each(TokenKind.options)('credentials that %s does not accept', (kind) => {
  test('keep every notification until the configuration is repaired, and alarm once', async () => {
    await bouncer.restart(refused[kind]());
    const before = bouncer.errors().length;
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
    await bouncer.restart(refused[kind]());
    const devices = await addDevices(kind, 10);
    const tokenRequests = () =>
      simulator.journal.requests().filter(({ provider }) => provider === 'oauth').length;
    const requests = () =>
      tokenRequests() + devices.reduce((sum, device) => sum + requestsTo(device).length, 0);
    await notifyAll(kind, ...devices.slice(0, 1));
    const before = requests();
    await notifyAll(kind, ...devices);
    expect(requests()).toBe(before);
    clock.offsetMs += 11_000;
    await notifyAll(kind, ...devices);
    expect(requests() - before).toBeLessThanOrEqual(2);
  });
});

test('an alarm is repeated at the start of a bouncer with the same credentials', async () => {
  const wrong = refused.apns();
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
  const device = await addDevice('apns');
  const { token } = device;
  simulator.faults.add({ provider: 'apns', match: { token }, times: 1, fault });
  const arrived = arrival(device);
  await notifyAll('apns', device);
  clock.offsetMs += 30_000;
  await arrived;
  await expect.poll(() => bouncer.logged()).toContain('APNs accepts notifications again');
  const since = bouncer.errors().length;
  await bouncer.restart(good);
  expect(alarms().slice(since)).toEqual([]);
});

test('a 429 of the project pauses FCM for all its phones, and only FCM', async () => {
  await bouncer.restart(unused());
  const [first, second] = [await addDevice('fcm'), await addDevice('fcm')];
  const iphone = await addDevice('apns');
  const fault = { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 30 };
  simulator.faults.add({ provider: 'fcm', times: 1, fault });
  await notifyAll('fcm', first);
  await notifyAll('fcm', second);
  expect(requestsTo(second)).toEqual([]);
  expect((await notifyAll('apns', iphone)).apple_successfully_sent_count).toBe(1);
  await bouncer.restart(unused());
  const arrivals = Promise.all([arrival(first), arrival(second)]);
  clock.offsetMs += 60_000;
  await arrivals;
});

describe('a provider that calls every token dead', () => {
  const faults = {
    apns: [
      { status: 410, reason: 'Unregistered' },
      { status: 400, reason: 'BadDeviceToken' },
    ],
    fcm: [{ status: 404, reason: 'UNREGISTERED' }],
    webpush: [{ status: 410, reason: 'status 410' }],
  } as const;
  const cases = TokenKind.options.flatMap((kind) =>
    faults[kind].map((fault) => ({ kind, fault, reason: fault.reason })),
  );

  test.each(cases)(
    '$kind $reason: 5 of 40 phones are deleted, also after a restart',
    async ({ kind, fault }) => {
      const config = unused();
      await bouncer.restart(config);
      const devices = await addDevices(kind, 40);
      simulator.faults.add({ provider: kind, fault });
      const before = bouncer.errors().length;
      const first = await notifyAll(kind, ...devices.slice(0, 20));
      await bouncer.restart(config);
      const second = await notifyAll(kind, ...devices.slice(20));
      const deleted = [...first.delete_device_ids, ...second.delete_device_ids];
      expect(deleted).toHaveLength(5);
      expect(alarms().slice(before)).toEqual(['dead_tokens', 'dead_tokens']);

      simulator.faults.clear();
      const kept = devices.filter(({ deviceId }) => !deleted.includes(deviceId));
      const arrivals = Promise.all(kept.map(arrival));
      clock.offsetMs += 100_000;
      await arrivals;
    },
  );

  test('two nodes delete 5 phones together, also after each has had 5 notifications accepted', async () => {
    const nodes = [newNode(), newNode()];
    const target = { kind: 'fcm', app: '' } as const;
    const accepted = { kind: 'accepted', providerId: undefined } as const;
    const learn = (node: ProviderHealth, kind: 'accepted' | 'dead') =>
      node.learn(target, kind === 'dead' ? { kind, reason: 'UNREGISTERED' } : accepted, 0);
    const verdicts: string[] = [];
    for (const node of nodes) for (let count = 0; count < 5; count++) await learn(node, 'accepted');
    for (const node of nodes)
      for (let count = 0; count < 10; count++) verdicts.push((await learn(node, 'dead')).kind);
    expect(verdicts.filter((kind) => kind === 'dead')).toHaveLength(5);
  });

  test('the wrong APNs environment deletes 5 of 40 live phones', async () => {
    const sandbox = { fcm, webpush, apns: { ...apns, url: simulator.apns_sandbox_url } };
    await bouncer.restart({ providers: sandbox });
    const devices = await addDevices('apns', 40);
    expect((await notifyAll('apns', ...devices)).delete_device_ids).toHaveLength(5);
  });
});

test('dead phones are deleted among live ones, one for each accepted notification and five more', async () => {
  await bouncer.restart(unused());
  const [live, gone] = [await addDevices('fcm', 10), await addDevices('fcm', 12)];
  clock.offsetMs += 1_000;
  for (const { token } of gone) simulator.uninstall(token);
  await notifyAll('fcm', ...live);
  expect((await notifyAll('fcm', ...gone.slice(0, 5))).delete_device_ids).toHaveLength(5);
  await notifyAll('fcm', ...live);
  expect((await notifyAll('fcm', ...gone.slice(5, 10))).delete_device_ids).toHaveLength(5);
  const [last] = gone.slice(10);
  if (!last) throw new Error('There are 12');
  expect((await notifyAll('fcm', last)).delete_device_ids).toEqual([]);
  await notifyAll('fcm', ...live);
  clock.offsetMs += 100_000;
  await settled(last, 'done');
  expect((await notifyAll('fcm', last)).delete_device_ids).toEqual([last.deviceId]);
});

test.each([
  [400, 'TopicDisallowed'],
  [400, 'BadTopic'],
  [400, 'DeviceTokenNotForTopic'],
])(
  'an ios_app_id of another team (%d %s) is skipped for an hour, without alarm or pause',
  async (status, reason) => {
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
  await bouncer.restart({ providers: { apns, webpush, fcm: undefined } });
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
