import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { ApiError } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { BouncerConfig } from '../bouncer.ts';
import { defaultQuotas } from '../quotas/quota-table.ts';
import {
  type BouncerClient,
  randomKey,
  realmOf,
  startTestBouncer,
  type TestBouncer,
} from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const newServer = () => ({
  zulip_org_id: randomUUID(),
  zulip_org_key: randomKey(),
  hostname: `${randomUUID()}.example.com:8443`,
  contact_email: 'admin@example.com',
});
const register = (facts: Parameters<BouncerClient['servers']['register']>[0]) =>
  bouncer.clientOf().servers.register(facts);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) =>
      error instanceof ApiError ? { code: error.code, status: error.status, ...error.data } : error,
  );
const statusOf = (id: string, key: string) =>
  refusal(bouncer.clientOf(id, key).servers.analyticsStatus());
const unauthorized = { code: 'UNAUTHORIZED', status: 401 };

test('register creates a server, and the same call updates it', async () => {
  const facts = newServer();
  expect(await register(facts)).toEqual({ created: true });
  expect(await register({ ...facts, hostname: `new-${facts.hostname}` })).toEqual({
    created: false,
  });
  expect(await statusOf(facts.zulip_org_id, facts.zulip_org_key)).toBe('success');
});

test('keys are stored as hashes only', async () => {
  const facts = newServer();
  await register(facts);
  await register({ ...facts, new_org_key: randomKey() });
  const row = await bouncer.kysely
    .selectFrom('remote_server')
    .selectAll()
    .where('server_uuid', '=', facts.zulip_org_id)
    .executeTakeFirstOrThrow();
  const asText = Object.values(row).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
  );
  expect(asText.join(' ')).not.toContain(facts.zulip_org_key);
});

test('register rejects a known ID with another key', async () => {
  const facts = newServer();
  await register(facts);
  expect(await refusal(register({ ...facts, zulip_org_key: randomKey() }))).toEqual({
    code: 'INVALID_ZULIP_SERVER',
    status: 400,
    role: facts.zulip_org_id,
  });
});

test('register rotates the key, and the same call may be repeated', async () => {
  const facts = newServer();
  await register(facts);
  const new_org_key = randomKey();
  for (let times = 0; times < 2; times++)
    expect(await register({ ...facts, new_org_key })).toEqual({ created: false });
  expect(await statusOf(facts.zulip_org_id, new_org_key)).toBe('success');
  expect(await refusal(register({ ...facts, new_org_key: randomKey() }))).toMatchObject({
    code: 'INVALID_ZULIP_SERVER',
  });
});

test.each(['.', ':443', '.:443'])(
  'a host name is that of another active server also with %s at its end',
  async (end) => {
    const first = { ...newServer(), hostname: `${randomUUID()}.example.com` };
    await register(first);
    const second = { ...newServer(), hostname: first.hostname + end };
    expect(await refusal(register(second))).toMatchObject({
      code: 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR',
    });
  },
);

test('host names of before are brought to one form, but two servers never get the same', async () => {
  const names = ['Old.example.org.', 'old.example.org:443', 'b。example.org.:8443'];
  const ids: string[] = [];
  for (const [age, hostname] of names.entries()) {
    const server = newServer();
    ids.push(server.zulip_org_id);
    await register({ ...server, hostname: `${randomUUID()}.example.com` });
    const created_at = new Date(Date.UTC(2026, 0, 1 + age));
    await bouncer.kysely
      .updateTable('remote_server')
      .set({ hostname, created_at })
      .where('server_uuid', '=', server.zulip_org_id)
      .execute();
  }
  const file = new URL('../../migrations/0007-host-names.sql', import.meta.url);
  await sql.raw(await readFile(file, 'utf8')).execute(bouncer.kysely);
  const rows = await bouncer.kysely
    .selectFrom('remote_server')
    .select('hostname')
    .where('server_uuid', 'in', ids)
    .orderBy('created_at')
    .execute();
  expect(rows.map(({ hostname }) => hostname)).toEqual([
    'old.example.org',
    'old.example.org:443',
    'b.example.org:8443',
  ]);
});

test.each(['*.example.com', 'user@x', 'x?a', 'a..b', ':99999', 'x:99999', 'x/a', 'x#a', 'x\\a'])(
  'register refuses the host name %s and says what it must be',
  async (hostname) => {
    await expect(register({ ...newServer(), hostname })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('must be a host name'),
    });
  },
);

test('register rejects the host name of another active server', async () => {
  const first = newServer();
  const second = { ...newServer(), hostname: first.hostname.toUpperCase() };
  await register(first);
  expect(await refusal(register(second))).toEqual({
    code: 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR',
    status: 400,
    hostname: first.hostname,
  });
  await bouncer.clientOf(first.zulip_org_id, first.zulip_org_key).servers.deactivate();
  expect(await register(second)).toEqual({ created: true });
});

