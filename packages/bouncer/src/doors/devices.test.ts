import { TokenKind } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { pushRequests } from '../test-bouncer.fixture.ts';
import { codeOf, startPushTest } from './push-test.fixture.ts';

const { bouncer, server, notify, addDevice, received } = await startPushTest();
const { realmUuid, v1 } = server;

test('version 1 registers a device and sends to it, as the API of chat servers does', async () => {
  const device = await addDevice('fcm');
  const again = await v1.devices.register({
    realm_uuid: realmUuid,
    push_account_id: device.pushAccountId,
    encrypted_push_registration: bouncer.seal(device.registration),
    bouncer_public_key: bouncer.keyPair.publicKey,
  });
  expect(again).toMatchObject({ device_id: device.deviceId });
  const { outcomes } = await v1.pushes.send({
    realm_uuid: realmUuid,
    push_requests: [pushRequests.fcm(device)],
  });
  expect(outcomes).toMatchObject([{ outcome: 'accepted', provider: 'fcm' }]);
  expect(received(device)).toHaveLength(1);
});

test('the list shows what the bouncer stores of a device, without its token', async () => {
  const owner = await bouncer.addServer();
  const iphone = await bouncer.addDevice(owner, 'apns');
  const gone = await bouncer.addDevice(owner, 'fcm');
  const pixel = await bouncer.addDevice(owner, 'fcm', { android_app_id: 'org.bellhop.android' });
  bouncer.clock.offsetMs += 1_000;
  bouncer.simulator.uninstall(gone.token);
  await owner.client.push.notify({
    realm_uuid: owner.realmUuid,
    push_requests: [pushRequests.fcm(gone)],
  });
  const stored = {
    [iphone.deviceId]: {
      push_account_id: String(iphone.pushAccountId),
      token_kind: 'apns',
      ios_app_id: 'org.bellhop.phone',
      android_app_id: null,
      token_hash: expect.stringMatching(/^[0-9a-f]{12}$/),
      dead_since: null,
      quarantined_until: null,
    },
    [gone.deviceId]: { ios_app_id: null, dead_since: expect.any(Number) },
    [pixel.deviceId]: { android_app_id: 'org.bellhop.android', dead_since: null },
  };
  const ids = [iphone, gone, pixel].map(({ deviceId }) => deviceId).toSorted((a, b) => a - b);
  const expected = ids.map((device_id) => ({ device_id, ...stored[device_id] }));
  const first = await owner.v1.devices.list({ realm_uuid: owner.realmUuid, limit: 1 });
  expect(first).toMatchObject({ devices: expected.slice(0, 1), has_more: true });
  const second = await owner.v1.devices.list({ realm_uuid: owner.realmUuid, after: ids[0] });
  expect(second).toMatchObject({
    devices: expected.slice(1),
    has_more: false,
  });
  for (const { token } of [iphone, gone, pixel])
    expect(JSON.stringify([first, second])).not.toContain(token);
});

test.each(TokenKind.options)('a deleted %s device gets nothing and is gone', async (kind) => {
  const device = await addDevice(kind);
  const address = { realm_uuid: realmUuid, device_id: device.deviceId };
  await v1.devices.remove(address);
  const answer = await notify(pushRequests[kind](device));
  expect(answer.delete_device_ids).toEqual([device.deviceId]);
  expect(received(device)).toEqual([]);
  expect(await codeOf(v1.devices.remove(address))).toBe('NOT_FOUND');
  const tokens = await bouncer.kysely.selectFrom('device').select('token').execute();
  expect(tokens.map(({ token }) => token)).not.toContain(device.token);
});

test('a chat server can neither list nor delete devices of another one', async () => {
  const device = await addDevice('fcm');
  const other = await bouncer.addServer();
  const codes = await Promise.all([
    codeOf(other.v1.devices.list({ realm_uuid: realmUuid })),
    codeOf(other.v1.devices.remove({ realm_uuid: realmUuid, device_id: device.deviceId })),
    codeOf(other.v1.devices.remove({ realm_uuid: other.realmUuid, device_id: device.deviceId })),
    codeOf(other.v1.devices.list({ realm_uuid: other.serverUuid })),
  ]);
  expect(codes).toEqual([
    'REMOTE_REALM_SERVER_MISMATCH_ERROR',
    'REMOTE_REALM_SERVER_MISMATCH_ERROR',
    'NOT_FOUND',
    'MISSING_REMOTE_REALM',
  ]);
  expect((await notify(pushRequests.fcm(device))).delete_device_ids).toEqual([]);
});

test('anybody may read the public keys', async () => {
  const answer = await fetch(`${bouncer.url}/v1/keys`);
  expect(await answer.json()).toMatchObject({ keys: [{ public_key: bouncer.keyPair.publicKey }] });
});
