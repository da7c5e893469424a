import { expect, test } from 'vitest';

import { sweepOutcomes } from '../outcomes/feedback-log.ts';
import { DAY_MS } from '../storage/sweep.ts';
import { pushRequests, type TestServer } from '../test-bouncer.fixture.ts';
import { startPushTest, type TestDevice } from './push-test.fixture.ts';

const { bouncer, server, notifyAll, addDevice, addDevices, retryEnd } = await startPushTest();
const { clock, simulator } = bouncer;
const living = await addDevice('fcm');
// A tenth of an app's phones may be deleted without a notification in between.
await addDevices('fcm', 60);

/** The position at which each test begins to read. */
async function startOfLog(of: TestServer = server): Promise<number> {
  for (let after = 0; ;) {
    const { next, has_more } = await of.v1.feedback.list({ after });
    if (!has_more) return next;
    after = next;
  }
}
/**
 * Makes the token dead. A living phone gets a notification for it: else the bouncer does not believe the
 * provider.
 */
const uninstall = async (device: TestDevice) => {
  clock.offsetMs += 1_000;
  await notifyAll('fcm', living);
  simulator.uninstall(device.token);
};
const makeUnavailable = (device: TestDevice, retry_after: number) =>
  simulator.faults.add({
    provider: 'fcm',
    match: { token: device.token },
    fault: { status: 503, reason: 'UNAVAILABLE', retry_after },
  });

test('the feedback log has dead and refused notifications, not those accepted in the answer', async () => {
  const after = await startOfLog();
  const gone = await addDevice('fcm');
  await uninstall(gone);
  const sentAt = Math.floor(bouncer.now() / 1_000);
  const { outcomes } = await notifyAll('fcm', living, gone);
  await server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: [pushRequests.fcm(living, 'x'.repeat(4_100))],
  });
  const { entries, has_more } = await server.v1.feedback.list({ after });
  expect(entries).toMatchObject([
    {
      push_id: outcomes[1]?.push_id,
      realm_uuid: server.realmUuid,
      device_id: gone.deviceId,
      provider: 'fcm',
      outcome: 'dead',
      reason: 'UNREGISTERED: Requested entity was not found.',
    },
    { device_id: living.deviceId, outcome: 'refused', reason: 'message too large' },
  ]);
  expect(entries[0]?.time).toBeGreaterThanOrEqual(sentAt);
  expect(entries[0]?.time).toBeLessThanOrEqual(Math.floor(bouncer.now() / 1_000));
  expect(has_more).toBe(false);
});

test('the feedback log has the outcome of a queued notification', async () => {
  const after = await startOfLog();
  const [arrives, dies] = await addDevices('fcm', 2);
  if (!arrives || !dies) throw new Error('There are 2');
  for (const device of [arrives, dies]) makeUnavailable(device, 60);
  const { outcomes } = await notifyAll('fcm', arrives, dies);
  expect(outcomes).toMatchObject([{ outcome: 'queued' }, { outcome: 'queued' }]);
  expect((await server.v1.feedback.list({ after })).entries).toEqual([]);
  simulator.faults.clear();
  await uninstall(dies);
  clock.offsetMs += 75_000;
  await Promise.all([retryEnd(arrives), retryEnd(dies)]);
  const { entries } = await server.v1.feedback.list({ after });
  const byDevice = new Map(entries.map((entry) => [entry.device_id, entry]));
  expect(byDevice.get(arrives.deviceId)).toMatchObject({
    push_id: outcomes[0]?.push_id,
    outcome: 'accepted',
    provider_id: expect.stringContaining('/messages/'),
  });
  expect(byDevice.get(dies.deviceId)).toMatchObject({ outcome: 'dead' });
});

test('a notification that is given up has an entry with the last reason', async () => {
  const after = await startOfLog();
  const device = await addDevice('fcm');
  makeUnavailable(device, 60);
  await notifyAll('fcm', device);
  clock.offsetMs += 3_700_000;
  await retryEnd(device);
  expect((await server.v1.feedback.list({ after })).entries).toMatchObject([
    {
      device_id: device.deviceId,
      outcome: 'given_up',
      reason: 'UNAVAILABLE: The service is currently unavailable.',
    },
  ]);
});

test('pages of one entry return every entry once, and the same entries to a reader that starts again', async () => {
  const after = await startOfLog();
  const devices = await addDevices('fcm', 4);
  for (const device of devices) await uninstall(device);
  for (const device of devices) await notifyAll('fcm', device);
  const readAll = async () => {
    const read: (number | null)[] = [];
    for (let from = after, more = true; more;) {
      const page = await server.v1.feedback.list({ after: from, limit: 1 });
      read.push(...page.entries.map(({ device_id }) => device_id));
      [from, more] = [page.next, page.has_more];
    }
    return read;
  };
  const all = devices.map(({ deviceId }) => deviceId);
  expect(await readAll()).toEqual(all);
  expect(await readAll()).toEqual(all);
});

test('an entry that commits after a page was read is in a later page', async () => {
  const after = await startOfLog();
  const [late, early] = await addDevices('fcm', 2);
  if (!late || !early) throw new Error('There are 2');
  for (const device of [late, early]) await uninstall(device);
  await notifyAll('fcm', late, early);
  // Simulates that the transaction of `late`, with the older time, has not committed yet.
  const entry = bouncer.kysely
    .deleteFrom('push_outcome')
    .where('device_id', '=', late.deviceId)
    .returningAll();
  const { number: _number, ...held } = await entry.executeTakeFirstOrThrow();
  const first = await server.v1.feedback.list({ after });
  expect(first.entries.map(({ device_id }) => device_id)).toEqual([early.deviceId]);
  await bouncer.kysely
    .insertInto('push_outcome')
    .values({ ...held, at: new Date(held.at.getTime() - 60_000) })
    .execute();
  const second = await server.v1.feedback.list({ after: first.next });
  expect(second.entries.map(({ device_id }) => device_id)).toEqual([late.deviceId]);
});

test('two readers at the same time read the same entries under the same numbers', async () => {
  const after = await startOfLog();
  const devices = await addDevices('fcm', 5);
  for (const device of devices) await uninstall(device);
  await notifyAll('fcm', ...devices);
  const [one, two] = await Promise.all([
    server.v1.feedback.list({ after }),
    server.v1.feedback.list({ after }),
  ]);
  expect(one).toEqual(two);
  expect(one.entries).toHaveLength(5);
});

test('a chat server reads its own feedback log only', async () => {
  const other = await bouncer.addServer();
  const after = await startOfLog(other);
  const device = await addDevice('fcm');
  await uninstall(device);
  await notifyAll('fcm', device);
  expect((await other.v1.feedback.list({ after })).entries).toEqual([]);
});

test('old entries are deleted, and numbers go on', async () => {
  const device = await addDevice('fcm');
  await uninstall(device);
  await notifyAll('fcm', device);
  const after = await startOfLog();
  await bouncer.sweep(sweepOutcomes, 7 * DAY_MS - 60_000);
  expect((await server.v1.feedback.list()).entries).not.toEqual([]);
  await bouncer.sweep(sweepOutcomes, 7 * DAY_MS + 1_000);
  expect((await server.v1.feedback.list()).entries).toEqual([]);
  await notifyAll('fcm', device);
  const { entries } = await server.v1.feedback.list({ after });
  expect(entries).toMatchObject([{ device_id: device.deviceId }]);
  expect(entries[0]?.number).toBeGreaterThan(after);
});
