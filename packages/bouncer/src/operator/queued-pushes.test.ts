import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { latestEntries } from '../audit/audit-log.ts';
import { startPushTest } from '../doors/push-test.fixture.ts';
import { queuedPushes, replayPushes } from './queued-pushes.ts';

const { bouncer, server, notifyAll, addDevice, received, arrival, retryEnd } =
  await startPushTest();
const { kysely } = bouncer;
const operator = {
  database: bouncer.database,
  name: 'tester',
  now: () => Date.now() + bouncer.clock.offsetMs,
};
const unavailable = () =>
  bouncer.simulator.faults.add({
    provider: 'fcm',
    times: 1,
    fault: { status: 503, reason: 'UNAVAILABLE', retry_after: 60 },
  });

test('queuedPushes lists a waiting notification with its reason, and replayPushes sends it at once', async () => {
  const device = await addDevice('fcm');
  unavailable();
  await notifyAll('fcm', device);
  const filter = { state: 'waiting', deviceId: device.deviceId, limit: 10 } as const;
  const [push, ...others] = await queuedPushes(kysely, filter);
  expect(others).toEqual([]);
  expect(push).toMatchObject({
    provider: 'fcm',
    server_uuid: server.serverUuid,
    realm_uuid: server.realmUuid,
    device_id: device.deviceId,
    attempts: 0,
  });
  expect(push?.next_attempt).toBeInstanceOf(Date);
  expect(JSON.stringify(push)).not.toContain('c2VjcmV0');
  for (const other of [
    { provider: 'apns' },
    { serverUuid: randomUUID() },
    { realmUuid: randomUUID() },
    { state: 'ended' },
  ] as const)
    expect(await queuedPushes(kysely, { ...filter, ...other })).toEqual([]);
  const arrived = arrival(device);
  await bouncer.stop();
  expect(await replayPushes(operator, filter, 3_600)).toBe(1);
  await bouncer.start();
  await arrived;
  expect(received(device)).toHaveLength(1);
  const [entry] = await latestEntries(kysely, { limit: 1 });
  expect(entry).toMatchObject({
    actor: 'operator tester',
    action: 'pushes_replayed',
    device_id: device.deviceId,
    detail: { state: 'waiting', provider: null, seconds: 3_600, count: 1 },
  });
});

test('replayPushes sends a notification that was given up, although its time is over', async () => {
  const device = await addDevice('fcm');
  unavailable();
  await notifyAll('fcm', device);
  bouncer.clock.offsetMs += 90_000_000;
  expect(await retryEnd(device)).toMatchObject({ state: 'dead' });
  expect(received(device)).toEqual([]);
  const filter = { state: 'ended', deviceId: device.deviceId, limit: 10 } as const;
  expect(await queuedPushes(kysely, filter)).toMatchObject([
    { state: 'ended', reason: 'too late', next_attempt: null },
  ]);
  const arrived = arrival(device);
  expect(await replayPushes(operator, filter, 3_600)).toBe(1);
  await arrived;
  expect(received(device)).toHaveLength(1);
  expect(await queuedPushes(kysely, filter)).toEqual([]);
});
