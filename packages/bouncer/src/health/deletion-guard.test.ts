import { randomUUID } from 'node:crypto';

import { TokenKind } from '@bellhop/protocol';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startPushTest, type TestDevice } from '../doors/push-test.fixture.ts';
import type { Sender } from '../providers/sender.ts';
import { DeletionGuard } from './deletion-guard.ts';
import { ProviderStates } from './provider-states.ts';
import { sendersOf } from './senders.fixture.ts';

const { bouncer, server, notifyAll, addDevice, addDevices, received, requestsTo, arrival, prove } =
  await startPushTest();
const { simulator, clock } = bouncer;
const { unused, apns, senders } = sendersOf(bouncer.config);

const alarms = () => bouncer.errors().map(({ alarm }) => alarm);
const storedDevice = ({ deviceId }: TestDevice) =>
  bouncer.kysely
    .selectFrom('device')
    .selectAll()
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
const stateOfSender = async (provider: TokenKind) => {
  const { senders: states } = (await (await fetch(`${bouncer.url}/readyz`)).json()) as {
    senders: { provider: string; state: string }[];
  };
  return states.filter((one) => one.provider === provider).map(({ state }) => state);
};
/** Every verdict that has a device deleted. */
const deaths: readonly [TokenKind, number, string][] = [
  ['apns', 410, 'Unregistered'],
  ['apns', 410, 'ExpiredToken'],
  ['apns', 400, 'BadDeviceToken'],
  ['fcm', 404, 'UNREGISTERED'],
];
const mismatches: readonly [TokenKind, number, string][] = [
  ['apns', 400, 'DeviceTokenNotForTopic'],
  ['fcm', 403, 'SENDER_ID_MISMATCH'],
];

beforeEach(async () => {
  await sql`delete from device`.execute(bouncer.kysely);
});
/** A retry that outlives its test would count in the next one. */
afterEach(async () => {
  simulator.faults.clear();
  await bouncer.stop();
  await sql`delete from job`.execute(bouncer.kysely);
  await bouncer.start();
});

test.each([...deaths, ...mismatches])(
  '%s %d %s for the first phones of a configuration: all are kept, their notifications arrive later, one alarm',
  async (kind, status, reason) => {
    await bouncer.restart(unused());
    const devices = await addDevices(kind, 3);
    simulator.faults.add({ provider: kind, fault: { status, reason } });
    const before = bouncer.errors().length;
    const answer = await notifyAll(kind, ...devices);
    expect(answer.delete_device_ids).toEqual([]);
    expect(answer.outcomes).toMatchObject(
      devices.map(() => ({ outcome: 'queued', reason: expect.stringContaining('doubted') })),
    );
    expect(alarms().slice(before)).toEqual(['dead_tokens']);
    expect(await stateOfSender(kind)).toContain('doubted');
    const [device] = devices;
    if (!device) throw new Error('There are 3');
    expect(await storedDevice(device)).toMatchObject({ expired_at: null, is_doubted: true });

    simulator.faults.clear();
    const arrivals = Promise.all(devices.map(arrival));
    await notifyAll(kind, await addDevice(kind));
    await arrivals;
    expect(await stateOfSender(kind)).toEqual(['works']);
    await expect.poll(() => storedDevice(device)).toMatchObject({ is_doubted: false });
  },
);

test.each(deaths)(
  '%s %d %s for every phone of a proven configuration: a tenth is deleted, also after a restart',
  async (kind, status, reason) => {
    const config = unused();
    await bouncer.restart(config);
    await prove();
    const devices = await addDevices(kind, 39);
    simulator.faults.add({ provider: kind, fault: { status, reason } });
    const first = await notifyAll(kind, ...devices.slice(0, 20));
    await bouncer.restart(config);
    const second = await notifyAll(kind, ...devices.slice(20));
    const deleted = [...first.delete_device_ids, ...second.delete_device_ids];
    expect(deleted.length).toBeGreaterThanOrEqual(3);
    expect(deleted.length).toBeLessThanOrEqual(4);
  },
);

test('a small installation loses one phone until a notification is accepted', async () => {
  await bouncer.restart(unused());
  await prove();
  const devices = await addDevices('fcm', 3);
  simulator.faults.add({ provider: 'fcm', fault: { status: 404, reason: 'UNREGISTERED' } });
  expect((await notifyAll('fcm', ...devices)).delete_device_ids).toHaveLength(1);
});

test('a doubted phone gets no further request until its quarantine ends', async () => {
  await bouncer.restart(unused());
  const device = await addDevice('apns');
  simulator.uninstall(device.token);
  clock.offsetMs += 1_000;
  await notifyAll('apns', device);
  const before = requestsTo(device).length;
  expect(await notifyAll('apns', device)).toMatchObject({ outcomes: [{ outcome: 'queued' }] });
  expect(requestsTo(device)).toHaveLength(before);
});

test('a phone that is gone is deleted as soon as another one proves the configuration', async () => {
  await bouncer.restart(unused());
  const [gone, live] = [await addDevice('apns'), await addDevice('apns')];
  clock.offsetMs += 1_000;
  simulator.uninstall(gone.token);
  expect((await notifyAll('apns', gone)).delete_device_ids).toEqual([]);
  await notifyAll('apns', live);
  await expect.poll(() => storedDevice(gone)).toMatchObject({ expired_at: expect.any(Date) });
  const { entries } = await server.v1.feedback.list({});
  expect(entries).toContainEqual(
    expect.objectContaining({ device_id: gone.deviceId, outcome: 'dead', reason: 'Unregistered' }),
  );
});

