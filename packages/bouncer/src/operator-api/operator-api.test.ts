import { randomUUID } from 'node:crypto';

import { createClientFor } from '@bellhop/client';
import { bouncerOperator, OPERATOR_NAME, OPERATOR_PREFIX } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { startPushTest } from '../doors/push-test.fixture.ts';
import { defaultQuotas } from '../quotas/quota-table.ts';
import { retryJobName } from '../retry/retry-job-name.ts';
import { pushRequests, randomKey } from '../test-bouncer.fixture.ts';

const TOKEN = 'o'.repeat(40);
const { bouncer, server, notify, prove, addDevice } = await startPushTest();
await prove();

const clientWith = (apiKey: string, headers: Record<string, string> = {}) =>
  createClientFor(bouncerOperator, {
    url: bouncer.url,
    prefix: OPERATOR_PREFIX,
    ...(apiKey === '' ? {} : { email: OPERATOR_NAME, apiKey }),
    fetch: (input, init = {}) => {
      const all = new Headers(init.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return fetch(input, { ...init, headers: all });
    },
  });
const operator = clientWith(TOKEN);

/** Opens a session as a page does: `set` is the header, `cookie` its value. */
async function openSession() {
  const answer = await fetch(`${bouncer.url}${OPERATOR_PREFIX}/session`, {
    method: 'POST',
    body: new URLSearchParams({ token: TOKEN }),
  });
  const [set = ''] = answer.headers.getSetCookie();
  const { console_key } = (await answer.json()) as { console_key: string };
  return { set, cookie: set.replace(/;.*/, ''), console_key };
}

test('the operator API is off without an operator token', async () => {
  await expect(operator.servers.list()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await bouncer.reload({ operatorToken: TOKEN });
  await expect(operator.servers.list()).resolves.toMatchObject({
    servers: [{ server_uuid: server.serverUuid, state: 'active', realms: 1 }],
  });
});

test('the audit log has the name that an operator gives beside the token', async () => {
  const olivia = createClientFor(bouncerOperator, {
    url: bouncer.url,
    prefix: OPERATOR_PREFIX,
    email: 'olivia',
    apiKey: TOKEN,
  });
  await olivia.access.invite({ hours: 1 });
  const { entries } = await olivia.audit.list({ limit: 1 });
  expect(entries).toMatchObject([{ actor: 'operator olivia', action: 'server_invited' }]);
  const { invitations } = await olivia.access.list();
  for (const { number } of invitations) await olivia.access.revoke({ number });
});

test('another token and the login of a chat server are refused', async () => {
  const { serverUuid, key } = server;
  for (const wrong of ['', 'o'.repeat(39), `${TOKEN}o`])
    await expect(clientWith(wrong).keys.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  const asServer = createClientFor(bouncerOperator, {
    url: bouncer.url,
    prefix: OPERATOR_PREFIX,
    email: serverUuid,
    apiKey: key,
  });
  await expect(asServer.keys.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('the operator sees a notification with its attempts and outcome, and neither token nor ciphertext', async () => {
  const device = await addDevice('apns');
  const ciphertext = Buffer.from('a ciphertext of this test').toString('base64');
  await notify(pushRequests.apns(device, ciphertext));
  const pushes = await expect
    .poll(async () => (await operator.pushes.list({ outcome: 'accepted', limit: 1 })).pushes)
    .toHaveLength(1)
    .then(async () => (await operator.pushes.list({ limit: 1 })).pushes);
  expect(pushes).toMatchObject([
    { device_id: device.deviceId, provider: 'apns', stages: [{ attempts: [{ status: 200 }] }] },
  ]);
  const now = bouncer.now();
  const range = { from_ms: now - 60_000, to_ms: now + 1_000, step_ms: 10_000 };
  const { times, series } = await operator.outcomes.list(range);
  expect(times).toHaveLength(7);
  const accepted = series.find(({ label }) => label === 'accepted');
  expect(accepted?.values.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  const all = JSON.stringify([
    pushes,
    await operator.apps.list(),
    await operator.keys.list(),
    await operator.lanes.list(),
    await operator.queue.list({ state: 'waiting' }),
    await operator.feedback.list(),
    await operator.audit.list(),
    await operator.access.list(),
  ]);
  expect(all).not.toContain(device.registration.token);
  expect(all).not.toContain(ciphertext);
  expect(all).not.toContain(bouncer.keyPair.secretKey);
  expect(all).toContain(bouncer.keyPair.publicKey);
});

test('outcomes are those of the last 24 hours, by the hour, unless others are asked for', async () => {
  const { times, series } = await operator.outcomes.list();
  expect(times).toHaveLength(24);
  expect(times[0]).toBe((Math.ceil(bouncer.now() / 3_600_000) - 24) * 3_600_000);
  expect(series.find(({ label }) => label === 'accepted')?.values.at(-1)).toBeGreaterThan(0);
});

test('a range with too many steps is refused', async () => {
  const range = { from_ms: 0, to_ms: 86_400_000, step_ms: 1_000 };
  await expect(operator.outcomes.list(range)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('deactivating a chat server shuts it out, and is in the audit log', async () => {
  const other = await bouncer.addServer();
  await operator.servers.setActive({ server: other.serverUuid, active: false });
  await expect(other.v1.feedback.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await operator.servers.setActive({ server: other.serverUuid, active: true });
  await expect(other.v1.feedback.list()).resolves.toMatchObject({ entries: [] });
  const activated = await operator.audit.list({ action: 'server_activated' });
  expect(new Set(activated.entries.map(({ action }) => action))).toEqual(
    new Set(['server_activated']),
  );
  const { entries } = await operator.audit.list({ limit: 2 });
  expect(entries).toMatchObject([
    { actor: 'operator console', action: 'server_activated', server_uuid: other.serverUuid },
    { actor: 'operator console', action: 'server_deactivated' },
  ]);
});

test('the operator shows a chat server, sets its quotas, exports it and deletes it', async () => {
  const other = await bouncer.addServer();
  const device = await bouncer.addDevice(other, 'fcm');
  const { serverUuid } = other;
  const quotas = { realm_devices: 7, requests_per_minute: 'unlimited' } as const;
  const { hostname, quotas: now } = await operator.servers.setQuotas({
    server: serverUuid,
    quotas,
  });
  expect(now).toMatchObject([
    { quota: 'requests_per_minute', value: 'unlimited', limit: null },
    { quota: 'realm_devices', value: 7, limit: 7 },
  ]);
  const shown = await operator.servers.show({ server: hostname });
  expect(shown).toMatchObject({
    server: { server_uuid: serverUuid, devices: 1 },
    realms: [{ realm_uuid: other.realmUuid, devices: 1 }],
    audit: [{ action: 'quota_set' }, { action: 'server_registered' }],
  });
  const set = Object.fromEntries(shown.quotas.map(({ quota, value }) => [quota, value]));
  expect(set).toMatchObject({ ...quotas, server_devices: 'default' });
  expect(shown.quotas).toContainEqual({
    quota: 'server_devices',
    value: 'default',
    limit: defaultQuotas.server_devices,
    used: null,
  });
  for (const wrong of [{}, { apples: 1 }, { 'realm_devices=5': 100 }, { ' realm_devices': 1 }])
    await expect(
      operator.servers.setQuotas({ server: serverUuid, quotas: wrong }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('requests_per_minute, registrations_per_minute'),
    });
  await expect(operator.servers.show({ server: hostname })).resolves.toMatchObject({
    quotas: shown.quotas,
  });
  const { records, next } = await operator.servers.export({ server: serverUuid });
  expect(records.map(({ type }) => type).slice(0, 4)).toEqual([
    'server',
    'quotas',
    'realm',
    'device',
  ]);
  expect(JSON.stringify(records)).not.toContain(device.registration.token);
  expect(next).toBeNull();
  const places = ['devices', 'outcomes', 'traces', 'waiting'].flatMap((part) =>
    ['abc', '1.5', '-5', '1e30', '9'.repeat(20)].map((key) => `${part} ${other.realmUuid}/${key}`),
  );
  for (const after of ['elsewhere/1', 'audit/abc', ...places]) {
    const again = operator.servers.export({ server: serverUuid, after });
    await expect(again, after).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  const before1970 = { from_ms: -9_007_199_254_740_991, to_ms: 0, step_ms: 1_000 };
  await expect(operator.outcomes.list(before1970)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  // The queue has the ID of the realm in JSON.
  const realm_uuid = other.realmUuid.toUpperCase();
  await sql`insert into job (id, name, lane, key, payload) values (gen_random_uuid(),
    ${retryJobName('fcm')}, 'x', '', jsonb_build_object('realm_uuid', ${other.realmUuid}::text))`.execute(
    bouncer.kysely,
  );
  await operator.servers.deleteRealm({ server: serverUuid, realm_uuid });
  const { rows } =
    await sql`select from job where payload->>'realm_uuid' = ${other.realmUuid}`.execute(
      bouncer.kysely,
    );
  expect(rows).toEqual([]);
  expect((await operator.devices.list({ server_uuid: serverUuid })).devices).toEqual([]);
  expect(await operator.servers.delete({ server: serverUuid })).toEqual({ hostname });
  const gone = operator.servers.show({ server: serverUuid });
  await expect(gone).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('the operator lists, tests and deletes a device, and sees no token', async () => {
  const device = await addDevice('fcm');
  const { deviceId: device_id } = device;
  const { devices } = await operator.devices.list({ after: device_id - 1, limit: 1 });
  expect(devices).toMatchObject([{ device_id, token_kind: 'fcm', dead_since_ms: null }]);
  expect(await operator.devices.show({ device_id })).toEqual({ device: devices[0] });
  expect(JSON.stringify(devices)).not.toContain(device.registration.token);
  const sent = await operator.devices.sendTest({ device_id });
  expect(sent).toMatchObject({
    accepted: true,
    lines: expect.arrayContaining([expect.stringContaining('Accepted')]),
  });
  await operator.devices.delete({ device_id });
  await expect(operator.devices.show({ device_id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a ban shuts servers of a host name out until it is taken back', async () => {
  const other = await bouncer.addServer();
  const { servers } = await operator.servers.list();
  const { hostname = '' } = servers.find((one) => one.server_uuid === other.serverUuid) ?? {};
  const subject = hostname.replace(/:.*/, '');
  expect(await operator.access.ban({ subject, reason: 'spam' })).toMatchObject({
    hostnames: expect.arrayContaining([hostname]),
  });
  await expect(other.v1.feedback.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect((await operator.access.list()).bans).toMatchObject([{ subject, reason: 'spam' }]);
  await operator.access.unban({ subject });
  await expect(other.v1.feedback.list()).resolves.toMatchObject({ entries: [] });
  const refused = { code: 'BAD_REQUEST' };
  await expect(operator.access.unban({ subject })).rejects.toMatchObject(refused);
  await expect(operator.access.ban({ subject: 'a b' })).rejects.toMatchObject(refused);
});

test('an invitation shows its token once and can be taken back; an invitation for a server ID has no token', async () => {
  const { token, expires_ms } = await operator.access.invite({ hours: 1 });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(expires_ms).toBeGreaterThan(bouncer.now());
  const server_uuid = randomUUID();
  expect(await operator.access.invite({ server_uuid })).toMatchObject({ token: null });
  const { invitations } = await operator.access.list();
  expect(invitations).toMatchObject([{ server_uuid }, { server_uuid: null }]);
  expect(JSON.stringify(invitations)).not.toContain(token);
  for (const { number } of invitations) await operator.access.revoke({ number });
  expect(await operator.access.list()).toMatchObject({ invitations: [] });
  const known = operator.access.invite({ server_uuid: server.serverUuid });
  await expect(known).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const gone = operator.access.revoke({ number: invitations[0]?.number ?? 0 });
  await expect(gone).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('the feedback log is filtered by outcome and provider', async () => {
  const entry = {
    server_uuid: server.serverUuid,
    realm_uuid: server.realmUuid,
    device_id: null,
    reason: null,
    provider_id: null,
    at: new Date(bouncer.now()),
  };
  await bouncer.kysely
    .insertInto('push_outcome')
    .values([
      { ...entry, push_id: randomUUID(), provider: 'apns', outcome: 'dead' },
      { ...entry, push_id: randomUUID(), provider: 'fcm', outcome: 'given_up' },
    ])
    .execute();
  const shown = async (filter: Parameters<typeof operator.feedback.list>[0]) =>
    (await operator.feedback.list(filter)).entries.map(({ provider }) => provider);
  expect(await shown({ outcome: 'dead' })).toEqual(['apns']);
  expect(await shown({ provider: 'fcm' })).toEqual(['fcm']);
  expect(await shown({ outcome: 'dead', provider: 'fcm' })).toEqual([]);
});

test('a session of a page needs both halves and the same origin, and ends with its token', async () => {
  const wrong = clientWith('').session.signIn({ token: 'x'.repeat(40) });
  await expect(wrong).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  const { set, cookie, console_key } = await openSession();
  expect(set).toMatch(/HttpOnly; SameSite=Strict/);
  const halves = { cookie, 'bellhop-console': console_key };
  await expect(clientWith('', halves).keys.list()).resolves.toBeTruthy();
  const refused = [
    [{ cookie }, 'UNAUTHORIZED'],
    [{ 'bellhop-console': console_key }, 'UNAUTHORIZED'],
    [{ ...halves, cookie: cookie.replace('.', '0.') }, 'UNAUTHORIZED'],
    [{ ...halves, origin: 'http://localhost:9' }, 'CSRF_FAILED'],
    [{ ...halves, 'sec-fetch-site': 'same-site' }, 'CSRF_FAILED'],
  ] as const;
  for (const [headers, code] of refused)
    await expect(clientWith('', headers).keys.list()).rejects.toMatchObject({ code });
  await bouncer.reload({ operatorToken: 'n'.repeat(40) });
  await expect(clientWith('', halves).keys.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await bouncer.reload({ operatorToken: TOKEN });
});

test('30 wrong tokens in a minute lock the address out, except for its open sessions', async () => {
  const { console_key, cookie } = await openSession();
  const halves = { cookie, 'bellhop-console': console_key };
  const wrong = () => clientWith('x'.repeat(40)).keys.list();
  for (let times = 0; times < 40; times++) await wrong().catch(() => {});
  const locked = { code: 'RATE_LIMIT_HIT' };
  await expect(operator.keys.list()).rejects.toMatchObject(locked);
  await expect(clientWith('').session.signIn({ token: TOKEN })).rejects.toMatchObject(locked);
  await expect(clientWith('', halves).keys.list()).resolves.toBeTruthy();
});

test('a page whose session has ended does not lock its operator out', async () => {
  await bouncer.restart({ operatorToken: TOKEN });
  const ended = { cookie: 'none', 'bellhop-console': 'x' };
  for (let times = 0; times < 40; times++)
    await clientWith('', ended)
      .keys.list()
      .catch(() => {});
  await expect(operator.keys.list()).resolves.toBeTruthy();
});

test('a key is made, and retired by force only while devices use it', async () => {
  const { keyPair } = bouncer;
  await expect(operator.keys.create()).rejects.toThrow('Set BELLHOP_BOUNCER_ENCRYPTION_KEY');
  await bouncer.reload({ operatorToken: TOKEN, encryptionKeys: [randomKey()] });
  const { public_key } = await operator.keys.create();
  const { keys } = await operator.keys.list();
  expect(keys).toMatchObject([
    { public_key, state: 'newest', kept_in: 'database', can_retire: false },
    { public_key: keyPair.publicKey, state: 'older', can_retire: false },
  ]);
  const older = { public_key: keyPair.publicKey };
  await expect(operator.keys.retire(older)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^Not retired: \d+ living devices registered with it/),
  });
  await operator.keys.create();
  await operator.keys.retire({ public_key });
  await operator.keys.retire({ ...older, force: true });
  expect((await operator.keys.list()).keys.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['newest', 'retired', 'retired']),
  );
});
