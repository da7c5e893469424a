import { TokenKind } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { sendInTime, startPushTest } from './push-test.fixture.ts';

const { bouncer, notifyAll, addDevices, requestsTo, received } = await startPushTest();
const { simulator } = bouncer;

test.each(TokenKind.options)(
  'a stop during notify: the answer comes within 4.5 s, and every %s notification arrives after the next start',
  async (kind) => {
    const [warmUp, ...devices] = await addDevices(kind, 40);
    if (!warmUp) throw new Error('There are 40');
    await notifyAll(kind, warmUp);
    simulator.faults.add({ provider: kind, fault: 'silent' });
    const answer = notifyAll(kind, ...devices);
    await expect.poll(() => devices.some((device) => requestsTo(device).length > 0)).toBe(true);
    const stoppedAt = performance.now();
    const stopped = bouncer.stop();
    expect(await answer).toMatchObject({
      apple_successfully_sent_count: 0,
      android_successfully_sent_count: 0,
      delete_device_ids: [],
      outcomes: devices.map(({ deviceId }) => ({ device_id: deviceId, outcome: 'queued' })),
    });
    expect(performance.now() - stoppedAt).toBeLessThan(4_500);
    await stopped;
    expect(bouncer.errors()).toEqual([]);
    simulator.faults.clear();
    await bouncer.start();
    await expect.poll(() => devices.filter((device) => received(device).length === 0)).toEqual([]);
  },
);

test('a stop during notify waits a moment for the provider: notifications accepted then are not sent again', async () => {
  simulator.faults.add({ provider: 'fcm', fault: { slow_ms: 300 } });
  const { devices, answer } = await sendInTime(async () => {
    const devices = await addDevices('fcm', 20);
    const sending = notifyAll('fcm', ...devices);
    await expect.poll(() => devices.every((device) => requestsTo(device).length > 0)).toBe(true);
    await bouncer.stop();
    const answer = await sending;
    await bouncer.start();
    return { devices, answer };
  });
  expect(answer.android_successfully_sent_count).toBe(20);
  expect(devices.map((device) => received(device).length)).toEqual(Array(20).fill(1));
});

test('a retry under way when the bouncer stops is sent after the next start', async () => {
  const [device] = await addDevices('fcm', 1);
  if (!device) throw new Error('There is one');
  const fault = { status: 503, reason: 'UNAVAILABLE', retry_after: 60 };
  simulator.faults.add({ provider: 'fcm', times: 1, fault });
  await notifyAll('fcm', device);
  simulator.faults.add({ provider: 'fcm', fault: 'silent' });
  const before = requestsTo(device).length;
  bouncer.clock.offsetMs += 75_000;
  await expect.poll(() => requestsTo(device).length).toBeGreaterThan(before);
  const stoppedAt = performance.now();
  await bouncer.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(4_500);
  simulator.faults.clear();
  await bouncer.start();
  await expect.poll(() => received(device)).toHaveLength(1);
});
