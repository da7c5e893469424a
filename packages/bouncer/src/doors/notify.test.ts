import { stringifyJson, TokenKind } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { pushRequests, type TestServer } from '../test-bouncer.fixture.ts';
import { codeOf, sendInTime, startPushTest } from './push-test.fixture.ts';

const { bouncer, server, notify, notifyAll, addDevice, addDevices, received, requestsTo, prove } =
  await startPushTest();

test('an iPhone receives the payload unchanged, an Android phone receives text values', async () => {
  const iphone = await addDevice('apns');
  const android = await addDevice('fcm');
  expect(await notify(pushRequests.apns(iphone), pushRequests.fcm(android))).toMatchObject({
    apple_successfully_sent_count: 1,
    android_successfully_sent_count: 1,
    delete_device_ids: [],
    realm_push_status: { can_push: true, expected_end_timestamp: null },
  });
  expect(received(iphone)).toMatchObject([
    {
      topic: 'org.bellhop.phone',
      push_type: 'alert',
      priority: 10,
      body: stringifyJson(pushRequests.apns(iphone).payload),
    },
  ]);
  expect(received(android)).toMatchObject([
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
  expect(received(foreign)).toEqual([]);
});

test('a notification in the form of another kind of device fails alone, and the answer says so', async () => {
  const [iphone, android] = [await addDevice('apns'), await addDevice('fcm')];
  expect(await notify(pushRequests.fcm(android), pushRequests.fcm(iphone))).toMatchObject({
    android_successfully_sent_count: 1,
    delete_device_ids: [],
    outcomes: [
      { device_id: android.deviceId, outcome: 'accepted' },
      {
        device_id: iphone.deviceId,
        outcome: 'refused',
        reason: expect.stringContaining('registered with the bouncer as apns'),
      },
    ],
  });
  expect([received(android), received(iphone)]).toMatchObject([{ length: 1 }, { length: 0 }]);
});

test('an accepted notification carries the ID that the provider gave it', async () => {
  const [iphone, android] = [await addDevice('apns'), await addDevice('fcm')];
  const answer = await notify(pushRequests.apns(iphone), pushRequests.fcm(android));
  const [first, second] = answer.outcomes;
  expect(first).toMatchObject({ outcome: 'accepted', provider_id: first?.push_id });
  expect(received(iphone)).toMatchObject([{ apns_id: first?.push_id }]);
  expect(second).toMatchObject({
    outcome: 'accepted',
    provider_id: expect.stringMatching(/^projects\/.+\/messages\/.+/),
  });
});

test('an item that cannot be used fails alone, and its outcome names the field', async () => {
  const device = await addDevice('fcm');
  const good = pushRequests.fcm(device);
  const broken: readonly [unknown, string][] = [
    [{ ...good, fcm_priority: 'urgent' }, 'fcm_priority'],
    [{ ...good, payload: { encrypted_data: 'YQ==' } }, 'payload.push_account_id'],
    [{ device_id: device.deviceId, payload: good.payload }, 'http_headers (for APNs)'],
    [{ ...good, device_id: 'seven' }, 'device_id'],
  ];
  const requests = [...broken.map(([item]) => item), good] as (typeof good)[];
  const answer = await notify(...requests);
  expect(answer.android_successfully_sent_count).toBe(1);
  expect(answer.delete_device_ids).toEqual([]);
  expect(answer.outcomes).toMatchObject([
    ...broken.map(([, field]) => ({
      outcome: 'refused',
      reason: expect.stringContaining(field),
    })),
    { outcome: 'accepted' },
  ]);
  expect(answer.outcomes.map(({ device_id }) => device_id)).toEqual([
    ...Array(3).fill(device.deviceId),
    null,
    device.deviceId,
  ]);
  expect(received(device)).toHaveLength(1);
});

test('the answer names fields that the bouncer does not know, and the notification is sent', async () => {
  const [iphone, android] = [await addDevice('apns'), await addDevice('fcm')];
  const apns = pushRequests.apns(iphone);
  const requests = [
    { ...apns, color: 'red', http_headers: { ...apns.http_headers, apns_sound: 'ping' } },
    { ...pushRequests.fcm(android), fcm_color: 'red' },
  ];
  expect((await notify(...requests)).outcomes).toMatchObject([
    { outcome: 'accepted', ignored_fields: ['color', 'http_headers.apns_sound'] },
    { outcome: 'accepted', ignored_fields: ['fcm_color'] },
  ]);
});

test.each(TokenKind.options)(
  'a dead %s token is reported, not tried again, and works once registered again',
  async (kind) => {
    await prove();
    const device = await addDevice(kind);
    const request = pushRequests[kind](device);
    bouncer.clock.offsetMs += 1_000;
    bouncer.simulator.uninstall(device.token);
    expect(await notify(request)).toMatchObject({
      delete_device_ids: [device.deviceId],
      outcomes: [
        { outcome: 'dead', provider: kind, reason: expect.stringMatching(/unregistered|410/i) },
      ],
    });
    const before = requestsTo(device).length;
    expect((await notify(request)).delete_device_ids).toEqual([device.deviceId]);
    expect(requestsTo(device)).toHaveLength(before);
    bouncer.simulator.addDevice({ kind, token: device.token });
    expect(await device.register()).toMatchObject({ device_id: device.deviceId });
    expect((await notify(request)).delete_device_ids).toEqual([]);
    expect(received(device)).toHaveLength(1);
  },
);

test('an APNs token that died before its registration is not deleted', async () => {
  const device = await addDevice('apns');
  bouncer.simulator.faults.add({
    provider: 'apns',
    times: 1,
    fault: { status: 410, reason: 'Unregistered', timestamp: bouncer.now() - 60_000 },
  });
  expect((await notify(pushRequests.apns(device))).delete_device_ids).toEqual([]);
  expect((await notify(pushRequests.apns(device))).apple_successfully_sent_count).toBe(1);
});

test('the other notifications of a batch are sent if one token is dead', async () => {
  const devices = await addDevices('fcm', 10);
  const [first] = devices;
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(first?.token ?? '');
  expect(await notifyAll('fcm', ...devices)).toMatchObject({
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
  const { device, answer } = await sendInTime(async () => {
    const device = await addDevice(kind);
    const request = pushRequests[kind](device);
    await notify(request);
    bouncer.simulator.faults.add({ provider: kind, times: 1, fault });
    const started = performance.now();
    const answer = await notify(request);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(answer.delete_device_ids).toEqual([]);
    return { device, answer };
  });
  expect(answer.apple_successfully_sent_count + answer.android_successfully_sent_count).toBe(1);
  expect(received(device)).toHaveLength(2);
});

test('a lost answer of APNs leads to a second delivery with the same apns_id', async () => {
  const device = await addDevice('apns');
  bouncer.simulator.faults.add({ provider: 'apns', times: 1, fault: 'lost_answer' });
  expect((await notify(pushRequests.apns(device))).apple_successfully_sent_count).toBe(1);
  const [first, second] = received(device);
  expect(second).toMatchObject({ apns_id: first?.kind === 'apns' ? first.apns_id : '' });
});

test.each(TokenKind.options)('150 notifications arrive despite ten faults of %s', async (kind) => {
  const devices = await addDevices(kind, 150);
  const { answer } = await sendInTime(async () => {
    bouncer.simulator.faults.clear();
    for (const fault of ['goaway', 'refuse_stream', 'disconnect', 'reset', 'goaway'] as const)
      bouncer.simulator.faults.add({ provider: kind, times: 2, fault });
    return { answer: await notifyAll(kind, ...devices) };
  });
  expect(answer.outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(150);
  for (const device of devices) expect(received(device).length).toBeGreaterThanOrEqual(1);
});

test('a batch of 500 notifications is delivered; of 501 nothing is sent', async () => {
  const { devices, requests, answer } = await sendInTime(async () => {
    const devices = await addDevices('apns', 10);
    const requests = Array.from({ length: 50 }, () =>
      devices.map((device) => pushRequests.apns(device)),
    ).flat();
    return { devices, requests, answer: await notify(...requests) };
  });
  const count = () => devices.reduce((sum, device) => sum + received(device).length, 0);
  expect(answer.apple_successfully_sent_count).toBe(500);
  expect(count()).toBe(500);
  const tooMany = notify(...requests, ...requests.slice(0, 1));
  await expect(tooMany).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('500'),
    data: { var_name: 'push_requests' },
  });
  expect(count()).toBe(500);
});

test('a provider that answers 503 with Retry-After 0, 1.5, -5 or a past date gets at most 4 requests for a push', async () => {
  const headers = ['0', '1.5', '-5', 'Sat, 21 Nov 2020 10:00:00 GMT'];
  const requests = async (retry_after: string) => {
    const device = await addDevice('fcm');
    const { token } = device;
    const fault = { status: 503, reason: 'UNAVAILABLE', retry_after };
    bouncer.simulator.faults.add({ provider: 'fcm', match: { token }, fault });
    await notify(pushRequests.fcm(device));
    return requestsTo(device).length;
  };
  let counts = await Promise.all(headers.map(requests));
  // On a busy machine no time may be left for a second attempt.
  for (let tries = 1; tries < 5 && Math.min(...counts) === 1; tries++)
    counts = await Promise.all(headers.map(requests));
  for (const count of counts) {
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(4);
  }
});

test('a notification too large for its provider is dropped, and its device is kept', async () => {
  const iphone = await addDevice('apns');
  const android = await addDevice('fcm');
  const tooMuch = 'x'.repeat(4_100);
  expect(
    await notify(pushRequests.apns(iphone, tooMuch), pushRequests.fcm(android, tooMuch)),
  ).toMatchObject({
    apple_successfully_sent_count: 0,
    android_successfully_sent_count: 0,
    delete_device_ids: [],
    outcomes: [
      { device_id: iphone.deviceId, outcome: 'refused', reason: 'PayloadTooLarge' },
      { device_id: android.deviceId, outcome: 'refused', reason: 'message too large' },
    ],
  });
});

test('a token of another app is skipped for an hour and kept', async () => {
  const device = await addDevice('apns');
  const fault = { status: 400, reason: 'DeviceTokenNotForTopic' };
  bouncer.simulator.faults.add({ provider: 'apns', times: 1, fault });
  const until = Math.floor(bouncer.now() / 1_000) + 3_600;
  for (let times = 0; times < 2; times++) {
    const { delete_device_ids, outcomes } = await notify(pushRequests.apns(device));
    expect(delete_device_ids).toEqual([]);
    expect(outcomes).toMatchObject([{ outcome: 'quarantined' }]);
    expect(Math.abs((outcomes[0]?.until ?? 0) - until)).toBeLessThan(10);
  }
  expect(received(device)).toEqual([]);
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
  const device = await addDevice('apns');
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(device.token);
  await notify(pushRequests.apns(device, 'U29tZSBjaXBoZXJ0ZXh0'));
  const log = bouncer.logged();
  expect(log).toContain('"kind":"dead"');
  for (const secret of [device.token, 'U29tZSBjaXBoZXJ0ZXh0', server.key])
    expect(log).not.toContain(secret);
});