test('a notification for a doubted phone ends as quarantined when it has waited for a day', async () => {
  await bouncer.restart(unused());
  const device = await addDevice('fcm');
  simulator.faults.add({ provider: 'fcm', fault: { status: 404, reason: 'UNREGISTERED' } });
  const { outcomes } = await notifyAll('fcm', device);
  const day = 86_400;
  expect((outcomes[0]?.until ?? 0) - bouncer.now() / 1_000).toBeGreaterThan(day - 60);
  clock.offsetMs += (day - 100) * 1_000;
  await expect
    .poll(async () => (await server.v1.feedback.list({})).entries)
    .toContainEqual(
      expect.objectContaining({ device_id: device.deviceId, outcome: 'quarantined' }),
    );
  expect(await storedDevice(device)).toMatchObject({ expired_at: null });
});

test.each(mismatches)(
  '%s %d %s skips one phone; after a week of such answers the phone is deleted',
  async (kind, status, reason) => {
    await bouncer.restart(unused());
    await prove();
    const device = await addDevice(kind);
    const { token } = device;
    simulator.faults.add({ provider: kind, match: { token }, fault: { status, reason } });
    for (let day = 0; day < 7; day++) {
      expect(await notifyAll(kind, device)).toMatchObject({
        delete_device_ids: [],
        outcomes: [{ outcome: 'quarantined' }],
      });
      clock.offsetMs += 86_400_000;
    }
    clock.offsetMs += 3_600_000;
    expect((await notifyAll(kind, device)).delete_device_ids).toEqual([device.deviceId]);
  },
);

/** A sender that no other test has used. */
const newSender = () => ({
  kind: 'fcm' as const,
  name: 'test',
  apps: undefined,
  isDefault: true,
  gateways: [],
  credentials: Buffer.from(`sender ${Math.random()}`),
});
const silent = pino({ level: 'silent' });
const newGuard = (sender: Sender, kysely = bouncer.kysely) =>
  new DeletionGuard({
    states: new ProviderStates({ kysely, senders: () => [sender], log: silent }),
    onTrust: async () => {},
    log: silent,
  });

const newDeath = () => ({ token: randomUUID(), reason: 'gone' });

test('two nodes delete the share of an app together', async () => {
  const sender = newSender();
  await addDevices('fcm', 40);
  const nodes = [newGuard(sender), newGuard(sender)];
  const target = { sender, app: null };
  for (const node of nodes) for (let count = 0; count < 5; count++) await node.accepted(target);
  const believed = [];
  for (const node of nodes)
    for (let count = 0; count < 10; count++) believed.push(await node.believes(target, newDeath()));
  expect(believed.filter(Boolean)).toHaveLength(4);
});

test('a token counts once, however many of its notifications are refused', async () => {
  const sender = newSender();
  const target = { sender, app: null };
  const guard = newGuard(sender);
  await guard.accepted(target);
  const death = newDeath();
  const believed = await Promise.all([1, 2, 3].map(() => guard.believes(target, death)));
  expect([...believed, await guard.believes(target, death)]).toEqual([true, true, true, true]);
  expect(await guard.believes(target, newDeath())).toBe(false);
  expect(await guard.believes(target, death)).toBe(true);
});

test('an accepted notification makes up for a deletion that a slow read of the rows has missed', async () => {
  const sender = newSender();
  const target = { sender, app: null };
  await newGuard(sender).accepted(target);
  const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const slow = bouncer.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isFirst) return result;
      isFirst = false;
      arrived.resolve();
      await release.promise;
      return result;
    },
  });
  const guard = newGuard(sender, slow);
  const read = guard.isProven(target);
  await arrived.promise;
  expect(await guard.believes(target, newDeath())).toBe(true);
  release.resolve();
  await read;
  await guard.accepted(target);
  expect(await guard.believes(target, newDeath())).toBe(true);
});

test('the wrong APNs environment deletes none of 40 live phones', async () => {
  await bouncer.restart(senders({ apns: { ...apns, url: simulator.apns_sandbox_url } }));
  const devices = await addDevices('apns', 40);
  expect((await notifyAll('apns', ...devices)).delete_device_ids).toEqual([]);
  const arrivals = Promise.all(devices.map(arrival));
  await bouncer.restart();
  clock.offsetMs += 100_000;
  await arrivals;
  for (const device of devices) expect(received(device)).toHaveLength(1);
});

test('dead phones among live ones are deleted: each accepted notification makes up for one', async () => {
  await bouncer.restart(unused());
  const [live, gone] = [await addDevices('fcm', 10), await addDevices('fcm', 10)];
  clock.offsetMs += 1_000;
  for (const { token } of gone) simulator.uninstall(token);
  for (const [index, device] of gone.entries()) {
    await notifyAll('fcm', ...live.slice(index, index + 1));
    expect((await notifyAll('fcm', device)).delete_device_ids).toEqual([device.deviceId]);
  }
});
