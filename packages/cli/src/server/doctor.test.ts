import { mkdtempDisposable } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrations } from '@bellhop/bouncer/operator';
import { listen } from '@bellhop/http';
import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { createServer, readConfig } from '@bellhop/server';
import { serverMigrations, type Tables } from '@bellhop/server/provision';
import { startS3 } from '@bellhop/server/s3-server';
import { startSmtpServer } from '@bellhop/server/smtp-server';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

import { startOperatedBouncer } from '../bouncer/operated-bouncer.fixture.ts';
import { type Castle, startCastle } from '../castle.fixture.ts';
import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';

const castle: Castle = await startCastle();
const [closed] = await freePorts(1);
const smtp = await startSmtpServer({ login: { user: 'chat', password: 'hush-hush' } });
const good: Readonly<Record<string, string>> = {
  ...castle.env,
  DATABASE_URL: castle.url,
  BELLHOP_EXTERNAL_URL: 'https://chat.invalid',
  BELLHOP_BEHIND_PROXY: 'true',
  BELLHOP_SMTP_HOST: '127.0.0.1',
  BELLHOP_SMTP_PORT: String(smtp.port),
  BELLHOP_SMTP_SECURITY: 'none',
  BELLHOP_SMTP_USER: 'chat',
  BELLHOP_SMTP_PASSWORD: 'hush-hush',
};
beforeEach(() => stubVariables(good));
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await smtp[Symbol.asyncDispose]();
  await castle[Symbol.asyncDispose]();
});

const doctor = (...flags: readonly string[]) => runBellhop('server', 'doctor', ...flags);

test('bellhop server doctor passes a server that runs, with its mail, store, bouncer and clocks', async () => {
  await using ends = new AsyncDisposableStack();
  const store = ends.use(await startS3());
  const { url: BELLHOP_BOUNCER_URL } = ends.use(
    await startOperatedBouncer({ BELLHOP_BOUNCER_SERVERS: 'any' }),
  );
  const login = {
    BELLHOP_BOUNCER_URL,
    BELLHOP_BOUNCER_ORG_ID: crypto.randomUUID(),
    BELLHOP_BOUNCER_ORG_KEY: 'k'.repeat(64),
  };
  const env = { ...castle.env, ...store.env, ...login, BELLHOP_EXTERNAL_URL: 'http://127.0.0.1' };
  const server = await createServer({
    config: readConfig(env),
    db: castle.database,
    log: pino({ level: 'silent' }),
  });
  ends.defer(() => server.stop());
  const { url, stop } = await listen(server.listener);
  ends.defer(() => stop(0));
  stubVariables({ ...good, ...store.env, ...login, BELLHOP_EXTERNAL_URL: url });
  // The server registers itself soon after its start.
  await expect
    .poll(async () => (await doctor()).out, { timeout: 20_000 })
    .toContain(`ok    bouncer: registration: knows this server, ${login.BELLHOP_BOUNCER_ORG_ID}`);
  const { code, out } = await doctor();
  const host = new URL(BELLHOP_BOUNCER_URL).host;
  for (const line of [
    'ok    configuration: every variable can be used',
    `ok    answer: a chat server answers at ${url}`,
    'ok    clock: database: agrees',
    'ok    database: standbys: none: the backup',
    'ok    database: tables: are those of this version',
    'ok    secret: opens the keys in the database',
    'ok    organizations: 1',
    `ok    files: the store takes, returns and removes them, at ${store.url}`,
    'ok    jobs: none is more than ten minutes late',
    `ok    mail: 127.0.0.1:${smtp.port} takes mails, as chat`,
    `ok    bouncer: ${host}: reached`,
    `ok    clock: ${host}: agrees`,
  ])
    expect(out).toContain(line);
  expect(out).not.toContain('FAIL');
  expect(out).toMatch(/The server can run\.\n$/);
  expect(code).toBe(0);
  expect(store.objects.size).toBe(0);
  expect(smtp.received).toEqual([]);
  // Tests have a PostgreSQL that does not wait for its disk.
  expect(out).toMatch(
    /WARN {2}database: disk: fsync and full_page_writes are off.*\n {6}Set fsync = on, full_page_writes = on, in postgresql\.conf/,
  );
}, 60_000);

