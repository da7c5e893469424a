import { randomUUID } from 'node:crypto';

import { freePorts } from '@bellhop/http/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { startOperatedBouncer } from '../operated-bouncer.fixture.ts';
import { operatorGroups } from './operator-tree.ts';

const serverUuid = randomUUID();
const hostname = 'chat.example.com';

let bouncer: Awaited<ReturnType<typeof startOperatedBouncer>>;
beforeAll(async () => {
  bouncer = await startOperatedBouncer();
  await bouncer.kysely
    .insertInto('remote_server')
    .values({
      server_uuid: serverUuid,
      key_hash: Buffer.from('hash'),
      former_key_hash: null,
      former_key_until: null,
      hostname,
      contact_email: 'admin@example.com',
      version: null,
    })
    .execute();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const run = (...args: readonly string[]) => runBellhop('bouncer', ...args);
const servers = (...args: readonly string[]) => run('servers', ...args);
const access = (...args: readonly string[]) => run('access', ...args);
const jsonOf = (text: string): unknown => JSON.parse(text);

test.each([
  ['corp:ada', 'corpada'],
  [':', 'unknown'],
])(
  'an operator with the account name %s is let in, and the audit log has %s',
  async (name, logged) => {
    vi.stubEnv('SUDO_USER', name);
    onTestFinished(() => void vi.stubEnv('SUDO_USER', ''));
    expect(await access('ban', 'no.example')).toMatchObject({ code: 0, err: '' });
    const { out } = await run('audit', 'list', '--limit', '1', '--json');
    expect(jsonOf(out)).toMatchObject({ actor: `operator ${logged}` });
    await access('unban', 'no.example');
  },
);

test('bellhop bouncer servers list prints a table, and JSON with --json', async () => {
  const table = await servers('list');
  expect(table.out).toMatch(/^server_uuid +hostname .*\n/);
  expect(table.out).toMatch(new RegExp(`\n${serverUuid} +${hostname} .* active `));
  const { out } = await servers('list', '--json');
  expect(jsonOf(out)).toMatchObject({ server_uuid: serverUuid, state: 'active', devices: 0 });
});

test('bellhop bouncer access invite prints number, end and token of the invitation', async () => {
  const { code, out } = await access('invite', '--hours', '1');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^# Invitation (\d+): a chat server may register with it, once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n# "bellhop bouncer access revoke \1" takes it back\.\nBELLHOP_BOUNCER_REGISTRATION_TOKEN=[0-9a-f]{64}\n$/,
  );
  const named = randomUUID();
  const { out: told } = await access('invite', '--server-uuid', named);
  expect(told).toMatch(
    new RegExp(`^# Invitation \\d+: the chat server ${named} may register, without a token, once`),
  );
  expect(told).not.toContain('TOKEN=');
  expect(jsonOf((await access('invite', '--json')).out)).toEqual({
    number: expect.any(Number),
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    expires_ms: expect.any(Number),
  });
  expect((await access('invite', '--hours', '0')).code).toBe(2);
  expect((await access('invite', '--server-uuid', 'me')).err).toContain('UUID');
});

test('an invitation is listed without its token, and cannot be used once it is revoked', async () => {
  const invited = await access('invite');
  const [, number = '', token = ''] = /Invitation (\d+)[^]*TOKEN=(\w+)/.exec(invited.out) ?? [];
  const { out } = await access('list', '--json');
  expect(out).not.toContain(token);
  expect(jsonOf(out)).toMatchObject({
    invitations: expect.arrayContaining([expect.objectContaining({ number: Number(number) })]),
  });
  expect((await access('revoke', number)).out).toBe(
    `Nobody can register with invitation ${number} any more.\n`,
  );
  expect((await access('list')).out).not.toMatch(new RegExp(`^${number} `, 'm'));
  expect((await access('revoke', number)).err).toContain(`no open invitation ${number}`);
  const { out: audit } = await run('audit', 'list', '--json');
  expect(audit).toMatch(new RegExp(`"invitation_revoked".*"invitation":${number}`));
});

test('a server is deactivated, activated, banned and shown', async () => {
  const setActive = async (subject: string, active: string) =>
    jsonOf((await servers('set-active', subject, '--active', active, '--json')).out);
  expect(await setActive(hostname, 'false')).toEqual({ hostname, changed: true });
  expect(await setActive(serverUuid, 'false')).toEqual({ hostname, changed: false });
  expect(await setActive(hostname, 'true')).toEqual({ hostname, changed: true });
  expect((await servers('set-active', hostname, '--active', 'true')).out).toBe(
    `${hostname} was active already.\n`,
  );
  const maybe = await servers('set-active', hostname, '--active', 'maybe');
  expect([maybe.code, maybe.err]).toEqual([2, expect.stringContaining('write true or false')]);
  expect((await access('ban', '*.example.com')).out).toBe(
    `*.example.com is banned, and with it the registered chat server ${hostname}.\n`,
  );
  expect((await access('unban', '*.example.com')).out).toBe('*.example.com is no longer banned.\n');
  expect((await access('ban', 'Bad.example', '--reason', 'spam')).out).toBe(
    'Bad.example is banned. No chat server that is registered, and was not banned before, is affected.\n',
  );
  expect(jsonOf((await access('list', '--json')).out)).toMatchObject({
    bans: [{ subject: 'bad.example', reason: 'spam' }],
  });
  await access('unban', 'bad.example');
  expect((await access('list')).out).toContain('No bans.\n');
  const audit = await run('audit', 'list', '--server', hostname, '--limit', '1', '--json');
  expect(jsonOf(audit.out)).toMatchObject({ action: 'server_activated', server_uuid: serverUuid });
  const { out } = await servers('show', hostname);
  expect(out).toMatch(/^server_uuid +[-0-9a-f]{36}$/m);
  expect(out).toMatch(/operator \S+ +server_activated/);
  const shown = jsonOf((await servers('show', hostname, '--json')).out);
  expect(shown).toMatchObject({ server: { hostname }, realms: [], audit: expect.any(Array) });
  expect(JSON.stringify(shown)).not.toContain('hash');
});

test('bellhop bouncer servers set-quotas sets quotas, and show prints them', async () => {
  const said = await servers('set-quotas', hostname, 'realm_devices=7', 'server_devices=unlimited');
  expect(said.out).toBe(
    `server_devices of ${hostname} is now unlimited.\nrealm_devices of ${hostname} is now 7.\n`,
  );
  expect((await servers('show', hostname)).out).toMatch(
    /\nserver_devices +unlimited +unlimited +-\n/,
  );
  expect((await servers('set-quotas', hostname, 'server_devices=default')).out).toBe(
    `server_devices of ${hostname} is now 2000000, the default.\n`,
  );
  const { out } = await servers('show', hostname, '--json');
  expect(jsonOf(out)).toMatchObject({
    quotas: expect.arrayContaining([
      { quota: 'realm_devices', value: 7, limit: 7, used: null },
      { quota: 'server_devices', value: 'default', limit: 2_000_000, used: null },
      { quota: 'requests_per_minute', value: 'default', limit: 1_000, used: 0 },
    ]),
    audit: expect.arrayContaining([
      expect.objectContaining({ action: 'quota_set', detail: { server_devices: 'default' } }),
    ]),
  });
  expect((await servers('set-quotas', '--help')).out).toContain(
    'server: ID or host name of a chat server; name=value: Values by quota, ',
  );
  for (const [wrong, advice] of [
    [[], 'at least one NAME=VALUE'],
    [['realm_devices'], 'NAME=VALUE instead of realm_devices'],
    [['devices=1'], 'devices is no quota: write one of requests_per_minute, '],
    [['realm_devices=-1'], 'write a whole number, unlimited or default'],
    [['realm_devices=5=100'], 'write a whole number, unlimited or default'],
    [['realm_devices=5', 'realm_devices=6'], 'realm_devices is given twice'],
  ] as const) {
    const { code, err } = await servers('set-quotas', hostname, ...wrong);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(advice);
  }
});

test.each(['.', '..'])('%s is no chat server, and nothing else is asked for', async (server) => {
  for (const command of [['show'], ['delete', '--yes'], ['set-active', '--active', 'false']])
    expect(await servers(...command, server)).toMatchObject({
      code: 1,
      out: '',
      err: `server must not be "${server}"\n`,
    });
});

test('the help of an operation names no path of the API', async () => {
  for (const [resource, operations] of Object.entries(operatorGroups))
    for (const verb of Object.keys(operations.commands)) {
      const { out } = await run(resource, verb, '--help');
      expect(out, `${resource} ${verb}`).not.toMatch(/(GET|POST|PATCH|DELETE) \/|_ms\b|\bms\b/);
    }
});

test('an operation fails with one line for an unknown server or ban', async () => {
  for (const [command, subject, ...flags] of [
    ['servers show', 'nowhere'],
    ['servers set-active', 'nowhere', '--active', 'true'],
    ['access unban', 'nowhere'],
    ['access ban', 'https://nowhere'],
  ] as const) {
    const { code, err } = await run(...command.split(' '), subject, ...flags);
    expect(code).toBe(1);
    expect(err).toMatch(/^[^\n]*nowhere[^\n]*\n$/);
  }
});

test('a command says which token it lacks, that it is wrong, and that no bouncer answers', async () => {
  const token = process.env['BELLHOP_BOUNCER_OPERATOR_TOKEN'];
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', '');
  expect((await servers('list')).err).toContain('BELLHOP_BOUNCER_OPERATOR_TOKEN is not set');
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', 'x'.repeat(40));
  expect(await servers('list')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The operator token is wrong'),
  });
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', token);
  const [port = 0] = await freePorts(1);
  vi.stubEnv('BELLHOP_BOUNCER_URL', `http://127.0.0.1:${port}`);
  const { code, err } = await access('invite');
  vi.stubEnv('BELLHOP_BOUNCER_URL', bouncer.url);
  expect([code, err]).toEqual([
    1,
    `No bouncer answers at http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}\n`,
  ]);
});

