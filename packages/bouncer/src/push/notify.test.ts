import { ApiError, stringifyJson, TokenKind } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import {
  pushRequests,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
let server: TestServer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  server = await bouncer.addServer();
});
beforeEach(() => {
  bouncer.simulator.faults.clear();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const notify = (
  ...push_requests: Parameters<TestServer['client']['push']['notify']>[0]['push_requests']
) => server.client.push.notify({ realm_uuid: server.realmUuid, push_requests });
const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('There is no such value');
  return value;
};
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );

test('an iPhone receives the payload unchanged, an Android phone receives text values', async () => {
  const iphone = await bouncer.addDevice(server, 'apns');
  const android = await bouncer.addDevice(server, 'fcm');
  expect(await notify(pushRequests.apns(iphone), pushRequests.fcm(android))).toMatchObject({
    apple_successfully_sent_count: 1,
    android_successfully_sent_count: 1,
    delete_device_ids: [],
    realm_push_status: { can_push: true, expected_end_timestamp: null },
  });
  expect(bouncer.simulator.devices.received(iphone.token)).toMatchObject([
    {
      topic: 'org.bellhop.phone',
      push_type: 'alert',
      priority: 10,
      body: stringifyJson(pushRequests.apns(iphone).payload),
    },
  ]);
  expect(bouncer.simulator.devices.received(android.token)).toMatchObject([
    {
      priority: 'high',
      data: { push_account_id: String(android.pushAccountId), encrypted_data: 'c2VjcmV0' },
    },
  ]);
});

test('delete_device_ids lists unknown devices and devices of other realms', async () => {
  const other = await bouncer.addServer();
  const foreign = await bouncer.addDevice(other, 'fcm');
  const answer = await notify(
    pushRequests.fcm(foreign),
    pushRequests.fcm({ deviceId: 987_654, pushAccountId: 1n }),
  );
  expect(answer).toMatchObject({
    android_successfully_sent_count: 0,
    delete_device_ids: [foreign.deviceId, 987_654],
  });
  expect(bouncer.simulator.devices.received(foreign.token)).toEqual([]);
});

test('a request for the wrong kind of device is rejected, and nothing of the batch is sent', async () => {
  const iphone = await bouncer.addDevice(server, 'apns');
  const android = await bouncer.addDevice(server, 'fcm');
  expect(await codeOf(notify(pushRequests.fcm(android), pushRequests.fcm(iphone)))).toBe(
    'BAD_REQUEST',
  );
  expect(bouncer.simulator.devices.received(android.token)).toEqual([]);
});

test.each(TokenKind.options)(
  'a dead %s token is reported, not tried again, and works once registered again',
  async (kind) => {
    const device = await bouncer.addDevice(server, kind);
    const request = pushRequests[kind](device);
    bouncer.clock.offsetMs += 1_000;
    bouncer.simulator.uninstall(device.token);
    expect((await notify(request)).delete_device_ids).toEqual([device.deviceId]);
    const requests = () =>
      bouncer.simulator.journal.requests().filter(({ token }) => token === device.token).length;
    const before = requests();
    expect((await notify(request)).delete_device_ids).toEqual([device.deviceId]);
    expect(requests()).toBe(before);
    bouncer.simulator.addDevice({ kind, token: device.token });
    expect(await device.register()).toMatchObject({ device_id: device.deviceId });
    expect((await notify(request)).delete_device_ids).toEqual([]);
    expect(bouncer.simulator.devices.received(device.token)).toHaveLength(1);
  },
);

test('an APNs token that died before its registration is not deleted', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  bouncer.simulator.faults.add({
    provider: 'apns',
    times: 1,
    fault: { status: 410, reason: 'Unregistered', timestamp: bouncer.now() - 60_000 },
  });
  expect((await notify(pushRequests.apns(device))).delete_device_ids).toEqual([]);
  expect((await notify(pushRequests.apns(device))).apple_successfully_sent_count).toBe(1);
});

test('the other notifications of a batch are sent if one token is dead', async () => {
  const devices = await Promise.all(
    Array.from({ length: 10 }, () => bouncer.addDevice(server, 'fcm')),
  );
  const [first] = devices;
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(first?.token ?? '');
  expect(await notify(...devices.map((device) => pushRequests.fcm(device)))).toMatchObject({
    android_successfully_sent_count: 9,
    delete_device_ids: [first?.deviceId],
  });
});

test.each([
  ['apns', 'goaway'],
  ['apns', 'refuse_stream'],
  ['apns', 'reset'],
  ['apns', 'disconnect'],
  ['apns', 'freeze'],
  ['apns', { status: 503, reason: 'ServiceUnavailable', retry_after: 1 }],
  ['fcm', 'silent'],
  ['fcm', 'goaway'],
  ['fcm', 'reset'],
  ['fcm', 'html_401'],
  ['fcm', { status: 503, reason: 'UNAVAILABLE', retry_after: 1 }],
] as const)('a notification arrives despite the %s fault %o', async (kind, fault) => {
  const device = await bouncer.addDevice(server, kind);
  const request = pushRequests[kind](device);
  await notify(request);
  bouncer.simulator.faults.add({ provider: kind, times: 1, fault });
  const started = performance.now();
  const answer = await notify(request);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(answer.apple_successfully_sent_count + answer.android_successfully_sent_count).toBe(1);
  expect(answer.delete_device_ids).toEqual([]);
  expect(bouncer.simulator.devices.received(device.token)).toHaveLength(2);
});

