import { stringifyJson, TokenKind } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import {
  pushRequests,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';
import { deleteDead } from './delete-dead-devices.ts';

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

const unavailable: Readonly<Record<TokenKind, string>> = {
  apns: 'ServiceUnavailable',
  fcm: 'UNAVAILABLE',
};
const makeUnavailable = (kind: TokenKind, retry_after: number) =>
  bouncer.simulator.faults.add({
    provider: kind,
    times: 1,
    fault: { status: 503, reason: unavailable[kind], retry_after },
  });
const notify = (kind: TokenKind, device: Awaited<ReturnType<TestBouncer['addDevice']>>) =>
  server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: [pushRequests[kind](device)],
  });
/** Resolves with the next notification of this phone. */
const arrival = (token: string) =>
  new Promise((resolve) => bouncer.simulator.devices.listen(token, resolve));

/** Resolves with state and reason of this device's job when it has ended. */
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

test.each(TokenKind.options)(
  'a notification arrives once after %s was unavailable for a minute',
  async (kind) => {
    const device = await bouncer.addDevice(server, kind);
    makeUnavailable(kind, 60);
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
        ? { body: stringifyJson(pushRequests.apns(device).payload) }
        : { data: { push_account_id: String(id), encrypted_data: 'c2VjcmV0' } },
    );
    expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
    expect(bouncer.simulator.devices.received(device.token)).toHaveLength(1);
  },
);

test('a notification waiting for a retry survives a restart', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  makeUnavailable('fcm', 60);
  await notify('fcm', device);
  const arrived = arrival(device.token);
  await bouncer.restart(() => (bouncer.clock.offsetMs += 75_000));
  expect(await arrived).toMatchObject({ data: { encrypted_data: 'c2VjcmV0' } });
});

test('a notification arrives after three refused attempts', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  for (let times = 0; times < 3; times++) makeUnavailable('fcm', 60);
  await notify('fcm', device);
  const arrived = arrival(device.token);
  const step = setInterval(() => (bouncer.clock.offsetMs += 75_000), 500);
  await arrived;
  clearInterval(step);
  expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
});

test('a notification is given up if the next attempt would come after retrySeconds', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  makeUnavailable('apns', 60);
  await notify('apns', device);
  makeUnavailable('apns', 4_000);
  bouncer.clock.offsetMs += 75_000;
  expect(await ending(device.deviceId)).toEqual({ state: 'dead', reason: 'ServiceUnavailable' });
  expect(bouncer.simulator.devices.received(device.token)).toEqual([]);
});

test('a token found dead by a retry is reported in the answer to the next request', async () => {
  const device = await bouncer.addDevice(server, 'apns');
  makeUnavailable('apns', 60);
  await notify('apns', device);
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(device.token);
  bouncer.clock.offsetMs += 75_000;
  expect(await ending(device.deviceId)).toMatchObject({ state: 'done' });
  expect((await notify('apns', device)).delete_device_ids).toEqual([device.deviceId]);
});

test('a queued job holds no device token', async () => {
  const device = await bouncer.addDevice(server, 'fcm');
  makeUnavailable('fcm', 60);
  await notify('fcm', device);
  const { rows } = await sql`select * from job`.execute(bouncer.kysely);
  expect(JSON.stringify(rows)).toContain('c2VjcmV0');
  expect(JSON.stringify(rows)).not.toContain(device.token);
});

test('deleteDead deletes a device 30 days after its token died, not before', async () => {
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
  await deleteDead(own.kysely, own.now());
  expect(await rows()).toHaveLength(1);
  await dead(31);
  await deleteDead(own.kysely, own.now());
  expect(await rows()).toHaveLength(0);
});
