import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import {
  accepted,
  BOTH,
  type ClientDevices,
  K1,
  K2,
  startClientDevices,
  T1,
  T2,
  tokenHalf,
} from './client-devices.fixture.ts';
import { success } from './scripted-bouncer.fixture.ts';

const ACTIVE = { push_token_id: T1, pending_push_token_id: null };
let now = 1_800_000_000;
let phones: ClientDevices;
beforeAll(async () => {
  phones = await startClientDevices(() => now);
});
afterAll(() => phones[Symbol.asyncDispose]());
afterEach(() => phones.settle());

/** A device whose user logs in again on the same phone: the removal of the first one was lost. */
async function loggedInAgain(answer = accepted) {
  const former = await phones.newDevice();
  phones.answered(answer);
  await former.register(BOTH);
  await phones.runJobs();
  const newer = await phones.newDevice(former.person);
  await former.events();
  return { former, newer };
}
const sentAfter = async (act: () => Promise<unknown>) => {
  const before = phones.sentItems().length;
  phones.notified();
  await act();
  await runQueuedJobs(phones.chat, 'push_message');
  return phones
    .sentItems()
    .slice(before)
    .map(({ token_id, payload }) => [token_id, payload.push_key_id]);
};

test.each([
  ['a bouncer', accepted],
  ['a public bouncer', success()],
])('after a new login on the same phone each push arrives once, with %s', async (_by, answer) => {
  const { former, newer } = await loggedInAgain();
  phones.answered(answer);
  await newer.register({ ...K2, ...tokenHalf(T1) });
  await phones.runJobs();
  expect(await former.events()).toMatchObject([
    { device_id: newer.device_id, pending_push_token_id: T1 },
    { device_id: newer.device_id, push_token_id: T1, pending_push_token_id: null },
    { device_id: former.device_id, op: 'update', push_token_id: null },
  ]);
  expect(await phones.stateOf(former)).toMatchObject({
    push_key_id: K1.push_key_id,
    push_token_id: null,
    pending_push_token_id: null,
  });
  expect(await sentAfter(() => phones.sendTo(newer))).toEqual([[T1, K2.push_key_id]]);
});

test('an APNs token in other letters is the same token, and its former name ends at the bouncer', async () => {
  const { former, newer } = await loggedInAgain(
    success({ device_id: 15, same_token_device_ids: [] }),
  );
  const removal = `/v1/realms/${phones.chat.realm.uuid}/devices/15`;
  phones.script[removal] = success();
  phones.answered(success({ device_id: 16, same_token_device_ids: [15] }));
  await newer.register({ ...K2, ...tokenHalf(T2) });
  await phones.runJobs();
  expect(await phones.stateOf(newer)).toMatchObject({ push_token_id: T2 });
  expect(await phones.stateOf(former)).toMatchObject({ push_token_id: null });
  expect(await sentAfter(() => phones.sendTo(newer))).toEqual([[T2, K2.push_key_id]]);
  await runQueuedJobs(phones.chat, 'remove_from_bouncer');
  expect(phones.requestsTo(removal)).toHaveLength(1);
});

test('a former login that the bouncer accepts last, after an outage, does not take the token', async () => {
  const former = await phones.newDevice();
  const newer = await phones.newDevice(former.person);
  await phones.pendingAfter(() => former.register(BOTH));
  phones.answered(accepted);
  await newer.register({ ...K2, ...tokenHalf(T1) });
  await expect.poll(() => phones.stateOf(newer)).toMatchObject(ACTIVE);
  await former.events();
  await phones.runJobs();
  expect(await former.events()).toMatchObject([
    { device_id: former.device_id, push_token_id: T1, pending_push_token_id: null },
    { device_id: former.device_id, push_token_id: null },
  ]);
  expect(await phones.stateOf(newer)).toMatchObject(ACTIVE);
});

test('users who share a phone both keep its token', async () => {
  const devices = [await phones.newDevice(), await phones.newDevice()];
  for (const device of devices) await phones.reach('active', device);
  for (const device of devices) expect(await phones.stateOf(device)).toMatchObject(ACTIVE);
});

test('beyond the limit a device that gets no pushes makes room', async () => {
  const device = await phones.newDevice();
  await phones.reach('active', device);
  await device.events();
  const { devices } = device.person.client;
  const ids = [];
  for (let at = 0; at < 50; at++) ids.push((await devices.registerClientDevice()).device_id);
  const events = await device.events();
  expect(events.filter((event) => 'op' in event && event.op === 'remove')).toEqual([
    { type: 'device', op: 'remove', device_id: ids[0] },
  ]);
  expect(Object.keys(await phones.devicesOf(device.person))).toHaveLength(50);
});

test('beyond the limit a phone whose token has died keeps its device while others never had a key', async () => {
  const device = await phones.newDevice();
  await phones.reach('dead', device);
  now += 40 * DAY;
  const { devices } = device.person.client;
  for (let at = 0; at < 50; at++) await devices.registerClientDevice();
  phones.answered(accepted);
  await device.register(tokenHalf(T2));
  await phones.runJobs();
  expect(await phones.stateOf(device)).toMatchObject({ push_token_id: T2 });
});

test('beyond the limit no device makes room whose key or token is younger than 30 days, then the longest unused', async () => {
  const device = await phones.newDevice();
  await phones.reach('dead', device);
  const { person } = device;
  const { client, user } = person;
  // The IDs in the order of the last use, backwards.
  await sql`insert into client_device (realm_id, user_id, push_key_id, push_key, token_updated_at)
    select ${user.realm_id}, ${user.id}, 1, '\\x00', ${now}::bigint + 49 - n
    from generate_series(1, 49) n order by n`.execute(phones.chat.server.app.db.kysely);
  const ids = Object.keys(await phones.devicesOf(person));
  now += 30 * DAY;
  await device.register(K2);
  now -= 60;
  await expect(client.devices.registerClientDevice()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('at most 50 devices'),
  });
  expect(Object.keys(await phones.devicesOf(person))).toEqual(ids);
  now += 120;
  const { device_id } = await client.devices.registerClientDevice();
  expect(Object.keys(await phones.devicesOf(person))).toEqual([
    ...ids.slice(0, -1),
    String(device_id),
  ]);
});
const DAY = 86_400;
