import { randomUUID } from 'node:crypto';
import { mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { lockDirectory } from '@bellhop/directory-lock';
import { startConnectProxy } from '@bellhop/http/proxy/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { serverMigrations } from '@bellhop/server/provision';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';
import { newSecrets } from '../secrets/new-secrets.ts';

const database = await createTestDatabase<BouncerTables>({ migrations });
const empty = await createTestDatabase();
const simulator = await startSimulator();
afterAll(async () => {
  await simulator.stop();
  await empty[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

beforeEach(() => {
  simulator.faults.clear();
  const environment = {
    ...bouncerEnvironment(simulator),
    ...parseEnv(newSecrets('keys')),
    BELLHOP_BOUNCER_DATABASE_URL: database.url,
    BELLHOP_BOUNCER_SERVERS: randomUUID(),
    BELLHOP_BOUNCER_BEHIND_PROXY: 'true',
  };
  stubVariables(environment);
});
afterEach(() => vi.unstubAllEnvs());

const doctor = (...flags: readonly string[]) => runBellhop('bouncer', 'doctor', ...flags);

test('bellhop bouncer doctor passes a bouncer that can run, and notifies no phone', async () => {
  const phone = simulator.addDevice({ kind: 'fcm' });
  const { code, out } = await doctor();
  // Tests have a PostgreSQL that does not wait for its disk.
  expect(out.match(/^(?:FAIL|WARN) .*$/gm)).toEqual([
    expect.stringMatching(/^WARN {2}database: disk: fsync and full_page_writes are off/),
  ]);
  for (const line of [
    'ok    configuration: every variable can be used',
    'ok    registration: open to 1 listed chat servers',
    'ok    database: tables: are those of this version',
    'ok    keys: 1 key pair for registrations',
    'ok    APNs: credentials: accepted by APNs',
    'ok    FCM: credentials: accepted by FCM',
    `ok    Web Push: ${new URL(simulator.webpush_url).host}: reached`,
    'ok    Web Push: credentials: browsers subscribe with B',
  ])
    expect(out).toContain(line);
  expect(out).toMatch(/ok {4}clock: 127\.0\.0\.1:\d+: agrees/);
  expect(out).toMatch(/The bouncer can run\.\n$/);
  expect(code).toBe(0);
  expect(simulator.devices.received(phone.token)).toEqual([]);
});

test.each([
  [
    'a missing variable',
    { BELLHOP_BOUNCER_APNS_TEAM_ID: '' },
    /BELLHOP_BOUNCER_APNS_TEAM_ID is not/,
  ],
  ['a misspelt variable', { BELLHOP_BOUNCER_PROT: '1' }, /is BELLHOP_BOUNCER_PORT meant\?/],
  [
    'a VAPID subject that nobody reaches',
    { BELLHOP_BOUNCER_VAPID_SUBJECT: 'mailto:push@localhost' },
    /FAIL {2}configuration: BELLHOP_BOUNCER_VAPID_SUBJECT: names localhost, which push services cannot reach/,
  ],
  [
    'no database',
    { BELLHOP_BOUNCER_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
    /FAIL {2}database: .*\n {6}Check host, port/,
  ],
  [
    'an unreachable provider',
    { BELLHOP_BOUNCER_APNS_URL: 'https://127.0.0.1:1' },
    /FAIL {2}APNs: 127\.0\.0\.1:1: .*ECONNREFUSED.*\n {6}Let the firewall/,
  ],
  [
    'an unknown host name',
    { BELLHOP_BOUNCER_FCM_URL: 'https://fcm.invalid' },
    /FAIL {2}FCM: fcm\.invalid: .*\n {6}This machine cannot resolve fcm\.invalid/,
  ],
  [
    'a certificate of a stranger',
    { BELLHOP_BOUNCER_PROVIDER_CA: '' },
    /FAIL {2}APNs: .*certificate.*\n {6}The certificate that .* is of an authority that is not known here.*BELLHOP_BOUNCER_PROVIDER_CA_FILE/,
  ],
  [
    'a key of another team',
    { BELLHOP_BOUNCER_APNS_TEAM_ID: 'ANOTHER123' },
    /FAIL {2}APNs: credentials: .*InvalidProviderToken.*\n {6}Compare BELLHOP_BOUNCER_APNS_KEY_ID/,
  ],
] as const)(
  'bellhop bouncer doctor fails for %s and says what to do',
  async (_fault, env, line) => {
    stubVariables(env);
    const { code, out } = await doctor();
    expect(out).toMatch(line);
    expect(code).toBe(1);
  },
);

/** The database as another role sees it, which owns nothing. */
async function asStranger(url: string): Promise<string> {
  const role = `stranger_${randomUUID().replaceAll('-', '')}`;
  const { kysely } = url === empty.url ? empty.database : database.database;
  await sql.raw(`create role ${role} login`).execute(kysely);
  await sql.raw(`grant pg_read_all_data to ${role}`).execute(kysely);
  const changed = new URL(url);
  changed.username = role;
  return changed.href;
}

test('bellhop bouncer doctor fails for a role that may not create tables, with the line of SQL', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', await asStranger(empty.url));
  const { code, out } = await doctor();
  expect(out).toMatch(
    /FAIL {2}database: rights: the role (stranger_\w+) may not create tables in the schema public\n {6}As a superuser, in the database \w+: grant usage, create on schema public to \1;/,
  );
  expect(code).toBe(1);
});

test('bellhop bouncer doctor fails for a role that does not own the tables', async () => {
  const url = await asStranger(database.url);
  await sql
    .raw(`grant create on schema public to ${new URL(url).username}`)
    .execute(database.database.kysely);
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', url);
  const { code, out } = await doctor();
  expect(out).toMatch(/FAIL {2}database: rights: the role \w+ does not own these tables.*device/);
  expect(code).toBe(1);
});

test('bellhop bouncer doctor fails for the tables of a newer version', async () => {
  await using newer = await createTestDatabase<BouncerTables>({ migrations });
  await sql`insert into schema_migration (package, number, name, checksum)
    values ('bouncer', 999, '0999-later.sql', 'x')`.execute(newer.database.kysely);
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', newer.url);
  const { code, out } = await doctor();
  expect(out).toMatch(/FAIL {2}database: tables: The database is newer than this program/);
  expect(code).toBe(1);
});

test('bellhop bouncer doctor fails for a data directory that cannot be used, warns of one in use, and changes neither', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'bellhop-doctor-'));
  const { path } = directory;
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', '');
  const doctorOf = (dataDir: string) => {
    vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
    return doctor();
  };
  expect(await doctorOf(join(path, 'new', 'data'))).toMatchObject({ code: 0 });
  await writeFile(join(path, 'file'), '');
  const file = await doctorOf(join(path, 'file', 'data'));
  expect(file.code).toBe(1);
  expect(file.out).toMatch(
    /FAIL {2}database: directory: .*file is no directory\n {6}Set BELLHOP_DATA_DIR/,
  );
  await mkdir(join(path, 'foreign', 'cluster'), { recursive: true });
  await writeFile(join(path, 'foreign', 'cluster', 'x'), '');
  const foreign = await doctorOf(join(path, 'foreign'));
  expect(foreign.code).toBe(1);
  expect(foreign.out).toMatch(
    /FAIL {2}database: directory: .*cluster is no directory of PostgreSQL/,
  );
  await mkdir(join(path, 'used'));
  const lock = await lockDirectory(join(path, 'used'), { otherHost: 'refuse' });
  const used = await doctorOf(join(path, 'used'));
  await lock.release();
  expect(used.code).toBe(0);
  expect(used.out).toContain(`WARN  database: directory: process ${process.pid} uses `);
  expect((await readdir(path, { recursive: true })).toSorted()).toEqual([
    'file',
    'foreign',
    'foreign/cluster',
    'foreign/cluster/x',
    'used',
  ]);
});

test('bellhop bouncer doctor lists the migrations that have not run, each once, with code 0', async () => {
  await using older = await createTestDatabase<BouncerTables>({ migrations });
  await sql`delete from schema_migration where package = 'bouncer' and number > 1`.execute(
    older.database.kysely,
  );
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', older.url);
  const { code, out } = await doctor();
  const [, count, list = ''] =
    /WARN {2}database: tables: (\d+) migrations have not run: (.*)/.exec(out) ?? [];
  expect(new Set(list.split(', ')).size).toBe(Number(count));
  expect(Number(count)).toBeGreaterThan(5);
  expect(code).toBe(0);
});

test('bellhop bouncer doctor fails for the database of a chat server', async () => {
  await using chat = await createTestDatabase({ migrations: serverMigrations });
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', chat.url);
  const { code, out } = await doctor();
  expect(out).toMatch(
    /FAIL {2}database: tables: This database belongs to a chat server, not to a bouncer\n {6}Name the database of the bouncer in/,
  );
  expect(code).toBe(1);
});

test('bellhop bouncer doctor fails for an app to which the key may not send, and names it', async () => {
  const { code, out } = await doctor('--app', 'org.example.wrong');
  expect(out).toMatch(
    /FAIL {2}APNs: credentials: TopicDisallowed\n {6}Is org\.example\.wrong an app/,
  );
  expect(code).toBe(1);
});

test('bellhop bouncer doctor warns of open registration and plain HTTP, with code 0', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_SERVERS', 'any');
  vi.stubEnv('BELLHOP_BOUNCER_BEHIND_PROXY', '');
  vi.stubEnv('BELLHOP_BOUNCER_HOST', '0.0.0.0');
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', empty.url);
  const { code, out } = await doctor();
  expect(out).toMatch(/WARN {2}registration: everybody who reaches/);
  expect(out).toMatch(/WARN {2}addresses: serves plain HTTP on 0\.0\.0\.0/);
  expect(out).toContain(
    'ok    database: tables: none yet: the next start of the bouncer makes them',
  );
  expect(code).toBe(0);
  vi.stubEnv('BELLHOP_BOUNCER_SERVERS', '');
  const { out: closed } = await doctor('--json');
  expect(closed).toContain('"check":"registration","state":"ok","detail":"closed');
});

