import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestBouncer, type TestBouncer, type TestServer } from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
let server: TestServer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  server = await bouncer.addServer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** Calls with a form, as chat servers do. */
async function post(path: string, fields: Record<string, string>, key = server.key) {
  const response = await fetch(`${bouncer.url}/api/v1/remotes/push/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${server.serverUuid}:${key}`)}` },
    body: new URLSearchParams(fields),
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

test('unregister of a token is answered that it does not exist, also if a device has it', async () => {
  const { token } = await bouncer.addDevice(server, 'fcm');
  for (const known of [token, 'never seen'])
    expect(await post('unregister', { token: known, token_kind: '2', ...user })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Token does not exist' },
    });
  expect((await post('unregister', { token, token_kind: '3' })).body['code']).toBe('BAD_REQUEST');
});

test('unregister and unregister/all without the key of a chat server are answered 401', async () => {
  expect((await post('unregister/all', user, 'wrong')).status).toBe(401);
  const asked = await post('unregister', { token: 't', token_kind: '1' }, 'wrong');
  expect(asked.status).toBe(401);
});
