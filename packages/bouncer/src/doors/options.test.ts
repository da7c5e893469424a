import { expect, test } from 'vitest';

import { pushRequests } from '../test-bouncer.fixture.ts';
import { startPushTest, type TestDevice } from './push-test.fixture.ts';

const { bouncer, notify, addDevice, received, requestsTo, retriesTo } = await startPushTest();

const toIphone = (device: TestDevice, headers: object) => {
  const request = pushRequests.apns(device);
  return { ...request, http_headers: { ...request.http_headers, ...headers } };
};

test('Apple gets collapse ID, expiration and the topic of the push type', async () => {
  const iphone = await addDevice('apns');
  const expiration = Math.floor(bouncer.now() / 1_000) + 600;
  const { outcomes } = await notify(
    toIphone(iphone, { apns_collapse_id: 'thread 7', apns_expiration: expiration }),
    toIphone(iphone, { apns_push_type: 'voip' }),
    toIphone(iphone, { apns_push_type: 'complication', apns_priority: 5 }),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
  expect(
    received(iphone).map((one) => one.kind === 'apns' && [one.topic, one.collapse_id]),
  ).toEqual(
    expect.arrayContaining([
      ['org.bellhop.phone', 'thread 7'],
      ['org.bellhop.phone.voip', null],
      ['org.bellhop.phone.complication', null],
    ]),
  );
  const headers = requestsTo(iphone).map((request) => request.headers['apns-expiration']);
  expect(headers).toContain(String(expiration));
});

test.each([
  [{ apns_push_type: 'background', apns_priority: 10 }, 'http_headers.apns_priority'],
  [{ apns_push_type: 'background', apns_priority: 1 }, 'http_headers.apns_priority'],
  [{ apns_collapse_id: 'x'.repeat(65) }, 'http_headers.apns_collapse_id'],
  [{ apns_collapse_id: 'a\nb' }, 'http_headers.apns_collapse_id'],
  [{ apns_expiration: -1 }, 'http_headers.apns_expiration'],
  [{ apns_push_type: 'mdm' }, 'http_headers.apns_push_type'],
])(
  'an item with %j is refused before Apple sees it, and the rest is sent',
  async (headers, field) => {
    const [iphone, other] = [await addDevice('apns'), await addDevice('apns')];
    const { outcomes } = await notify(toIphone(iphone, headers), pushRequests.apns(other));
    expect(outcomes).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining(field) },
      { outcome: 'accepted' },
    ]);
    expect(requestsTo(iphone)).toEqual([]);
  },
);

test('a voip notification may have 5,120 bytes, others 4,096', async () => {
  const iphone = await addDevice('apns');
  const large = pushRequests.apns(iphone, 'x'.repeat(4_600));
  const http_headers = { ...large.http_headers, apns_push_type: 'voip' as const };
  const { outcomes } = await notify({ ...large, http_headers }, large);
  expect(outcomes).toMatchObject([
    { outcome: 'accepted' },
    { outcome: 'refused', reason: 'PayloadTooLarge' },
  ]);
});

test('Google gets collapse key and time to live', async () => {
  const phone = await addDevice('fcm');
  bouncer.simulator.devices.setOnline(phone.token, false);
  const request = pushRequests.fcm(phone);
  await notify(
    { ...request, fcm_ttl: 60 },
    { ...request, fcm_ttl: 600, fcm_collapse_key: 'thread 7' },
  );
  bouncer.clock.offsetMs += 61_000;
  bouncer.simulator.devices.setOnline(phone.token, true);
  expect(received(phone)).toMatchObject([{ collapse_key: 'thread 7' }]);
});

test('an FCM time to live above four weeks is refused', async () => {
  const phone = await addDevice('fcm');
  const { outcomes } = await notify({ ...pushRequests.fcm(phone), fcm_ttl: 2_419_201 });
  expect(outcomes).toMatchObject([
    { outcome: 'refused', reason: expect.stringContaining('fcm_ttl') },
  ]);
});

test('a queued notification is kept until it expires, and sent with the rest of its time to live', async () => {
  const phone = await addDevice('fcm');
  const fault = { status: 503, reason: 'UNAVAILABLE', retry_after: 30 };
  bouncer.simulator.faults.add({ provider: 'fcm', match: { token: phone.token }, fault });
  const before = Math.floor(bouncer.now() / 1_000);
  const request = pushRequests.fcm(phone);
  const { outcomes } = await notify(
    { ...request, fcm_ttl: 120 },
    { ...request, fcm_ttl: 10 },
    { ...request, fcm_ttl: 0 },
  );
  expect(outcomes).toMatchObject([
    { outcome: 'queued' },
    { outcome: 'given_up' },
    { outcome: 'given_up' },
  ]);
  expect(outcomes[0]?.until).toBeGreaterThanOrEqual(before + 120);
  expect(outcomes[0]?.until).toBeLessThan(before + 125);
  expect(await retriesTo(phone)).toHaveLength(1);
});
