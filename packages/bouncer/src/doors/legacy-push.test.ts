import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestBouncer, type TestBouncer, type TestServer } from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
let server: TestServer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  server = await bouncer.addServer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** Calls with a form, or with a JSON body, as chat servers do. */
async function post(path: string, body: Record<string, string> | string, key = server.key) {
  const response = await fetch(`${bouncer.url}/api/v1/remotes/push/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${server.serverUuid}:${key}`)}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body: typeof body === 'string' ? body : new URLSearchParams(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const user = { user_id: '10', user_uuid: '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b' };

test('unregister/all of a user succeeds, and keeps the encrypted registrations of the server', async () => {
  const { deviceId } = await bouncer.addDevice(server, 'fcm');
  const { status, body } = await post('unregister/all', { ...user, realm_uuid: server.realmUuid });
  expect([status, body['result']]).toEqual([200, 'success']);
  const { devices } = await server.v1.devices.list({ realm_uuid: server.realmUuid });
  expect(devices).toMatchObject([{ device_id: deviceId, dead_since: null }]);
});

test('unregister answers that the token does not exist, even for the token of a device', async () => {
  const { token } = await bouncer.addDevice(server, 'fcm');
  for (const known of [token, 'never seen'])
    expect(await post('unregister', { token: known, token_kind: '2', ...user })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Token does not exist' },
    });
  expect((await post('unregister', { token, token_kind: '3' })).body['code']).toBe('BAD_REQUEST');
});

test('register of a token without encryption is refused with a text for the owner of the phone', async () => {
  const phone = { server_uuid: server.serverUuid, ...user, realm_uuid: server.realmUuid };
  const iphone = { ...phone, token: 'abcd', token_kind: '1', ios_app_id: 'org.bellhop.phone' };
  for (const fields of [iphone, { ...phone, token: 'fcm-token', token_kind: '2' }])
    expect(await post('register', fields)).toMatchObject({
      status: 400,
      body: {
        result: 'error',
        code: 'BAD_REQUEST',
        msg: expect.stringContaining('update the app'),
      },
    });
});

/** A notification without encryption, as a chat server sends it. */
const plaintext = {
  user_id: 10,
  user_uuid: user.user_uuid,
  gcm_payload: { event: 'message', content: 'a secret', time: 1_700_000_000 },
  apns_payload: { alert: { title: 'Iago', body: 'a secret' }, custom: { zulip: { ids: '1' } } },
  gcm_options: { priority: 'high' },
  android_devices: ['android-token'],
  apple_devices: ['aa11', 'bb22'],
};

test('a notification without encryption succeeds with all its tokens as deleted, and its text is nowhere', async () => {
  const before = bouncer.simulator.journal.requests().length;
  const body = JSON.stringify({ ...plaintext, realm_uuid: server.realmUuid });
  expect(await post('notify', body)).toMatchObject({
    status: 200,
    body: {
      result: 'success',
      total_android_devices: 0,
      total_apple_devices: 0,
      deleted_devices: { android_devices: ['android-token'], apple_devices: ['aa11', 'bb22'] },
      realm: { can_push: true, expected_end_timestamp: null },
    },
  });
  expect(bouncer.simulator.journal.requests()).toHaveLength(before);
  expect(bouncer.logged()).not.toContain('a secret');
});

test('a notification without encryption gets no status of a realm of another server or of an unannounced realm', async () => {
  const other = await bouncer.addServer();
  for (const realm_uuid of [other.realmUuid, crypto.randomUUID(), undefined]) {
    const { status, body } = await post('notify', JSON.stringify({ ...plaintext, realm_uuid }));
    expect([status, body['realm']]).toEqual([200, null]);
  }
});

test('a test notification without encryption is answered with the code that apps know', async () => {
  const test = { ...plaintext, token: 'android-token', token_kind: 2, base_payload: {} };
  expect(await post('test_notification', JSON.stringify(test))).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' },
  });
});

test('an operation without encryption is answered 401 without the key of a chat server', async () => {
  const token = { token: 't', token_kind: '1' };
  const asked = [
    post('register', token, 'wrong'),
    post('unregister', token, 'wrong'),
    post('unregister/all', user, 'wrong'),
    post('notify', JSON.stringify(plaintext), 'wrong'),
    post('test_notification', '{}', 'wrong'),
  ];
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(401));
});