test('a deactivated server cannot register again, until the operator activates it', async () => {
  const facts = newServer();
  await register(facts);
  const status = () => statusOf(facts.zulip_org_id, facts.zulip_org_key);
  await bouncer.clientOf(facts.zulip_org_id, facts.zulip_org_key).servers.deactivate();
  expect(await status()).toEqual(unauthorized);
  for (const again of [facts, { ...facts, new_org_key: randomKey() }])
    await expect(register(again)).rejects.toMatchObject({
      code: 'INVALID_ZULIP_SERVER',
      message: expect.stringContaining('deactivated'),
    });
  expect(await status()).toEqual(unauthorized);
  await bouncer.kysely
    .updateTable('remote_server')
    .set({ deactivated: false })
    .where('server_uuid', '=', facts.zulip_org_id)
    .execute();
  expect(await register(facts)).toEqual({ created: false });
  expect(await status()).toBe('success');
});

describe('registration', () => {
  const code = async (config: Partial<BouncerConfig>, facts: Parameters<typeof register>[0]) => {
    await bouncer.restart(config);
    const answer = await refusal(register(facts));
    await bouncer.restart();
    return typeof answer === 'object' && answer && 'code' in answer ? answer.code : answer;
  };
  const token = randomKey();

  test('a bouncer without registration settings accepts only servers that it knows', async () => {
    const nobody = { registration: { servers: [], token: undefined } };
    expect(await code(nobody, newServer())).toBe('INVALID_ZULIP_SERVER');
    expect(await code(nobody, { ...newServer(), registration_token: token })).toBe(
      'INVALID_ZULIP_SERVER',
    );
    const facts = newServer();
    await register(facts);
    expect(await code(nobody, facts)).toBe('success');
  });

  test('a bouncer with a list of servers registers only these', async () => {
    const facts = newServer();
    const listed = { registration: { servers: [facts.zulip_org_id], token: undefined } };
    expect(await code(listed, newServer())).toBe('INVALID_ZULIP_SERVER');
    expect(await code(listed, { ...facts, zulip_org_id: facts.zulip_org_id.toUpperCase() })).toBe(
      'success',
    );
  });

  test('a bouncer with a registration token registers only servers that send it', async () => {
    const withToken = { registration: { servers: [], token } };
    expect(await code(withToken, newServer())).toBe('INVALID_ZULIP_SERVER');
    expect(await code(withToken, { ...newServer(), registration_token: `${token}x` })).toBe(
      'INVALID_ZULIP_SERVER',
    );
    expect(await code(withToken, { ...newServer(), registration_token: token })).toBe('success');
  });
});

test('concurrent registrations of one server succeed', async () => {
  const facts = newServer();
  const answers = await Promise.all([register(facts), register(facts), register(facts)]);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
});

test('wrong, missing or malformed credentials are answered UNAUTHORIZED', async () => {
  const server = await bouncer.addServer();
  expect(await statusOf(server.serverUuid, randomKey())).toEqual(unauthorized);
  expect(await statusOf(randomUUID(), server.key)).toEqual(unauthorized);
  expect(await statusOf('hamlet@example.com', server.key)).toEqual(unauthorized);
  expect(await refusal(bouncer.clientOf().servers.analyticsStatus())).toEqual(unauthorized);
  for (const authorization of ['Basic', 'Basic !!!', 'Bearer x', 'Basic Og==']) {
    const url = `${bouncer.url}/api/v1/remotes/server/analytics/status`;
    const response = await fetch(url, { headers: { authorization } });
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  }
});

test('announce stores realms and the last ids of analytics', async () => {
  const { client, realmUuid } = await bouncer.addServer();
  const [second, closed] = [randomUUID(), randomUUID()];
  const answer = await client.servers.announce({
    realm_counts: [{ id: 7 }, { id: 5 }],
    installation_counts: [{ id: 3 }],
    realmauditlog_rows: [{ id: 9 }],
    realms: [realmOf(second), { ...realmOf(closed), deactivated: true }],
    version: '10.0',
  });
  expect(answer.realms).toEqual({
    [realmUuid]: { can_push: true, expected_end_timestamp: null },
    [second]: { can_push: true, expected_end_timestamp: null },
    [closed]: { can_push: false, expected_end_timestamp: null },
  });
  await client.servers.announce({ realm_counts: [{ id: 6 }], installation_counts: [] });
  expect(await client.servers.analyticsStatus()).toEqual({
    last_realm_count_id: 7,
    last_installation_count_id: 3,
    last_realmauditlog_id: 9,
  });
  expect(
    await refusal(client.push.notify({ realm_uuid: closed, push_requests: [] })),
  ).toMatchObject({ code: 'PUSH_NOTIFICATIONS_DISALLOWED' });
});

