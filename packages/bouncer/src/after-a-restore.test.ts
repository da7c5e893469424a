import { expect, test } from 'vitest';

import { createInvitation, openInvitations } from './servers/invitations.ts';
import { pushRequests, startTestBouncer, type TestBouncer } from './test-bouncer.fixture.ts';

const notify = (
  { client, realmUuid }: Awaited<ReturnType<TestBouncer['addServer']>>,
  ...push_requests: ReturnType<typeof pushRequests.fcm>[]
) => client.push.notify({ realm_uuid: realmUuid, push_requests });

test('the pushes of a phone that a restore has forgotten reach no phone that registers later', async () => {
  await using bouncer = await startTestBouncer();
  const server = await bouncer.addServer();
  const restore = await bouncer.backUp();
  const forgotten = await bouncer.addDevice(server, 'fcm');
  await restore();
  const later = await bouncer.addDevice(server, 'fcm');
  const { outcomes, delete_device_ids } = await notify(
    server,
    pushRequests.fcm(forgotten),
    pushRequests.fcm(later),
  );
  expect(outcomes).toMatchObject([{ outcome: 'dead' }, { outcome: 'accepted' }]);
  expect(delete_device_ids).toEqual([forgotten.deviceId]);
  expect(bouncer.simulator.devices.received(later.token)).toHaveLength(1);
});

test('IDs of devices are integers that a double holds exactly', async () => {
  await using bouncer = await startTestBouncer();
  const server = await bouncer.addServer();
  const ids = [];
  for (let count = 0; count < 20; count++)
    ids.push((await bouncer.addDevice(server, 'fcm')).deviceId);
  for (const id of ids) expect(id).toSatisfy(Number.isSafeInteger);
  expect(Math.min(...ids)).toBeGreaterThan(0);
  expect(Math.max(...ids)).toBeGreaterThan(2 ** 48);
  expect(new Set(ids).size).toBe(20);
});

test('a push for the device of another account is dead and not sent', async () => {
  await using bouncer = await startTestBouncer();
  const server = await bouncer.addServer();
  const { deviceId, token, pushAccountId } = await bouncer.addDevice(server, 'fcm');
  const { outcomes } = await notify(
    server,
    pushRequests.fcm({ deviceId, pushAccountId: pushAccountId ^ 1n }),
  );
  expect(outcomes).toMatchObject([
    {
      outcome: 'dead',
      device_id: deviceId,
      reason: 'the device with this ID has another push_account_id: register it again',
    },
  ]);
  expect(bouncer.simulator.devices.received(token)).toHaveLength(0);
});

test('the feedback log goes on above the numbers that a restore has forgotten', async () => {
  await using bouncer = await startTestBouncer();
  const server = await bouncer.addServer();
  const { deviceId, pushAccountId } = await bouncer.addDevice(server, 'fcm');
  const refused = () =>
    notify(server, pushRequests.fcm({ deviceId, pushAccountId }, 'x'.repeat(4_100)));
  await refused();
  await server.v1.feedback.list();
  const restore = await bouncer.backUp();
  for (let count = 0; count < 3; count++) await refused();
  const { next } = await server.v1.feedback.list();
  await restore();
  const { outcomes } = await refused();
  const { entries } = await server.v1.feedback.list({ after: next });
  expect(entries.map(({ push_id }) => push_id)).toEqual([outcomes[0]?.push_id]);
  expect(entries[0]?.number).toSatisfy(Number.isSafeInteger);
});

test('an invitation made after a restore has another number than those that it has forgotten', async () => {
  await using bouncer = await startTestBouncer();
  const restore = await bouncer.backUp();
  const numberOfNew = async () => {
    const at = new Date(bouncer.now());
    await createInvitation(bouncer.kysely, { at, expiresAt: new Date(at.getTime() + 60_000) });
    const [newest] = await openInvitations(bouncer.kysely, at);
    return newest?.invitation_number;
  };
  const forgotten = await numberOfNew();
  await restore();
  expect(await numberOfNew()).not.toBe(forgotten);
});
