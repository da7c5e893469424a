import { randomUUID } from 'node:crypto';

import { type ApiError, stringifyJson } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  pushRequests,
  realmOf,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';
import { defaultQuotas, type QuotaChanges } from './quota-table.ts';

let bouncer: TestBouncer;
let otherNode: string;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  otherNode = await bouncer.addNode();
});
afterAll(() => bouncer[Symbol.asyncDispose]());
beforeEach(() => bouncer.nextMinute());

/** A server with a phone, for which the operator has set these quotas. */
async function serverWith(quotas: QuotaChanges) {
  const server = await bouncer.addServer();
  const device = await bouncer.addDevice(server, 'fcm');
  await bouncer.kysely
    .updateTable('remote_server')
    .set({ quotas: JSON.stringify(quotas) })
    .where('server_uuid', '=', server.serverUuid)
    .execute();
  return { ...server, device };
}
type LimitedServer = Awaited<ReturnType<typeof serverWith>>;

interface Sending {
  readonly count: number;
  readonly url?: string;
  readonly key?: string;
}
/** Sends so many notifications in one request. */
async function send(
  { serverUuid, key: orgKey, realmUuid, device }: LimitedServer,
  { count, url = bouncer.url, key }: Sending,
) {
  const push_requests = Array.from({ length: count }, () => pushRequests.fcm(device));
  const response = await fetch(`${url}/api/v1/remotes/push/e2ee/notify`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${serverUuid}:${orgKey}`)}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: stringifyJson({ realm_uuid: realmUuid, push_requests }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
const auditOf = ({ serverUuid }: TestServer) =>
  bouncer.kysely
    .selectFrom('audit_entry')
    .select(['actor', 'realm_uuid', 'device_id', 'detail'])
    .where('server_uuid', '=', serverUuid)
    .where('action', '=', 'quota_exceeded')
    .execute();

describe('notifications', () => {
  test.each([
    ['notifications_per_minute', 60],
    ['notifications_per_day', 86_400],
    ['realm_notifications_per_minute', 60],
    ['realm_notifications_per_day', 86_400],
  ] as const)(
    'beyond %s of all nodes are answered 503: public chat servers do not repeat after 429',
    async (quota, seconds) => {
      const server = await serverWith({ [quota]: 5 });
      expect((await send(server, { count: 3 })).status).toBe(200);
      expect((await send(server, { count: 2, url: otherNode })).status).toBe(200);
      for (const url of [bouncer.url, otherNode]) {
        const { status, headers, body } = await send(server, { count: 1, url });
        expect([status, body['code']]).toEqual([503, 'RATE_LIMIT_HIT']);
        expect(body['msg']).toMatch(/^More than 5 notifications of the (chat server|realm) in a/);
        const retryAfter = Number(headers.get('retry-after'));
        expect(retryAfter).toBeGreaterThan(0);
        expect(retryAfter).toBeLessThanOrEqual(seconds);
      }
      expect(await auditOf(server)).toEqual([
        { actor: 'server', realm_uuid: server.realmUuid, device_id: null, detail: { quota } },
      ]);
    },
  );

  test('are answered with the rest of each quota', async () => {
    const server = await serverWith({ notifications_per_minute: 10, notifications_per_day: null });
    const { headers } = await send(server, { count: 4 });
    expect(headers.get('ratelimit-policy')).toBe(
      '"requests_per_minute";q=1000;w=60, "notifications_per_minute";q=10;w=60, ' +
        '"realm_notifications_per_minute";q=600000;w=60, "realm_notifications_per_day";q=50000000;w=86400',
    );
    expect(headers.get('ratelimit')).toMatch(
      /^"requests_per_minute";r=\d+;t=\d+, "notifications_per_minute";r=6;t=([1-9]|[1-5]\d|60), /,
    );
  });

  test('in a request beyond the quota are all refused; those of a smaller request are all sent', async () => {
    const server = await serverWith({ notifications_per_minute: 10 });
    expect((await send(server, { count: 8 })).status).toBe(200);
    expect((await send(server, { count: 3 })).status).toBe(503);
    expect((await send(server, { count: 2 })).status).toBe(200);
    expect(bouncer.simulator.devices.received(server.device.token)).toHaveLength(10);
  });

  test('of a request repeated with its Idempotency-Key count once', async () => {
    const server = await serverWith({ notifications_per_minute: 2 });
    const key = randomUUID();
    for (let times = 0; times < 3; times++)
      expect((await send(server, { count: 2, key })).status).toBe(200);
    const refused = randomUUID();
    expect((await send(server, { count: 1, key: refused })).status).toBe(503);
    expect((await send(server, { count: 1, key: refused })).status).toBe(503);
  });

  test('beyond the quota of a device are refused one by one, at all nodes', async () => {
    const server = await serverWith({ device_notifications_per_minute: 4 });
    expect((await send(server, { count: 3, url: otherNode })).status).toBe(200);
    const { status, body } = await send(server, { count: 3 });
    const reason = 'more than 4 notifications to the device in a minute';
    expect([status, body['outcomes']]).toMatchObject([
      200,
      [{ outcome: 'accepted' }, { outcome: 'refused', reason }, { outcome: 'refused', reason }],
    ]);
    expect(await auditOf(server)).toMatchObject([
      { device_id: server.device.deviceId, realm_uuid: server.realmUuid },
    ]);
  });
});

describe('registrations', () => {
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'success',
      (error: ApiError) => error.code,
    );

  test('beyond registrations_per_minute are answered 503: public chat servers do not repeat after 429', async () => {
    const server = await serverWith({ registrations_per_minute: 1 });
    await expect(bouncer.addDevice(server, 'apns')).rejects.toMatchObject({
      code: 'RATE_LIMIT_HIT',
      status: 503,
    });
    const again = { ...server.device.registration, token: 'another' };
    const v1 = server.v1.devices.register({
      realm_uuid: server.realmUuid,
      push_account_id: 1n,
      encrypted_push_registration: bouncer.seal(again),
      bouncer_public_key: bouncer.keyPair.publicKey,
    });
    await expect(v1).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT', status: 429 });
  });

  test.each(['server_devices', 'realm_devices'] as const)(
    'of a new device beyond %s are refused, and those of known devices are not',
    async (quota) => {
      const server = await serverWith({ [quota]: 2 });
      const second = await bouncer.addDevice(server, 'apns');
      expect(await code(bouncer.addDevice(server, 'apns'))).toBe('PUSH_NOTIFICATIONS_DISALLOWED');
      expect(await code(second.register())).toBe('success');
      await server.v1.devices.remove({ realm_uuid: server.realmUuid, device_id: second.deviceId });
      expect(await code(bouncer.addDevice(server, 'apns'))).toBe('success');
    },
  );

  test.each(['server_devices', 'realm_devices'] as const)(
    'with a new token_id beyond %s are refused, and those of known ones are not',
    async (quota) => {
      const server = await serverWith({ [quota]: 2 });
      const second = await bouncer.addByToken(server, 'apns');
      expect(await code(bouncer.addByToken(server, 'apns'))).toBe('PUSH_NOTIFICATIONS_DISALLOWED');
      expect(await code(second.register())).toBe('success');
      await server.v1.devices.remove({ realm_uuid: server.realmUuid, device_id: second.deviceId });
      expect(await code(bouncer.addByToken(server, 'apns'))).toBe('success');
    },
  );

  test('of a new token beyond account_devices are refused', async () => {
    const server = await serverWith({ account_devices: 1 });
    const { realmUuid, client, device } = server;
    const { token } = bouncer.simulator.addDevice({ kind: 'fcm' });
    const again = client.push.register({
      realm_uuid: realmUuid,
      push_account_id: device.pushAccountId,
      encrypted_push_registration: bouncer.seal({ ...device.registration, token }),
      bouncer_public_key: bouncer.keyPair.publicKey,
    });
    await expect(again).rejects.toMatchObject({
      code: 'PUSH_NOTIFICATIONS_DISALLOWED',
      message: expect.stringContaining('account_devices is 1'),
    });
  });
});

test('realms beyond server_realms are refused, and those of before may change', async () => {
  const server = await serverWith({ server_realms: 3 });
  const announce = (...uuids: string[]) =>
    server.client.servers.announce({
      realm_counts: [],
      installation_counts: [],
      realms: uuids.map((uuid) => realmOf(uuid)),
    });
  const [second, third, fourth] = [randomUUID(), randomUUID(), randomUUID()];
  await expect(announce(second, third, fourth)).rejects.toMatchObject({
    code: 'PUSH_NOTIFICATIONS_DISALLOWED',
    message: expect.stringContaining('server_realms is 3'),
  });
  expect(Object.keys((await announce(second, third)).realms)).toHaveLength(3);
  expect(Object.keys((await announce(third, server.realmUuid)).realms)).toHaveLength(3);
  await expect(announce(fourth)).rejects.toMatchObject({ code: 'PUSH_NOTIFICATIONS_DISALLOWED' });
  const { quotas } = await server.v1.quotas.list();
  expect(quotas.find(({ name }) => name === 'server_realms')).toMatchObject({ used: 3, limit: 3 });
});

test('quotas of a reload apply to the next request', async () => {
  const server = await serverWith({});
  await bouncer.reload({ quotas: { ...defaultQuotas, notifications_per_minute: 1 } });
  const { status } = await send(server, { count: 2 });
  await bouncer.reload({});
  expect(status).toBe(503);
  expect((await send(server, { count: 2 })).status).toBe(200);
});

test('a lowered quota counts what was sent, also after restarts, and nothing that was claimed in advance', async () => {
  const server = await serverWith({});
  for (let times = 0; times < 2; times++) {
    for (let sent = 0; sent < 10; sent++) await send(server, { count: 1 });
    await bouncer.restart();
  }
  const { quotas } = await server.v1.quotas.list();
  expect(quotas.find(({ name }) => name === 'notifications_per_day')).toMatchObject({ used: 20 });
  await bouncer.kysely
    .updateTable('remote_server')
    .set({ quotas: JSON.stringify({ notifications_per_day: 25 }) })
    .where('server_uuid', '=', server.serverUuid)
    .execute();
  expect((await send(server, { count: 5 })).status).toBe(200);
  expect((await send(server, { count: 1 })).status).toBe(503);
});

test('a chat server reads its own quotas with their uses, and not those of another server', async () => {
  const server = await serverWith({
    notifications_per_day: 10,
    requests_per_minute: null,
    server_devices: 3,
  });
  await send(await serverWith({ notifications_per_day: 9 }), { count: 5 });
  await send(server, { count: 4 });
  const response = await fetch(`${bouncer.url}/v1/quotas`, {
    headers: { authorization: `Basic ${btoa(`${server.serverUuid}:${server.key}`)}` },
  });
  const { quotas } = (await response.json()) as { quotas: { name: string }[] };
  expect(quotas.map(({ name }) => name)).toEqual(Object.keys(defaultQuotas));
  const byName = Object.fromEntries(quotas.map((quota) => [quota.name, quota]));
  const midnight = (Math.floor(bouncer.now() / 86_400_000) + 1) * 86_400;
  expect(byName).toMatchObject({
    notifications_per_day: { limit: 10, seconds: 86_400, used: 4, resets_at: midnight },
    requests_per_minute: { limit: null, seconds: 60 },
    realm_notifications_per_day: { limit: 50_000_000, used: null },
    server_devices: { limit: 3, seconds: null, used: 1, resets_at: null },
    account_devices: { limit: 20, used: null },
  });
});