test.each([
  ['Chat.Example.com.', 'chat.example.com'],
  ['chat。example.com:443', 'chat.example.com'],
  ['bücher.example.com:8443', 'xn--bcher-kva.example.com:8443'],
  ['no host at all', 'no host at all'],
])('the host %s of an announced realm is stored as %s', async (host, stored) => {
  const { client } = await bouncer.addServer();
  const realm = { ...realmOf(randomUUID()), host };
  await client.servers.announce({ realm_counts: [], installation_counts: [], realms: [realm] });
  const row = await bouncer.kysely
    .selectFrom('remote_realm')
    .select('host')
    .where('realm_uuid', '=', realm.uuid)
    .executeTakeFirst();
  expect(row).toEqual({ host: stored });
});

test('of realms with one UUID in an announcement the last one is stored', async () => {
  const { client, realmUuid } = await bouncer.addServer();
  const realm = realmOf(realmUuid);
  const { realms } = await client.servers.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [realm, { ...realm, uuid: realmUuid.toUpperCase(), deactivated: true }],
  });
  expect(realms).toMatchObject({ [realmUuid]: { can_push: false } });
});

test('announce removes null bytes from the texts of a realm, and quotation marks around the version', async () => {
  const { client, serverUuid, realmUuid } = await bouncer.addServer();
  const realm = {
    ...realmOf(realmUuid),
    name: 'a\0b',
    host: 'c\0.example.com',
    url: 'https://\0d',
  };
  await client.servers.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [realm],
    version: '"1\0.0"',
  });
  const stored = await bouncer.kysely
    .selectFrom('remote_realm')
    .innerJoin('remote_server', 'remote_server.server_uuid', 'remote_realm.server_uuid')
    .select(['name', 'host', 'url', 'version'])
    .where('remote_realm.server_uuid', '=', serverUuid)
    .executeTakeFirst();
  expect(stored).toEqual({
    name: 'ab',
    host: 'c.example.com',
    url: 'https://d',
    version: '1.0',
  });
});

test('a realm moves only from a deactivated server and with its secret', async () => {
  const [from, to] = [await bouncer.addServer(), await bouncer.addServer()];
  const claim = (realm = realmOf(from.realmUuid)) =>
    refusal(
      to.client.servers.announce({ realm_counts: [], installation_counts: [], realms: [realm] }),
    );
  const mismatch = { code: 'REMOTE_REALM_SERVER_MISMATCH_ERROR', status: 403 };
  expect(await claim()).toEqual(mismatch);
  await from.client.servers.deactivate();
  expect(await claim({ ...realmOf(from.realmUuid), uuid_owner_secret: 'guess' })).toEqual(mismatch);
  expect(await claim()).toBe('success');
});

test('of two servers that announce a realm at the same time, one owns it', async () => {
  const [one, two] = [await bouncer.addServer(), await bouncer.addServer()];
  const announce = ({ client }: typeof one, uuids: readonly string[], secret: string) =>
    refusal(
      client.servers.announce({
        realm_counts: [],
        installation_counts: [],
        realms: uuids.map((uuid) => ({ ...realmOf(uuid), uuid_owner_secret: secret })),
      }),
    );
  for (let round = 0; round < 20; round++) {
    const uuids = [randomUUID(), randomUUID(), randomUUID()];
    const answers = await Promise.all([
      announce(one, uuids, 'of one'),
      announce(two, uuids.toReversed(), 'of two'),
    ]);
    expect(answers).toContain('success');
    expect(answers).toContainEqual({ code: 'REMOTE_REALM_SERVER_MISMATCH_ERROR', status: 403 });
    const [owner, loser] = answers[0] === 'success' ? [one, two] : [two, one];
    const [realm_uuid = ''] = uuids;
    const notify = ({ client }: typeof one) =>
      client.push.notify({ realm_uuid, push_requests: [] });
    expect(await refusal(notify(owner))).toBe('success');
    expect(await refusal(notify(loser))).toMatchObject({ status: 403 });
  }
});

test('requests beyond the limit of a server are answered 429', async () => {
  await using small = await startTestBouncer({
    config: { quotas: { ...defaultQuotas, requests_per_minute: 3 } },
  });
  small.nextMinute();
  const [server, other] = [await small.addServer(), await small.addServer()];
  const ask = ({ serverUuid, key }: typeof server) =>
    fetch(`${small.url}/api/v1/remotes/server/analytics/status`, {
      headers: { authorization: `Basic ${btoa(`${serverUuid}:${key}`)}` },
    });
  const second = await ask(server);
  expect(second.headers.get('x-ratelimit-limit')).toBe('3');
  expect(second.headers.get('x-ratelimit-remaining')).toBe('1');
  await ask(server);
  const fourth = await ask(server);
  expect([fourth.status, await fourth.json()]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
  expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(other)).status).toBe(200);
});
