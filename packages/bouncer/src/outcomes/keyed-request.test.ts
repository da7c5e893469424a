import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { codeOf, startPushTest, type TestDevice } from '../doors/push-test.fixture.ts';
import { pushRequests } from '../test-bouncer.fixture.ts';
import { sweepKeys } from './keyed-request.ts';

const { bouncer, server, prove, addDevice, received, retriesTo } = await startPushTest();
await prove();

const notifyOnce = (idempotencyKey: string, ...devices: TestDevice[]) =>
  server.client.push.notify(
    {
      realm_uuid: server.realmUuid,
      push_requests: devices.map((device) => pushRequests.fcm(device)),
    },
    { idempotencyKey },
  );

test('a request that is sent again with its key gets the first answer, and sends nothing', async () => {
  const [phone, gone] = [await addDevice('fcm'), await addDevice('fcm')];
  // The provider is believed about `gone` only after it has accepted another notification.
  await notifyOnce('before', await addDevice('fcm'));
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(gone.token);
  const first = await notifyOnce('first', phone, gone);
  expect(first).toMatchObject({
    android_successfully_sent_count: 1,
    delete_device_ids: [gone.deviceId],
    outcomes: [{ outcome: 'accepted' }, { outcome: 'dead' }],
  });
  expect(await notifyOnce('first', phone, gone)).toEqual(first);
  expect(received(phone)).toHaveLength(1);
});

test('a queued notification is queued once if its request is sent again', async () => {
  const device = await addDevice('fcm');
  const fault = { status: 503, reason: 'UNAVAILABLE', retry_after: 600 };
  bouncer.simulator.faults.add({ provider: 'fcm', match: { token: device.token }, fault });
  const first = await notifyOnce('queued', device);
  expect(first.outcomes).toMatchObject([{ outcome: 'queued' }]);
  expect(await notifyOnce('queued', device)).toEqual(first);
  expect(await retriesTo(device)).toHaveLength(1);
});

test('two requests with one key at the same time send one notification', async () => {
  const send = async () => {
    const [device, key] = [await addDevice('fcm'), randomUUID()];
    bouncer.simulator.faults.add({ provider: 'fcm', times: 1, fault: { slow_ms: 300 } });
    const once = () => codeOf(notifyOnce(key, device));
    const codes = await Promise.all([once(), once()]);
    expect(received(device)).toHaveLength(1);
    return codes.toSorted();
  };
  let codes = await send();
  // On a busy machine the first may end before the second begins, which then gets the same answer.
  for (let tries = 0; tries < 10 && codes.join() === 'success,success'; tries++)
    codes = await send();
  expect(codes).toEqual(['IDEMPOTENCY_KEY_IN_USE', 'success']);
});

test('a power cut that undoes the claim of a key while its request is sent loses no answer', async () => {
  const undo = async (key: string) => {
    const { numDeletedRows } = await bouncer.kysely
      .deleteFrom('push_request')
      .where('idempotency_key', '=', key)
      .where('outcomes', 'is', null)
      .executeTakeFirstOrThrow();
    return numDeletedRows;
  };
  const send = async () => {
    const [device, key] = [await addDevice('fcm'), randomUUID()];
    bouncer.simulator.faults.add({ provider: 'fcm', times: 1, fault: { slow_ms: 500 } });
    let isOver = false;
    const sent = notifyOnce(key, device).finally(() => (isOver = true));
    let undone = await undo(key);
    while (undone === 0n && !isOver) undone = await undo(key);
    const first = await sent;
    expect(first.outcomes).toMatchObject([{ outcome: 'accepted' }]);
    expect(await notifyOnce(key, device)).toEqual(first);
    expect(received(device)).toHaveLength(1);
    return undone;
  };
  let undone = await send();
  // On a busy machine the request may end before its claim is undone.
  for (let tries = 0; tries < 10 && undone === 0n; tries++) undone = await send();
  expect(undone).toBe(1n);
});

test('a request that is sent again without some of its items gets the outcomes of the others', async () => {
  const [one, two] = [await addDevice('fcm'), await addDevice('fcm')];
  const { outcomes } = await notifyOnce('fewer', one, two);
  expect((await notifyOnce('fewer', two)).outcomes).toEqual(outcomes.slice(1));
  expect([received(one), received(two)].map(({ length }) => length)).toEqual([1, 1]);
});

test('a key that came with other notifications is refused', async () => {
  const [one, two] = [await addDevice('fcm'), await addDevice('fcm')];
  await notifyOnce('other', one);
  expect(await codeOf(notifyOnce('other', two))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(received(two)).toEqual([]);
});

test('a request whose node died runs again after 30 s, with the same push IDs', async () => {
  const device = await addDevice('fcm');
  const first = await notifyOnce('died', device);
  // The state of the row if the node dies before it has an answer.
  const rows = bouncer.kysely.updateTable('push_request').where('idempotency_key', '=', 'died');
  await rows.set({ outcomes: null as never }).execute();
  expect(await codeOf(notifyOnce('died', device))).toBe('IDEMPOTENCY_KEY_IN_USE');
  bouncer.clock.offsetMs += 31_000;
  const again = await notifyOnce('died', device);
  expect(again.outcomes.map(({ push_id }) => push_id)).toEqual(
    first.outcomes.map(({ push_id }) => push_id),
  );
  expect(again.outcomes).toMatchObject([{ outcome: 'accepted' }]);
});

test('two realms may use the same key', async () => {
  const device = await addDevice('fcm');
  await notifyOnce('shared', device);
  const other = await bouncer.addServer();
  const foreign = await bouncer.addDevice(other, 'fcm');
  const answer = await other.client.push.notify(
    { realm_uuid: other.realmUuid, push_requests: [pushRequests.fcm(foreign)] },
    { idempotencyKey: 'shared' },
  );
  expect(answer.android_successfully_sent_count).toBe(1);
});

test.each(['k'.repeat(256), '\u00e9'])('the key %s is refused', async (key) => {
  const device = await addDevice('fcm');
  expect(await codeOf(notifyOnce(key, device))).toBe('BAD_REQUEST');
  expect(received(device)).toEqual([]);
});

test('keys are forgotten after a day', async () => {
  const device = await addDevice('fcm');
  await notifyOnce('old', device);
  await bouncer.sweep(sweepKeys, 86_400_000 + 1_000);
  await notifyOnce('old', device);
  expect(received(device)).toHaveLength(2);
});
