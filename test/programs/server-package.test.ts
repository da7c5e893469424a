import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { createClient } from '@bellhop/client';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { readConfig, variables } from '@bellhop/server';
import { startS3 } from '@bellhop/server/s3-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { copyImageContext } from '../support/image-context.ts';
import { startProgram } from '../support/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const operations = join(root, 'packages/server/operations');
const operationsFile = (name: string) => readFileSync(join(operations, name), 'utf8');

let base: string;
let bundled: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'server-package-'));
  bundled = join(base, 'made');
  const [, script = '', part = ''] =
    /^RUN node (\S+) (\S+) \/bellhop$/m.exec(operationsFile('Containerfile')) ?? [];
  const context = join(base, 'context');
  copyImageContext(join(operations, 'Containerfile.dockerignore'), context);
  const args = [join(context, script), part, bundled, '--with-postgres'];
  await promisify(execFile)(process.execPath, args);
}, 120_000);
afterAll(() => rm(base, { recursive: true }));

/** A copy of the bundle, as on a machine that has nothing else, and an empty folder beside it. */
async function installed(name: string) {
  const folder = join(base, name);
  cpSync(bundled, folder, { recursive: true });
  const home = join(base, `${name} at home`);
  await mkdir(home);
  return { folder, home, bin: join(folder, 'bellhop.js') };
}
const secrets = {
  BELLHOP_SECRET: 'a secret for tests, and for tests only',
  BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
  BELLHOP_PORT: '0',
};
const { BELLHOP_SECRET, BELLHOP_EXTERNAL_URL } = secrets;
const secretsOnly = { BELLHOP_SECRET, BELLHOP_EXTERNAL_URL };
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

test('a server bundled alone leads through its first day on an empty database, without the SDK of the store', async () => {
  await using ends = new AsyncDisposableStack();
  const { url: DATABASE_URL } = ends.use(await createTestDatabase());
  const { folder, home, bin } = await installed('first day');
  const sdk = globSync(join(folder, '*.js')).filter((path) =>
    readFileSync(path, 'utf8').includes('AmazonS3'),
  );
  const env = { ...secrets, DATABASE_URL, BELLHOP_MAIL_OUTBOX: join(home, 'outbox') };
  const program = ends.use(
    await startProgram(['server', '--owner', 'owner@example.com'], {
      bin,
      ready: /"msg":"listening"/,
      env,
    }),
  );
  expect(sdk.length).toBeGreaterThan(0);
  for (const file of sdk) rmSync(file);
  const url = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  const password = /password (\w+),/.exec(program.output())?.[1] ?? '';
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
  const page = await fetch(`${url}/console/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);

  const login = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'owner@example.com', password }),
  });
  const { api_key } = (await login.json()) as { api_key: string };
  const owner = createClient({ url, email: 'owner@example.com', apiKey: api_key });
  await owner.subscriptions.add({ subscriptions: [{ name: 'general' }] });
  const file = new File([gif], 'dot.gif', { type: 'image/gif' });
  const uploaded = await owner.uploads.create({}, { file });
  await owner.linkifiers.add({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.test/{id}' });
  const { id: message_id } = await owner.messages.send({
    type: 'channel',
    to: 'general',
    topic: 'first day',
    content: `[photo](${uploaded.url}) #12 $$x^2$$ :tada:`,
  });
  const shown = async () =>
    (await owner.messages.fetchOne({ message_id, apply_markdown: true })).message.content;
  await expect.poll(shown, { timeout: 20_000 }).toContain('840x560.webp');
  const content = await shown();
  for (const part of ['https://x.test/12', '<math', 'emoji-1f389']) expect(content).toContain(part);
  const authorization = `Basic ${btoa(`owner@example.com:${api_key}`)}`;
  const got = await fetch(url + uploaded.url, { headers: { authorization } });
  expect(Buffer.from(await got.arrayBuffer()).equals(gif)).toBe(true);

  const bellhop = (...args: string[]) =>
    spawnSync(process.execPath, [bin, ...args], {
      encoding: 'utf8',
      cwd: home,
      env: { PATH: process.env['PATH'], ...env },
      timeout: 30_000,
    });
  const reset = bellhop('realm', 'reset-password', 'owner@example.com');
  expect([reset.stderr, reset.stdout]).toEqual([
    '',
    expect.stringMatching(/\/reset_password\/\w{32}\n$/),
  ]);
  const doctor = bellhop('server', 'doctor');
  expect([doctor.stderr, doctor.stdout]).toEqual([
    '',
    expect.stringContaining('ok    secret: opens the keys in the database'),
  ]);
  expect(bellhop('realm', 'deactivate').stdout).toContain('is now deactivated');
  expect(bellhop('secrets', 'server').stdout).toContain('BELLHOP_SECRET=');
  expect(bellhop('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const help = bellhop('--help').stdout;
  for (const name of ['server', 'realm', 'files', 'bouncer', 'secrets'])
    expect(help).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
  for (const name of ['sandbox', 'bot', 'device', 'mcp'])
    expect(help).not.toMatch(new RegExp(`^  ${name} `, 'm'));
  const other = bellhop('sandbox');
  expect(other.status).toBe(1);
  expect(other.stderr).toMatch(
    /^This installation has no @bellhop\/[\w-]+, which the command needs: it is that of one service alone\.\n$/,
  );
  expect(await program.signal('SIGTERM')).toBe(0);
}, 120_000);

test('a server bundled alone starts the embedded PostgreSQL that it was given, and stores files as objects', async () => {
  await using ends = new AsyncDisposableStack();
  const store = ends.use(await startS3());
  const { home, bin } = await installed('embedded');
  const program = ends.use(
    await startProgram(['server', '--owner', 'owner@example.com'], {
      bin,
      ready: /"msg":"listening"/,
      env: {
        ...secrets,
        ...store.env,
        BELLHOP_DATA_DIR: join(home, 'data'),
        BELLHOP_MAIL_OUTBOX: join(home, 'outbox'),
      },
    }),
  );
  const url = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  const apiKey = /API key (\w+)/.exec(program.output())?.[1] ?? '';
  const owner = createClient({ url, email: 'owner@example.com', apiKey });
  await owner.uploads.create({}, { file: new File(['hello'], 'hello.txt') });
  expect([...store.objects.values()].map(String)).toEqual(['hello']);
  expect(await program.signal('SIGTERM')).toBe(0);
}, 120_000);

test('a bundle has no links and nothing of the clone', () => {
  expect(readdirSync(bundled)).toEqual(
    expect.arrayContaining([
      'bellhop.js',
      'console',
      'image-process.js',
      'migrations',
      'node_modules',
      'sql',
    ]),
  );
  const scripts = globSync(join(bundled, '*.js'));
  for (const path of scripts)
    for (const place of [root, base])
      expect(readFileSync(path, 'utf8').includes(place), path).toBe(false);
});

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      env_file: z.string(),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()).optional(),
    }),
  ),
});

