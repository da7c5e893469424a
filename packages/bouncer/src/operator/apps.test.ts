import { afterAll, expect, test } from 'vitest';

import { pushRequests, startTestBouncer } from '../test-bouncer.fixture.ts';
import { listApps } from './apps.ts';

const bouncer = await startTestBouncer();
afterAll(() => bouncer[Symbol.asyncDispose]());
const operator = { database: bouncer.database, name: 'tester', now: Date.now };

test('listApps counts the devices of each app, and distinguishes apps without credentials', async () => {
  expect(await listApps(operator, bouncer.config)).toEqual([]);
  const server = await bouncer.addServer();
  const device = await bouncer.addDevice(server, 'apns');
  await bouncer.addDevice(server, 'apns');
  await bouncer.kysely
    .updateTable('device')
    .set({ expired_at: new Date() })
    .where('device_id', '=', device.deviceId)
    .execute();
  const app = device.registration.ios_app_id;
  const counted = { provider: 'apns', app, devices: 1, quarantined: 0, dead: 1, reason: null };
  expect(await listApps(operator, bouncer.config)).toEqual([
    { ...counted, sender: 'default', state: 'ok' },
  ]);
  const without = { ...bouncer.config, senders: { ...bouncer.config.senders, apns: [] } };
  expect(await listApps(operator, without)).toEqual([
    { ...counted, sender: null, state: 'unconfigured' },
  ]);
  const [sender] = bouncer.config.senders.apns;
  if (!sender) throw new Error('the test bouncer has no sender of APNs');
  const listed = { ...sender, name: 'chat', apps: ['org.example.none'] };
  const senders = { ...bouncer.config.senders, apns: [listed] };
  expect(await listApps(operator, { ...bouncer.config, senders })).toMatchObject([
    { app: 'org.example.none', sender: 'chat', devices: 0 },
    { app, state: 'unconfigured' },
  ]);
});

test('listApps shows that a provider does not accept the credentials', async () => {
  const server = await bouncer.addServer();
  // Three devices must be told so.
  const devices = [];
  for (let i = 0; i < 3; i++) devices.push(await bouncer.addDevice(server, 'apns'));
  const fault = { status: 403, reason: 'InvalidProviderToken' };
  bouncer.simulator.faults.add({ provider: 'apns', fault });
  await server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: devices.map((device) => pushRequests.apns(device)),
  });
  bouncer.simulator.faults.clear();
  const [found] = await listApps(operator, bouncer.config);
  expect(found).toMatchObject({
    state: 'broken',
    reason: expect.stringContaining('InvalidProviderToken') as string,
  });
});