test.each([
  [
    'two wrong variables',
    { BELLHOP_PORT: 'x', BELLHOP_STOP_DELAY: '-1' },
    /FAIL {2}configuration: BELLHOP_PORT: must be.*\n {6}"bellhop server run --help" explains.*\nFAIL {2}configuration: BELLHOP_STOP_DELAY/,
  ],
  ['a missing secret', { BELLHOP_SECRET: '' }, /FAIL {2}configuration: BELLHOP_SECRET: /],
  ['a misspelt variable', { BELLHOP_PROT: '1' }, /FAIL {2}configuration: .*BELLHOP_PORT/],
  [
    'no database',
    { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
    /FAIL {2}database: .*ECONNREFUSED.*\n {6}Check host, port, name, password and sslmode in DATABASE_URL/,
  ],
  [
    'another secret',
    { BELLHOP_SECRET: 'another secret for tests, and for tests' },
    /FAIL {2}secret: BELLHOP_SECRET is not the secret .* encrypted\n {6}Set the one that the server had before/,
  ],
  [
    'a mail server that is away',
    { BELLHOP_SMTP_PORT: '1' },
    /FAIL {2}mail: 127\.0\.0\.1:1: .*ECONNREFUSED.*\n {6}Nothing listens at 127/,
  ],
  [
    'a wrong password of the mail server',
    { BELLHOP_SMTP_PASSWORD: 'wrong' },
    /FAIL {2}mail: .*Invalid login.*\n {6}Check BELLHOP_SMTP_USER and BELLHOP_SMTP_PASSWORD/,
  ],
  [
    'a mail server without the encryption',
    { BELLHOP_SMTP_SECURITY: 'starttls' },
    /FAIL {2}mail: .*\n {6}Set BELLHOP_SMTP_SECURITY to what this port speaks/,
  ],
  [
    'a bouncer that is away',
    {
      BELLHOP_BOUNCER_URL: `http://127.0.0.1:${closed}`,
      BELLHOP_BOUNCER_ORG_ID: crypto.randomUUID(),
      BELLHOP_BOUNCER_ORG_KEY: 'k'.repeat(64),
    },
    /FAIL {2}bouncer: 127\.0\.0\.1:\d+: .*ECONNREFUSED.*\n {6}Pushes wait meanwhile: nothing listens/,
  ],
  [
    'a store of files that is away',
    {
      BELLHOP_FILES: 's3',
      BELLHOP_S3_BUCKET: 'files',
      BELLHOP_S3_ENDPOINT: 'http://127.0.0.1:1',
      BELLHOP_S3_ACCESS_KEY_ID: 'a',
      BELLHOP_S3_SECRET_ACCESS_KEY: 'b',
    },
    /FAIL {2}files: .*\n {6}Check BELLHOP_S3_ENDPOINT, and that the store runs/,
  ],
] as const)('bellhop server doctor fails for %s and says what to do', async (_fault, env, line) => {
  stubVariables(env);
  const { code, out } = await doctor();
  expect(out).toMatch(line);
  expect(code).toBe(1);
  expect(out).not.toContain('hush-hush');
});

test.each([
  [
    'an address that only this machine reaches',
    { BELLHOP_EXTERNAL_URL: 'http://localhost:4600' },
    /WARN {2}public URL: http:\/\/localhost:4600 is an address of this machine alone.*\n {6}Set BELLHOP_EXTERNAL_URL/,
  ],
  [
    'passwords without encryption',
    { BELLHOP_EXTERNAL_URL: 'http://chat.invalid' },
    /WARN {2}public URL: .* is not encrypted/,
  ],
  [
    'a proxy that the server does not know of',
    { BELLHOP_BEHIND_PROXY: '' },
    /WARN {2}public URL: .*one rate limit\n {6}Set BELLHOP_BEHIND_PROXY=true/,
  ],
  [
    'a public address that nobody finds',
    {},
    /WARN {2}answer: nobody answers at https:\/\/chat\.invalid: .*\n {6}If the server runs: this machine cannot resolve/,
  ],
  [
    'metrics for everybody',
    { BELLHOP_METRICS_PORT: '9600', BELLHOP_METRICS_HOST: '0.0.0.0' },
    /WARN {2}metrics: .*no login/,
  ],
  [
    'mails that everybody reads',
    { BELLHOP_MAIL_OUTBOX_READABLE: 'true' },
    /WARN {2}outbox: .*\n {6}Set BELLHOP_MAIL_OUTBOX_READABLE=false/,
  ],
  [
    'no mail server',
    { BELLHOP_SMTP_HOST: '' },
    /WARN {2}mail: .*nobody gets one\n {6}Set BELLHOP_SMTP_HOST/,
  ],
  [
    'a sender whom others refuse',
    { BELLHOP_MAIL_FROM: 'noreply@x.localhost' },
    /WARN {2}mail: sender: mails come from noreply@x\.localhost/,
  ],
] as const)('bellhop server doctor warns of %s, with code 0', async (_what, env, line) => {
  stubVariables(env);
  const { code, out } = await doctor();
  expect(out).toMatch(line);
  expect([code, out]).toEqual([0, expect.not.stringContaining('FAIL')]);
});

test('bellhop server doctor warns of late jobs and of a server without an organization', async () => {
  await using empty = await startCastle();
  const { kysely } = empty.database;
  await sql`insert into job (id, name, lane, payload, due_at)
    values (gen_random_uuid(), 'x', 'mail', '{}', now() - interval '11 minutes')`.execute(kysely);
  stubVariables({ ...good, DATABASE_URL: empty.url });
  expect((await doctor()).out).toMatch(
    /WARN {2}jobs: more than ten minutes late: 1 of the lane mail\n {6}Start a server/,
  );
  await sql`delete from job`.execute(kysely);
  await sql`truncate realm cascade`.execute(kysely);
  expect((await doctor()).out).toMatch(
    /WARN {2}organizations: there is none.*\n {6}Start the server/,
  );
});

test('bellhop server doctor warns of migrations that have not run and of an embedded PostgreSQL, and fails for the tables of a bouncer', async () => {
  await using fresh = await createTestDatabase();
  stubVariables({ DATABASE_URL: fresh.url });
  const before = await doctor('--json');
  expect(before.out).toContain(
    '"check":"database: tables","state":"ok","detail":"none yet: the next start of the chat server makes them"',
  );
  expect(before.code).toBe(0);
  await using older = await createTestDatabase<Tables>({ migrations: serverMigrations });
  await sql`delete from schema_migration
    where package = 'server' and number = (select max(number) from schema_migration where package = 'server')`.execute(
    older.database.kysely,
  );
  stubVariables({ DATABASE_URL: older.url });
  expect((await doctor()).out).toMatch(
    /WARN {2}database: tables: 1 migration has not run: server\/\d{4}-[\w-]+\.sql\n {6}The next start of the chat server runs them/,
  );
  await using bouncer = await createTestDatabase({ migrations });
  stubVariables({ DATABASE_URL: bouncer.url });
  expect((await doctor()).out).toMatch(
    /FAIL {2}database: tables: This database belongs to a bouncer, not to a chat server\n {6}Name the database of the chat server in DATABASE_URL/,
  );
  await using directory = await mkdtempDisposable(join(tmpdir(), 'server-doctor-'));
  stubVariables({ DATABASE_URL: '', BELLHOP_DATA_DIR: join(directory.path, 'data') });
  const embedded = await doctor();
  expect(embedded.out).toMatch(/WARN {2}database: the embedded PostgreSQL is used/);
  expect(embedded.out).toMatch(/database: space: \d+\.\d GiB are free for /);
  expect(embedded.code).toBe(0);
});

test('bellhop server doctor says what answers in the place of the server and of the bouncer', async () => {
  await using ends = new AsyncDisposableStack();
  let status = 404;
  const other = createHttpServer((_request, response) => response.writeHead(status).end('{}'));
  const { url, stop } = await listen((request, response) => {
    other.emit('request', request, response);
  });
  ends.defer(() => stop(0));
  stubVariables({
    BELLHOP_EXTERNAL_URL: url,
    BELLHOP_BOUNCER_URL: url,
    BELLHOP_BOUNCER_ORG_ID: crypto.randomUUID(),
    BELLHOP_BOUNCER_ORG_KEY: 'k'.repeat(64),
  });
  const foreign = await doctor();
  expect(foreign.out).toMatch(
    /FAIL {2}answer: .* answers with status 404, not as a chat server\n {6}Let the proxy pass all paths/,
  );
  expect(foreign.out).toMatch(
    /FAIL {2}bouncer: registration: .* answers with status 404.*\n {6}Compare BELLHOP_BOUNCER_URL/,
  );
  status = 502;
  expect((await doctor()).out).toMatch(/status 502.*\n {6}The proxy does not reach the server/);
  status = 401;
  expect((await doctor()).out).toMatch(/WARN {2}bouncer: registration: does not know this server/);
});