test('the compose file of the server names variables, files and a database that exist', () => {
  const text = operationsFile('compose.yml');
  const { server, database } = Compose.parse(parse(text)).services;
  if (!server?.build || !database) throw new Error('the compose file lacks a service');
  const names = variables.map(({ name }) => name);
  for (const name of Object.keys(server.environment)) expect(names).toContain(name);
  const head = text.slice(0, text.indexOf('name: '));
  for (const { env_file } of [server, database]) expect(head).toContain(`#   ${env_file} `);
  for (const [name] of head.matchAll(/BELLHOP_\w+/g)) expect(names).toContain(name);
  const { POSTGRES_USER, POSTGRES_DB } = database.environment;
  expect(head).toContain(`postgresql://${POSTGRES_USER}:PASSWORD@database:5432/${POSTGRES_DB}`);
  const { port } = readConfig(secretsOnly);
  expect(server.ports).toEqual([`127.0.0.1:${port}:${port}`, '127.0.0.1:9600:9600']);
  expect(join(operations, server.build.context, '.')).toBe(join(root, '.'));
  expect(join(root, server.build.dockerfile)).toBe(join(operations, 'Containerfile'));
  expect(operationsFile('Containerfile')).toMatch(/\nUSER node\n/);
  expect(operationsFile('Containerfile')).toMatch(/\nENV .*BELLHOP_HOST=0\.0\.0\.0/);
});

test('the systemd unit of the server starts the bundle, and systemd accepts it', () => {
  const unit = operationsFile('bellhop-server.service');
  expect(unit).toMatch(
    /^ExecStart=\/usr\/bin\/env node \/opt\/bellhop-server\/bellhop\.js server$/m,
  );
  // Not every machine has systemd.
  if (globSync('/usr/bin/systemd-analyze').length === 0) return;
  const path = join(operations, 'bellhop-server.service');
  execFileSync('systemd-analyze', ['verify', path], { timeout: 20_000 });
  const security = ['security', '--offline=true', '--threshold=20', path];
  execFileSync('systemd-analyze', security, { timeout: 20_000 });
});
