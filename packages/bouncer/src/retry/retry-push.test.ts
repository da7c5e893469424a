import { stringifyJson, TokenKind } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { sweepDeadDevices } from '../devices/queries.ts';
import { startPushTest } from '../doors/push-test.fixture.ts';
import { pushRequests, startTestBouncer } from '../test-bouncer.fixture.ts';

const { bouncer, notifyAll, addDevice, received, arrival, retryEnd } = await startPushTest();

const unavailable: Readonly<Record<TokenKind, string>> = {
  apns: 'ServiceUnavailable',
  fcm: 'UNAVAILABLE',
  webpush: 'unavailable',
};
const makeUnavailable = (kind: TokenKind, retry_after: number) =>
  bouncer.simulator.faults.add({
    provider: kind,
    times: 1,
    fault: { status: 503, reason: unavailable[kind], retry_after },
  });

test.each(TokenKind.options)(
  'a notification arrives once after %s was unavailable for a minute',
  async (kind) => {
    const device = await addDevice(kind);
    makeUnavailable(kind, 60);
    expect(await notifyAll(kind, device)).toMatchObject({
      apple_successfully_sent_count: 0,
      android_successfully_sent_count: 0,
      delete_device_ids: [],
    });
    const arrived = arrival(device);
    expect(received(device)).toEqual([]);
    bouncer.clock.offsetMs += 75_000;
    const id = device.pushAccountId;
    expect(await arrived).toMatchObject(
      kind !== 'fcm'
        ? { body: stringifyJson(pushRequests[kind](device).payload) }
        : { data: { push_account_id: String(id), encrypted_data: 'c2VjcmV0' } },
    );
    expect(await retryEnd(device)).toMatchObject({ state: 'done' });
    expect(received(device)).toHaveLength(1);
  },
);

test('a notification waiting for a retry survives a restart', async () => {
  const device = await addDevice('fcm');
  makeUnavailable('fcm', 60);
  await notifyAll('fcm', device);
  const arrived = arrival(device);
  await bouncer.stop();
  bouncer.clock.offsetMs += 75_000;
  await bouncer.start();
  expect(await arrived).toMatchObject({ data: { encrypted_data: 'c2VjcmV0' } });
});

test('a notification arrives after three refused attempts', async () => {
  const device = await addDevice('fcm');
  for (let times = 0; times < 3; times++) makeUnavailable('fcm', 60);
  await notifyAll('fcm', device);
  const arrived = arrival(device);
  const step = setInterval(() => (bouncer.clock.offsetMs += 75_000), 500);
  await arrived;
  clearInterval(step);
  expect(await retryEnd(device)).toMatchObject({ state: 'done' });
});

test('a notification is given up if the next attempt would come after retrySeconds', async () => {
  const device = await addDevice('apns');
  makeUnavailable('apns', 60);
  await notifyAll('apns', device);
  makeUnavailable('apns', 900);
  bouncer.clock.offsetMs += 2_800_000;
  expect(await retryEnd(device)).toEqual({ state: 'dead', reason: 'ServiceUnavailable' });
  expect(received(device)).toEqual([]);
});

test('a token found dead by a retry is reported in the answer to the next request', async () => {
  const device = await addDevice('apns');
  makeUnavailable('apns', 60);
  await notifyAll('apns', device);
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(device.token);
  bouncer.clock.offsetMs += 75_000;
  expect(await retryEnd(device)).toMatchObject({ state: 'done' });
  expect((await notifyAll('apns', device)).delete_device_ids).toEqual([device.deviceId]);
});

test('a queued job holds no device token', async () => {
  const device = await addDevice('fcm');
  makeUnavailable('fcm', 60);
  await notifyAll('fcm', device);
  const { rows } = await sql`select * from job`.execute(bouncer.kysely);
  expect(JSON.stringify(rows)).toContain('c2VjcmV0');
  expect(JSON.stringify(rows)).not.toContain(device.token);
});

test('queued notifications share the slots of retries by app, and by push service', async () => {
  const devices = await Promise.all(TokenKind.options.map((kind) => addDevice(kind)));
  for (const [at, kind] of TokenKind.options.entries()) {
    makeUnavailable(kind, 60);
    await notifyAll(kind, ...devices.slice(at, at + 1));
  }
  const { rows } = await sql<{ lane: string; key: string }>`
    select lane, key from job where (payload ->> 'device_id')::bigint = any(${devices.map(({ deviceId }) => deviceId)})
    order by lane`.execute(bouncer.kysely);
  expect(rows).toEqual([
    { lane: 'apns', key: 'org.bellhop.phone' },
    { lane: 'fcm', key: '' },
    { lane: 'webpush', key: new URL(bouncer.simulator.webpush_url).host },
  ]);
});

test('the upkeep deletes a device 30 days after its token died, not before', async () => {
  await using own = await startTestBouncer();
  const owner = await own.addServer();
  const device = await own.addDevice(owner, 'fcm');
  const dead = (days: number) =>
    own.kysely
      .updateTable('device')
      .set({ expired_at: new Date(own.now() - days * 86_400_000) })
      .where('device_id', '=', device.deviceId)
      .execute();
  const rows = () => own.kysely.selectFrom('device').select('device_id').execute();
  await dead(29);
  await own.sweep(sweepDeadDevices, 0);
  expect(await rows()).toHaveLength(1);
  await dead(31);
  await own.sweep(sweepDeadDevices, 0);
  expect(await rows()).toHaveLength(0);
});
