import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { retryJobNames } from '../retry/retry-job-name.ts';
import {
  pushRequests,
  realmOf,
  startTestBouncer,
  type TestBouncer,
} from '../test-bouncer.fixture.ts';
import { deleteRealm, deleteServer } from './delete-data.ts';
import { deleteDevice, listDevices, showDevice } from './devices.ts';
import { exportPage } from './export-data.ts';
import { type Operator, OperatorError } from './operator.ts';

let bouncer: TestBouncer;
let operator: Operator;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  operator = { database: bouncer.database, name: 'olivia', now: bouncer.now };
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** A server with two realms: two phones in the first, with a dead device and a waiting notification. */
async function usedServer() {
  const server = await bouncer.addServer();
  const secondRealm = randomUUID();
  await server.client.servers.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [realmOf(secondRealm)],
  });
  const [phone, other] = [
    await bouncer.addDevice(server, 'fcm'),
    await bouncer.addDevice(server, 'fcm'),
  ];
  const elsewhere = await bouncer.addDevice({ ...server, realmUuid: secondRealm }, 'apns');
  bouncer.simulator.faults.add({
    provider: 'fcm',
    match: { token: phone.token },
    fault: { status: 503, reason: 'UNAVAILABLE', retry_after: '60' },
    times: 1,
  });
  const { outcomes } = await server.client.push.notify(
    {
      realm_uuid: server.realmUuid,
      push_requests: [pushRequests.fcm(phone), { ...pushRequests.fcm(other), device_id: 999_999 }],
    },
    { idempotencyKey: randomUUID() },
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['queued', 'dead']);
  return { ...server, secondRealm, phone, other, elsewhere };
}
/** The number of rows of a realm in each table, and of its waiting notifications. */
async function rowsOf(realmUuid: string) {
  const counts: Record<string, number> = {};
  for (const table of ['remote_realm', 'device', 'push_outcome', 'push_request'] as const) {
    const rows = await bouncer.kysely
      .selectFrom(table)
      .select('realm_uuid')
      .where('realm_uuid', '=', realmUuid)
      .execute();
    counts[table] = rows.length;
  }
  const { rows } = await sql`select id from job where name = any(${[...retryJobNames]})
    and payload->>'realm_uuid' = ${realmUuid}`.execute(bouncer.kysely);
  return { ...counts, job: rows.length };
}
const full = { remote_realm: 1, device: 2, push_outcome: 1, push_request: 1, job: 1 };
const empty = { remote_realm: 0, device: 0, push_outcome: 0, push_request: 0, job: 0 };
const exported = async (subject: string, realmUuid?: string) => {
  const records = [];
  let after: string | undefined;
  do {
    const page = await exportPage(operator, { subject, realmUuid, after });
    records.push(...page.records);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return records;
};

describe('exportPage', () => {
  test('returns all stored data of a server, without secrets', async () => {
    const server = await usedServer();
    const wanted = ['server', 'quotas', 'realm', 'device', 'outcome', 'trace', 'queued', 'audit'];
    // Traces are written a moment later.
    const records = await vi.waitFor(async () => {
      const all = await exported(server.serverUuid);
      expect(new Set(all.map(({ type }) => type))).toEqual(new Set(wanted));
      return all;
    }, 15_000);
    const types = records.map(({ type }) => type);
    expect(types.filter((type) => type === 'device')).toHaveLength(3);
    expect(types.filter((type) => type === 'realm')).toHaveLength(2);
    const text = JSON.stringify(records);
    for (const secret of [server.key, server.phone.token, server.elsewhere.token, 'secret of'])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/key_hash|owner_secret/);
  });

  test('returns only the data of a realm, if one is named', async () => {
    const server = await usedServer();
    const records = await exported(server.serverUuid, server.secondRealm);
    expect(records.map(({ type, device_id }) => [type, device_id])).toEqual([
      ['realm', undefined],
      ['device', server.elsewhere.deviceId],
      ['audit', null],
    ]);
    await expect(exported(server.serverUuid, randomUUID())).rejects.toThrow(OperatorError);
  });
});

describe('deletion', () => {
  test('of a server deletes all of its data and nothing of another server', async () => {
    const [server, other] = [await usedServer(), await usedServer()];
    await deleteServer(operator, server.serverUuid);
    expect(await rowsOf(server.realmUuid)).toEqual(empty);
    expect(await rowsOf(server.secondRealm)).toEqual(empty);
    expect(await rowsOf(other.realmUuid)).toEqual(full);
    await expect(server.client.servers.analyticsStatus()).rejects.toMatchObject({ status: 401 });
    await expect(deleteServer(operator, server.serverUuid)).rejects.toThrow(OperatorError);
    const audit = await bouncer.kysely
      .selectFrom('audit_entry')
      .select(['action', 'actor'])
      .where('server_uuid', '=', server.serverUuid)
      .orderBy('number', 'desc')
      .executeTakeFirst();
    expect(audit).toEqual({ action: 'server_deleted', actor: 'operator olivia' });
  });

  test('of a realm leaves the other realms of its server', async () => {
    const server = await usedServer();
    await expect(deleteRealm(operator, server.serverUuid, randomUUID())).rejects.toThrow(
      OperatorError,
    );
    await deleteRealm(operator, server.serverUuid, server.realmUuid);
    expect(await rowsOf(server.realmUuid)).toEqual(empty);
    expect(await rowsOf(server.secondRealm)).toMatchObject({ remote_realm: 1, device: 1 });
    await expect(bouncer.addDevice(server, 'fcm')).rejects.toMatchObject({
      code: 'MISSING_REMOTE_REALM',
    });
  });

  test('of a device deletes its waiting notifications, and its server learns of the deletion with the next notification', async () => {
    const server = await usedServer();
    const { deviceId } = server.phone;
    await deleteDevice(operator, deviceId);
    expect(await rowsOf(server.realmUuid)).toMatchObject({ device: 1, job: 0 });
    const { delete_device_ids } = await server.client.push.notify({
      realm_uuid: server.realmUuid,
      push_requests: [pushRequests.fcm(server.phone)],
    });
    expect(delete_device_ids).toEqual([deviceId]);
    await expect(showDevice(bouncer.kysely, deviceId)).rejects.toThrow(OperatorError);
  });
});

test('listDevices filters by server and realm, and pages by ID', async () => {
  const server = await usedServer();
  const ids = [server.phone, server.other, server.elsewhere]
    .map(({ deviceId }) => deviceId)
    .toSorted((a, b) => a - b);
  const list = async (filter: object) =>
    (await listDevices(bouncer.kysely, { limit: 10, ...filter })).map(({ device_id }) => device_id);
  expect(await list({ serverUuid: server.serverUuid })).toEqual(ids);
  expect(await list({ realmUuid: server.secondRealm })).toEqual([server.elsewhere.deviceId]);
  expect(await list({ serverUuid: server.serverUuid, after: ids[0], limit: 1 })).toEqual([ids[1]]);
});