test.each(['nonsense', 'ftp://x', 'localhost:9'])(
  'BELLHOP_BOUNCER_URL=%s is refused',
  async (url) => {
    vi.stubEnv('BELLHOP_BOUNCER_URL', url);
    const { code, err } = await servers('list');
    vi.stubEnv('BELLHOP_BOUNCER_URL', bouncer.url);
    expect({ code, err }).toEqual({
      code: 1,
      err: `BELLHOP_BOUNCER_URL: ${url} is no HTTP address. Write one such as http://127.0.0.1:8081\n`,
    });
  },
);

test('the port 0 of a bouncer needs its address, and does not matter beside it', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_PORT', '0');
  onTestFinished(() => {
    vi.stubEnv('BELLHOP_BOUNCER_PORT', '');
    vi.stubEnv('BELLHOP_BOUNCER_URL', bouncer.url);
  });
  expect((await servers('list')).code).toBe(0);
  vi.stubEnv('BELLHOP_BOUNCER_URL', '');
  const { code, err } = await servers('list');
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /^BELLHOP_BOUNCER_PORT is 0, any free port: set BELLHOP_BOUNCER_URL/,
    ),
  });
});

test('values out of range are refused in the words and units that people type', async () => {
  const step = await run('outcomes', 'list', '--step', '2d');
  expect(step.code).toBe(2);
  expect(step.err).toContain('write how long, from 1s to 1d');
  const quota = await servers('set-quotas', hostname, 'realm_devices=9007199254740992');
  expect(quota.code).toBe(2);
  expect(quota.err).toContain('realm_devices=9007199254740992: the number is too large');
  expect((await runBellhop('device', 'add', '')).err).toContain('write 1 to 40 characters');
});
