import { randomUUID } from 'node:crypto';

import { ApiError } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ban, unban } from '../operator/ban.ts';
import { invite } from '../operator/invite.ts';
import { type Operator, OperatorError } from '../operator/operator.ts';
import { setServerActive } from '../operator/set-server-active.ts';
import { randomKey, startTestBouncer, type TestBouncer } from '../test-bouncer.fixture.ts';

const closed = { registration: { servers: [], token: undefined } };
const VALID_MS = 3_600_000;

let bouncer: TestBouncer;
let otherNode: string;
let operator: Operator;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  otherNode = await bouncer.addNode(closed);
  operator = { database: bouncer.database, name: 'olivia', now: bouncer.now };
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** Registers a new server at a node that is closed to strangers. Returns its ID, or the error's code. */
async function register({
  token,
  serverUuid = randomUUID(),
  hostname = `${serverUuid}.example.com`,
  url = otherNode,
}: {
  token?: string | undefined;
  serverUuid?: string;
  hostname?: string;
  url?: string;
} = {}): Promise<string> {
  try {
    await bouncer.clientOf(undefined, undefined, url).servers.register({
      zulip_org_id: serverUuid,
      zulip_org_key: randomKey(),
      hostname,
      contact_email: 'admin@example.com',
      ...(token === undefined ? {} : { registration_token: token }),
    });
    return serverUuid;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
const auditOf = (serverUuid: string) =>
  bouncer.kysely
    .selectFrom('audit_entry')
    .select(['actor', 'action', 'detail'])
    .where('server_uuid', '=', serverUuid)
    .orderBy('number')
    .execute();
const statusAt = (url: string, { serverUuid, key }: { serverUuid: string; key: string }) =>
  bouncer
    .clientOf(serverUuid, key, url)
    .servers.analyticsStatus()
    .then(
      () => 'success',
      (error: ApiError) => `${error.status} ${error.message}`,
    );

describe('an invitation', () => {
  test('lets one server register, once, and is stored as a hash only', async () => {
    const { token } = await invite(operator, { validMs: VALID_MS, serverUuid: undefined });
    expect(await register()).toBe('INVALID_ZULIP_SERVER');
    const serverUuid = await register({ token });
    expect(serverUuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await register({ token })).toBe('INVALID_ZULIP_SERVER');
    const stored = await bouncer.kysely.selectFrom('invitation').selectAll().execute();
    const text = stored.map(({ token_hash }) => token_hash?.toString('latin1') ?? '').join();
    expect(text).not.toContain(token);
    expect(await auditOf(serverUuid)).toEqual([
      {
        actor: 'server',
        action: 'server_registered',
        detail: {
          hostname: `${serverUuid}.example.com`,
          permission: expect.stringMatching(/^invitation \d+$/),
        },
      },
    ]);
  });

  test('registers one of several servers that use it at the same time at two nodes', async () => {
    await bouncer.reload(closed);
    const { token } = await invite(operator, { validMs: VALID_MS, serverUuid: undefined });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        register({ token, url: at % 2 === 0 ? bouncer.url : otherNode }),
      ),
    );
    await bouncer.reload({});
    expect(answers.filter((answer) => answer !== 'INVALID_ZULIP_SERVER')).toHaveLength(1);
  });

  test('expires', async () => {
    const { token } = await invite(operator, { validMs: VALID_MS, serverUuid: undefined });
    bouncer.clock.offsetMs = VALID_MS + 1;
    const answer = await register({ token });
    bouncer.clock.offsetMs = 0;
    expect(answer).toBe('INVALID_ZULIP_SERVER');
  });

  test('stays valid if the registration fails', async () => {
    const { token } = await invite(operator, { validMs: VALID_MS, serverUuid: undefined });
    const first = await bouncer.addServer();
    const hostname = `${first.serverUuid.slice(0, 8)}.example.com`;
    expect(await register({ token, hostname })).toBe('HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR');
    expect(await register({ token })).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('by the ID of a server needs no token, and lets no other server register', async () => {
    const serverUuid = randomUUID();
    await invite(operator, { validMs: VALID_MS, serverUuid });
    expect(await register()).toBe('INVALID_ZULIP_SERVER');
    expect(await register({ serverUuid })).toBe(serverUuid);
    await expect(invite(operator, { validMs: VALID_MS, serverUuid })).rejects.toThrow(
      OperatorError,
    );
    expect(await auditOf(serverUuid)).toMatchObject([
      { actor: 'operator olivia', action: 'server_invited' },
      { actor: 'server', action: 'server_registered' },
    ]);
  });
});

describe('a ban', () => {
  test('of an ID ends the calls of that server at all nodes at once, until it is taken back', async () => {
    const [server, other] = [await bouncer.addServer(), await bouncer.addServer()];
    expect(await ban(operator, server.serverUuid.toUpperCase(), 'spam')).toEqual([
      `${server.serverUuid.slice(0, 8)}.example.com`,
    ]);
    for (const url of [bouncer.url, otherNode]) {
      expect(await statusAt(url, server)).toMatch(/^401 The chat server is banned/);
      expect(await statusAt(url, other)).toBe('success');
    }
    expect(await statusAt(otherNode, { ...server, key: randomKey() })).not.toContain('banned');
    await unban(operator, server.serverUuid);
    expect(await statusAt(otherNode, server)).toBe('success');
    expect(await auditOf(server.serverUuid)).toMatchObject([
      { action: 'server_registered' },
      { actor: 'operator olivia', action: 'server_banned', detail: { reason: 'spam' } },
      { actor: 'operator olivia', action: 'server_unbanned' },
    ]);
  });

  test('of host names applies to registered and new servers, with a port and in any letter case', async () => {
    const token = async () =>
      (await invite(operator, { validMs: VALID_MS, serverUuid: undefined })).token;
    await ban(operator, '*.Bad_guys.example', '');
    expect(await register({ token: await token(), hostname: 'a.BAD_GUYS.example:8443' })).toBe(
      'INVALID_ZULIP_SERVER',
    );
    expect(await register({ token: await token(), hostname: 'a.badXguys.example' })).toMatch(/-/);
    expect(await register({ token: await token(), hostname: 'bad_guys.example' })).toMatch(/-/);
    await unban(operator, '*.bad_guys.example');
    expect(await register({ token: await token(), hostname: 'a.bad_guys.example' })).toMatch(/-/);
    await expect(unban(operator, '*.bad_guys.example')).rejects.toThrow(OperatorError);
    for (const none of [
      '',
      '*',
      '*.*',
      'https://bad.example',
      'bad.example:8443',
      'a..b',
      'bü*.example',
    ])
      await expect(ban(operator, none, '')).rejects.toThrow(OperatorError);
  });

  test('of host names applies to every spelling of them', async () => {
    const token = async () =>
      (await invite(operator, { validMs: VALID_MS, serverUuid: undefined })).token;
    await ban(operator, '*.Evil。example.', '');
    await ban(operator, 'Bücher.example', '');
    for (const hostname of [
      'a.evil.example',
      'a.evil.example.',
      'A.EVIL.EXAMPLE.:8443',
      'a。evil．example',
      'ａ.evil.example',
      'a.ev\u00ADil.example',
      'xn--bcher-kva.example',
      'bücher.example:443',
    ])
      expect([hostname, await register({ token: await token(), hostname })]).toEqual([
        hostname,
        'INVALID_ZULIP_SERVER',
      ]);
    await unban(operator, '*.evil.example');
    await unban(operator, 'xn--bcher-kva.example.');
  });
});

test('the operator deactivates a server and activates it again, unless its host name is taken', async () => {
  const server = await bouncer.addServer();
  const hostname = `${server.serverUuid.slice(0, 8)}.example.com`;
  expect(await setServerActive(operator, hostname, false)).toEqual({ hostname, hasChanged: true });
  expect(await statusAt(otherNode, server)).toMatch(/^401 The chat server was deactivated/);
  expect(await setServerActive(operator, hostname, true)).toEqual({ hostname, hasChanged: true });
  expect(await setServerActive(operator, hostname, true)).toEqual({ hostname, hasChanged: false });
  expect(await statusAt(otherNode, server)).toBe('success');
  await setServerActive(operator, hostname, false);
  await register({ hostname, url: bouncer.url });
  await expect(setServerActive(operator, server.serverUuid, true)).rejects.toThrow(
    `Another active chat server has the host name ${hostname}.`,
  );
});

test('the operator finds a server by every spelling of its host name', async () => {
  const server = await bouncer.addServer();
  const hostname = `${server.serverUuid.slice(0, 8)}.example.com`;
  for (const spelling of [`${hostname}.`, hostname.toUpperCase(), `${hostname}:443`])
    expect(await setServerActive(operator, spelling, true)).toMatchObject({ hostname });
});

test('the start warns of open registration', () => {
  expect(bouncer.logged()).toContain('BELLHOP_BOUNCER_SERVERS is any');
});