test('a lost answer of APNs leads to a second delivery with the same apns_id', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  bouncer.simulator.faults.add({ provider: 'apns', times: 1, fault: 'lost_answer' });
  expect((await notify(pushRequests.apns(device))).apple_successfully_sent_count).toBe(1);
  const [first, second] = bouncer.simulator.devices.received(device.token);
  expect(second).toMatchObject({ apns_id: first?.kind === 'apns' ? first.apns_id : '' });
});

test.each(TokenKind.options)('150 notifications arrive despite ten faults of %s', async (kind) => {
  const devices = await Promise.all(
    Array.from({ length: 150 }, () => bouncer.addDevice(server, kind)),
  );
  for (const fault of ['goaway', 'refuse_stream', 'disconnect', 'reset', 'goaway'] as const)
    bouncer.simulator.faults.add({ provider: kind, times: 2, fault });
  const requests = devices.map((device) => pushRequests[kind](device));
  const answer = await notify(...requests);
  expect(answer.apple_successfully_sent_count + answer.android_successfully_sent_count).toBe(150);
  for (const { token } of devices)
    expect(bouncer.simulator.devices.received(token).length).toBeGreaterThanOrEqual(1);
});

test('a batch of 500 notifications is delivered; of 501 nothing is sent', async () => {
  const devices = await Promise.all(
    Array.from({ length: 10 }, () => bouncer.addDevice(server, 'apns')),
  );
  const received = () =>
    devices.reduce((sum, { token }) => sum + bouncer.simulator.devices.received(token).length, 0);
  const requests = Array.from({ length: 50 }, () =>
    devices.map((device) => pushRequests.apns(device)),
  ).flat();
  expect((await notify(...requests)).apple_successfully_sent_count).toBe(500);
  expect(received()).toBe(500);
  const tooMany = notify(...requests, pushRequests.apns(must(devices[0])));
  await expect(tooMany).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('500'),
    data: { var_name: 'push_requests' },
  });
  expect(received()).toBe(500);
});

test('a provider that answers 503 with Retry-After 0, 1.5, -5 or a past date gets at most 4 requests for a push', async () => {
  const headers = ['0', '1.5', '-5', 'Sat, 21 Nov 2020 10:00:00 GMT'];
  const requests = async (retry_after: string) => {
    const device = await bouncer.addDevice(server, 'fcm');
    const { token } = device;
    const fault = { status: 503, reason: 'UNAVAILABLE', retry_after };
    bouncer.simulator.faults.add({ provider: 'fcm', match: { token }, fault });
    await notify(pushRequests.fcm(device));
    return bouncer.simulator.journal.requests().filter((one) => one.token === token).length;
  };
  for (const count of await Promise.all(headers.map(requests))) {
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(4);
  }
});

test('a notification too large for its provider is dropped, and its device is kept', async () => {
  const iphone = await bouncer.addDevice(server, 'apns');
  const android = await bouncer.addDevice(server, 'fcm');
  const tooMuch = 'x'.repeat(4_100);
  expect(
    await notify(pushRequests.apns(iphone, tooMuch), pushRequests.fcm(android, tooMuch)),
  ).toMatchObject({
    apple_successfully_sent_count: 0,
    android_successfully_sent_count: 0,
    delete_device_ids: [],
  });
});

test('a token of another app is skipped for an hour and kept', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  const fault = { status: 400, reason: 'DeviceTokenNotForTopic' };
  bouncer.simulator.faults.add({ provider: 'apns', times: 1, fault });
  for (let times = 0; times < 2; times++)
    expect(await notify(pushRequests.apns(device))).toMatchObject({
      apple_successfully_sent_count: 0,
      delete_device_ids: [],
    });
  expect(bouncer.simulator.devices.received(device.token)).toEqual([]);
  bouncer.clock.offsetMs += 3_601_000;
  expect((await notify(pushRequests.apns(device))).apple_successfully_sent_count).toBe(1);
});

test('notify rejects realms that may not push, are unknown or belong to another server', async () => {
  const owner = await bouncer.addServer();
  const ask = (by: TestServer, realm_uuid: string) =>
    codeOf(by.client.push.notify({ realm_uuid, push_requests: [] }));
  expect(await ask(owner, owner.realmUuid)).toBe('success');
  expect(await ask(server, owner.realmUuid)).toBe('REMOTE_REALM_SERVER_MISMATCH_ERROR');
  expect(await ask(owner, owner.serverUuid)).toBe('MISSING_REMOTE_REALM');
  await bouncer.kysely
    .updateTable('remote_realm')
    .set({ can_push: false })
    .where('realm_uuid', '=', owner.realmUuid)
    .execute();
  expect(await ask(owner, owner.realmUuid)).toBe('PUSH_NOTIFICATIONS_DISALLOWED');
});

test('the log holds no device token, no server key and no content', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(device.token);
  await notify(pushRequests.apns(device, 'U29tZSBjaXBoZXJ0ZXh0'));
  const log = bouncer.logged();
  expect(log).toContain('"kind":"dead"');
  for (const secret of [device.token, 'U29tZSBjaXBoZXJ0ZXh0', server.key])
    expect(log).not.toContain(secret);
});