test('bellhop bouncer doctor reaches the providers through HTTPS_PROXY, and names the address that a proxy refuses', async () => {
  const proxy = await startConnectProxy({ login: 'ada:hush-hush' });
  try {
    vi.stubEnv('HTTPS_PROXY', `http://ada:hush-hush@${proxy.host}`);
    const good = await doctor();
    expect(good.out).toContain(`ok    proxy: providers are reached through http://${proxy.host}`);
    expect(good.out).toMatch(/ok {4}APNs: .*: reached, over HTTP\/2, through the proxy http:/);
    expect(good.code).toBe(0);
    const { apns_url, fcm_url, webpush_url } = simulator;
    for (const url of [apns_url, fcm_url, webpush_url])
      expect(proxy.asked).toContain(new URL(url).host);
    vi.stubEnv('HTTPS_PROXY', `http://ada:wrong@${proxy.host}`);
    const login = await doctor();
    expect(login.code).toBe(1);
    for (const title of ['APNs', 'FCM', 'Web Push'])
      expect(login.out).toMatch(
        new RegExp(`FAIL  ${title}: .* wants a login \\(407\\)\n {6}Put a user and password`),
      );
    proxy.set({ answer: 502 });
    const refused = await doctor();
    expect(refused.out).toMatch(
      /FAIL {2}APNs: .* \(status 502\)\n {6}Let the proxy pass CONNECT to/,
    );
    for (const { out } of [good, login, refused]) expect(out).not.toMatch(/hush|wrong/);
    vi.stubEnv('NO_PROXY', '127.0.0.0/8');
    expect((await doctor()).code).toBe(0);
  } finally {
    await proxy.stop();
  }
});

test('the fault about an unusable HTTPS_PROXY does not contain its value', async () => {
  vi.stubEnv('HTTPS_PROXY', 'socks5://ada:hush-hush@127.0.0.1');
  const { code, out } = await doctor();
  expect(out).toContain('FAIL  configuration: HTTPS_PROXY: must be the address of an HTTP proxy');
  expect(out).not.toContain('hush');
  expect(code).toBe(1);
});
