import { stringifyJson } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import {
  apnsRequest,
  fcmRequest,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../start-test-bouncer.ts';
import { forgetDead } from './forget-dead-devices.ts';

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

type Kind = 'apns' | 'fcm';
const busy = (kind: Kind, retry_after: number) =>
  bouncer.simulator.faults.add({
    provider: kind,
    times: 1,
    fault: {
      status: 503,
      reason: kind === 'apns' ? 'ServiceUnavailable' : 'UNAVAILABLE',
      retry_after,
    },
  });
const notify = (kind: Kind, device: Awaited<ReturnType<TestBouncer['addDevice']>>) =>
  server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: [kind === 'apns' ? apnsRequest(device) : fcmRequest(device)],
  });
/** Resolves with the next notification of this phone. */
const arrival = (token: string) =>
  new Promise((resolve) => bouncer.simulator.devices.listen(token, resolve));

/** Resolves when the job of this device has ended, and says how. */
async function ending(deviceId: number): Promise<{ state: string; reason: string | null }> {
  for (;;) {
    const { rows } = await sql<{ state: string; reason: string | null }>`
      select state, reason from job where (payload ->> 'device_id')::int = ${deviceId}`.execute(
      bouncer.kysely,
    );
    const [job] = rows;
    if (job && ['done', 'dead'].includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(['apns', 'fcm'] as const)(
  'what %s cannot take for a while arrives later, exactly once',
  async (kind) => {
    const device = await bouncer.addDevice(server, kind);
    busy(kind, 60);
    expect(await notify(kind, device)).toMatchObject({
      apple_successfully_sent_count: 0,
      android_successfully_sent_count: 0,
      delete_device_ids: [],
    });
    const arrived = arrival(device.token);
    expect(bouncer.simulator.devices.received(device.token)).toEqual([]);
    bouncer.clock.offsetMs += 75_000;
    const id = device.pushAccountId;
    expect(await arrived).toMatchObject(
      kind === 'apns'
        ? { body: stringifyJson(apnsRequest(device).payload) }
        : { data: { push_account_id: String(id), encrypted_data: 'c2VjcmV0' } },
    );
    expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
    expect(bouncer.simulator.devices.received(device.token)).toHaveLength(1);
  },
);

test('a restart loses nothing', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  busy('fcm', 60);
  await notify('fcm', device);
  const arrived = arrival(device.token);
  await bouncer.restart(() => (bouncer.clock.offsetMs += 75_000));
  expect(await arrived).toMatchObject({ data: { encrypted_data: 'c2VjcmV0' } });
});

test('tries as often as it takes', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  for (let times = 0; times < 3; times++) busy('fcm', 60);
  await notify('fcm', device);
  const arrived = arrival(device.token);
  const step = setInterval(() => (bouncer.clock.offsetMs += 75_000), 500);
  await arrived;
  clearInterval(step);
  expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
});

test('gives up when it is too old to matter', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  busy('apns', 60);
  await notify('apns', device);
  busy('apns', 4_000);
  bouncer.clock.offsetMs += 75_000;
  expect(await ending(device.deviceId)).toEqual({ state: 'dead', reason: 'ServiceUnavailable' });
  expect(bouncer.simulator.devices.received(device.token)).toEqual([]);
});

test('a token that turns out dead in the background is reported with the next request', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  busy('apns', 60);
  await notify('apns', device);
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(device.token);
  bouncer.clock.offsetMs += 75_000;
  expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
  expect((await notify('apns', device)).delete_device_ids).toEqual([device.deviceId]);
});

test('the rows of the queue hold no token', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  busy('fcm', 60);
  await notify('fcm', device);
  const { rows } = await sql`select * from job`.execute(bouncer.kysely);
  expect(JSON.stringify(rows)).toContain('c2VjcmV0');
  expect(JSON.stringify(rows)).not.toContain(device.token);
});

test('forgets dead devices after 30 days', async () => {
  await using aged = await startTestBouncer();
  const owner = await aged.addServer();
  const device = await aged.addDevice(owner, 'fcm');
  const dead = (days: number) =>
    aged.kysely
      .updateTable('device')
      .set({ expired_at: new Date(aged.now() - days * 86_400_000) })
      .where('device_id', '=', device.deviceId)
      .execute();
  const rows = () => aged.kysely.selectFrom('device').select('device_id').execute();
  await dead(29);
  await forgetDead(aged.kysely, aged.now());
  expect(await rows()).toHaveLength(1);
  await dead(31);
  await forgetDead(aged.kysely, aged.now());
  expect(await rows()).toHaveLength(0);
});
