import { randomUUID } from 'node:crypto';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';

const serverUuid = randomUUID();
const hostname = 'chat.example.com';

let created: TestDatabase<BouncerTables>;
beforeAll(async () => {
  created = await createTestDatabase<BouncerTables>({ migrations });
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  await created.database.kysely
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
afterAll(async () => {
  vi.unstubAllEnvs();
  await created[Symbol.asyncDispose]();
});

const servers = (...args: readonly string[]) => runBellhop('bouncer', 'servers', ...args);
const jsonOf = (text: string): unknown => JSON.parse(text);

test('bellhop bouncer servers list prints a table, and JSON with --json', async () => {
  const table = await servers('list');
  expect(table.out).toMatch(/^server_uuid +hostname +state +created_at +realms +devices\n/);
  expect(table.out).toMatch(new RegExp(`\n${serverUuid} +${hostname} +active +[-0-9: ]+0 +0\n$`));
  const { out } = await servers('list', '--json');
  expect(jsonOf(out)).toMatchObject({ server_uuid: serverUuid, state: 'active', devices: 0 });
});

test('bellhop bouncer servers invite prints the token of the invitation, which is not stored', async () => {
  const { code, out } = await servers('invite', '--hours', '1');
  expect(code).toBe(0);
  expect(out).toMatch(/\nBELLHOP_BOUNCER_REGISTRATION_TOKEN=[0-9a-f]{64}\n$/);
  const named = await servers('invite', '--server', randomUUID());
  expect(named.out).toMatch(/^The chat server [-0-9a-f]{36} may register, once, until .* UTC\.\n$/);
  expect((await servers('invite', '--hours', '0')).code).toBe(2);
  expect((await servers('invite', '--server', 'me')).err).toContain('write a UUID');
});

test('an invitation is listed without its token, and cannot be used once it is revoked', async () => {
  const [, token = ''] = /TOKEN=(\w+)/.exec((await servers('invite')).out) ?? [];
  const { out } = await servers('invitations', '--json');
  expect(out).not.toContain(token);
  const [line = ''] = out.split('\n');
  const { invitation_number, server_uuid } = jsonOf(line) as Record<string, unknown>;
  expect(server_uuid).toBeNull();
  const number = String(invitation_number);
  expect((await servers('revoke', number)).out).toBe(`Invitation ${number} is revoked.\n`);
  expect((await servers('invitations')).out).not.toMatch(new RegExp(`^${number} `, 'm'));
  expect((await servers('revoke', number)).err).toContain(`no open invitation ${number}`);
  const { out: audit } = await runBellhop('bouncer', 'audit', '--json');
  expect(audit).toMatch(new RegExp(`"invitation_revoked".*"invitation":${number}`));
});

test('bellhop bouncer servers deactivates, activates, bans and shows a server', async () => {
  const lines = [
    ['deactivate', hostname, `The chat server ${hostname} is now deactivated.`],
    ['deactivate', serverUuid, `The chat server ${hostname} is already deactivated.`],
    ['activate', hostname, `The chat server ${hostname} is now active.`],
    ['ban', '*.example.com', `"*.example.com" is banned, and so are these servers: ${hostname}.`],
    ['unban', '*.example.com', '"*.example.com" is no longer banned.'],
  ] as const;
  for (const [command, subject, said] of lines)
    expect(await servers(command, subject)).toEqual({ code: 0, out: `${said}\n`, err: '' });
  await servers('ban', 'Bad.example', '--reason', 'spam');
  expect(jsonOf((await servers('bans', '--json')).out)).toMatchObject({
    subject: 'bad.example',
    reason: 'spam',
  });
  await servers('unban', 'bad.example');
  expect((await servers('bans')).out).toBe('Nobody is banned.\n');
  const audit = await runBellhop(
    'bouncer',
    'audit',
    '--server',
    hostname,
    '--limit',
    '1',
    '--json',
  );
  expect(jsonOf(audit.out)).toMatchObject({ action: 'server_activated', server_uuid: serverUuid });
  const { out } = await servers('show', hostname);
  expect(out).toMatch(/^server_uuid +[-0-9a-f]{36}$/m);
  expect(out).toMatch(/operator \S+ +server_activated/);
  const shown = jsonOf((await servers('show', hostname, '--json')).out);
  expect(shown).toMatchObject({ server: { hostname }, realms: [], audit: expect.any(Array) });
  expect(JSON.stringify(shown)).not.toContain('hash');
});

test('bellhop bouncer servers set-quota sets quotas, and show prints them', async () => {
  const said = await servers('set-quota', hostname, 'realm_devices=7', 'server_devices=unlimited');
  expect(said.out).toBe(
    `The chat server ${hostname} now has realm_devices=7, server_devices=unlimited.\n`,
  );
  await servers('set-quota', hostname, 'server_devices=default');
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
    const { code, err } = await servers('set-quota', hostname, ...wrong);
    expect(code).toBe(2);
    expect(err).toMatch(/^[^\n]+\n$/);
  }
});

test('bellhop bouncer servers fails with one line for an unknown server or ban', async () => {
  for (const [command, subject] of [
    ['show', 'nowhere'],
    ['activate', 'nowhere'],
    ['unban', 'nowhere'],
    ['ban', 'https://nowhere'],
  ] as const) {
    const { code, err } = await servers(command, subject);
    expect(code).toBe(1);
    expect(err).toMatch(/^[^\n]*nowhere[^\n]*\n$/);
  }
});
