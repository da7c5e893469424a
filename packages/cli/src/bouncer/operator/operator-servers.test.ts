import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { startOperatedBouncer } from '../operated-bouncer.fixture.ts';

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

test('bellhop bouncer servers list prints a table, and JSON with --json', async () => {
  const table = await servers('list');
  expect(table.out).toMatch(/^server_uuid +hostname .*\n/);
  expect(table.out).toMatch(new RegExp(`\n${serverUuid} +${hostname} .* active `));
  const { out } = await servers('list', '--json');
  expect(jsonOf(out)).toMatchObject({ server_uuid: serverUuid, state: 'active', devices: 0 });
});

test('bellhop bouncer access invite prints the token of the invitation, which is not stored', async () => {
  const { code, out } = await access('invite', '--hours', '1');
  expect(code).toBe(0);
  expect(out).toMatch(/\nBELLHOP_BOUNCER_REGISTRATION_TOKEN=[0-9a-f]{64}\n$/);
  const named = await access('invite', '--server-uuid', randomUUID());
  expect(named.out).toMatch(/^# A chat server may register with it, once, until .* UTC\.\n$/);
  expect((await access('invite', '--hours', '0')).code).toBe(2);
  expect((await access('invite', '--server-uuid', 'me')).err).toContain('UUID');
});

test('an invitation is listed without its token, and cannot be used once it is revoked', async () => {
  const [, token = ''] = /TOKEN=(\w+)/.exec((await access('invite')).out) ?? [];
  const { out } = await access('list', '--json');
  expect(out).not.toContain(token);
  const { invitations } = jsonOf(out) as {
    invitations: { number: number; server_uuid: string | null }[];
  };
  const open = invitations.find(({ server_uuid }) => server_uuid === null);
  const number = String(open?.number);
  expect((await access('revoke', number)).out).toBe('Done.\n');
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
  expect((await access('ban', '*.example.com')).out).toBe(`${hostname}\n`);
  expect((await access('unban', '*.example.com')).out).toBe('Done.\n');
  expect((await access('ban', 'Bad.example', '--reason', 'spam')).out).toBe('No hostnames.\n');
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
  expect(said.out).toMatch(new RegExp(`^hostname +${hostname}$`, 'm'));
  await servers('set-quotas', hostname, 'server_devices=default');
  const { out } = await servers('show', hostname, '--json');
  expect(jsonOf(out)).toMatchObject({
    quotas: expect.arrayContaining([
      { quota: 'realm_devices', value: 7, used: null },
      { quota: 'server_devices', value: 'default', used: null },
      { quota: 'requests_per_minute', value: 'default', used: 0 },
    ]),
    audit: expect.arrayContaining([
      expect.objectContaining({ action: 'quota_set', detail: { server_devices: 'default' } }),
    ]),
  });
  for (const wrong of [[], ['realm_devices'], ['devices=1'], ['realm_devices=-1']]) {
    const { code, err } = await servers('set-quotas', hostname, ...wrong);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(/^[^\n]+\n$/);
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
  vi.stubEnv('BELLHOP_BOUNCER_URL', 'http://127.0.0.1:1');
  const { code, err } = await access('invite');
  vi.stubEnv('BELLHOP_BOUNCER_URL', bouncer.url);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('No bouncer answers at http://127.0.0.1:1'),
  ]);
});
