import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import {
  pushRequests,
  randomKey,
  startTestBouncer,
  type TestBouncer,
} from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());
afterEach(() => {
  bouncer.clock.offsetMs = 0;
});

/** A server that has rotated its key. */
async function rotatedServer() {
  const server = await bouncer.addServer();
  const newKey = randomKey();
  const { hostname } = await bouncer.kysely
    .selectFrom('remote_server')
    .select('hostname')
    .where('server_uuid', '=', server.serverUuid)
    .executeTakeFirstOrThrow();
  const register = (keys: { zulip_org_key: string; new_org_key?: string; hostname?: string }) =>
    bouncer.clientOf().servers.register({
      zulip_org_id: server.serverUuid,
      hostname,
      contact_email: 'admin@example.com',
      ...keys,
    });
  await register({ zulip_org_key: server.key, new_org_key: newKey });
  const works = (key: string) =>
    bouncer
      .clientOf(server.serverUuid, key)
      .servers.analyticsStatus()
      .then(
        () => true,
        () => false,
      );
  return { ...server, newKey, hostname, register, works };
}

test('a rotation loses no push: processes of the server that have the former key send for a day', async () => {
  const { newKey, ...server } = await rotatedServer();
  const { serverUuid, key, realmUuid, works } = server;
  const device = await bouncer.addDevice(server, 'fcm');
  for (const either of [key, newKey]) {
    const sent = await bouncer.clientOf(serverUuid, either).push.notify({
      realm_uuid: realmUuid,
      push_requests: [pushRequests.fcm(device)],
    });
    expect(sent.android_successfully_sent_count).toBe(1);
  }
  bouncer.clock.offsetMs = 86_400_000 + 1_000;
  expect([await works(key), await works(newKey)]).toEqual([false, true]);
});

test('the former key can neither rotate the key nor change the registration', async () => {
  const { key, newKey, hostname, register, works } = await rotatedServer();
  await expect(register({ zulip_org_key: key, new_org_key: randomKey() })).rejects.toMatchObject({
    code: 'INVALID_ZULIP_SERVER',
  });
  expect(await register({ zulip_org_key: key, hostname: 'thief.example.com' })).toEqual({
    created: false,
  });
  expect(await works(newKey)).toBe(true);
  const stolen = await bouncer.kysely
    .selectFrom('remote_server')
    .select('hostname')
    .where('hostname', 'in', ['thief.example.com', hostname])
    .execute();
  expect(stolen).toEqual([{ hostname }]);
});

test('a second rotation ends the first key at once', async () => {
  const { key, newKey, register, works } = await rotatedServer();
  const newest = randomKey();
  await register({ zulip_org_key: newKey, new_org_key: newest });
  expect([await works(key), await works(newKey), await works(newest)]).toEqual([false, true, true]);
});

test('with formerKeySeconds 0 the former key ends with the rotation', async () => {
  await bouncer.reload({ formerKeySeconds: 0 });
  const { key, newKey, works } = await rotatedServer();
  await bouncer.reload({});
  expect([await works(key), await works(newKey)]).toEqual([false, true]);
});
