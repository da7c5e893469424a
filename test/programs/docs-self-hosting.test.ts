import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { createClient } from '@bellhop/client';
import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';

import { block, commandsOf, endsOwnProcesses } from '../docs/commands-of.ts';
import { hasDebian, startDebian } from '../support/debian-postgres.ts';
import { bin, startProgram } from '../support/program.ts';

test('the commands of docs/self-hosting.md lead from an empty database to an owner who invites somebody', async () => {
  await using ends = new AsyncDisposableStack();
  const { url } = ends.use(await createTestDatabase());
  const home = await mkdtemp(join(tmpdir(), 'self-hosting-'));
  ends.defer(() => rm(home, { recursive: true, force: true }));
  const [folder, tools] = [join(home, 'chat'), join(home, 'bin')];
  await mkdir(folder);
  await mkdir(tools);
  await symlink(bin, join(tools, 'bellhop'));
  const [port] = await freePorts(1);
  const commands = commandsOf('docs/self-hosting.md').replace(/^export CHAT_PORT=.*\n/m, '');
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', `${endsOwnProcesses}\n${commands}`],
    {
      cwd: folder,
      timeout: 100_000,
      env: {
        PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: home,
        TMPDIR: tmpdir(),
        CHAT_PORT: String(port),
        DATABASE_URL: url,
      },
    },
  ).catch(async (error: { stdout?: string; stderr?: string; message: string }) => {
    const logs = await Promise.all(
      ['chat.log', 'owner.txt'].map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
    );
    throw new Error([error.message, error.stdout, error.stderr, ...logs].join('\n'));
  });
  expect(stdout).toContain('Created the realm "Bellhop" with its owner owner@example.com.');
  expect(stdout).toMatch(/To: ada@example\.com\n[^]*\/join\/\w+/);
  expect(stdout).toContain('owner@example.com has the right create-users now.');
}, 120_000);

test('the five lines of the README run a server, on which its owner signs in', async () => {
  await using ends = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'readme-server-'));
  ends.defer(() => rm(home, { recursive: true, force: true }));
  const [folder, tools] = [join(home, 'chat'), join(home, 'bin')];
  await mkdir(folder);
  await mkdir(tools);
  await symlink(bin, join(tools, 'bellhop'));
  const [port] = await freePorts(1);
  const lines = block('README.md', 'npm ci && npm run build');
  expect(lines.trim().split('\n')).toHaveLength(5);
  const script = lines
    // The clone of this test is installed.
    .replace('npm ci && npm run build\n', '')
    .replaceAll('npx bellhop', 'bellhop')
    .replaceAll('4600', String(port))
    .replace(/^(bellhop server)/m, 'exec $1');
  expect(script).toContain('exec bellhop server --owner you@example.com');
  const child = spawn('bash', ['-euc', script], {
    cwd: folder,
    env: {
      PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      TMPDIR: tmpdir(),
      BELLHOP_PORT: String(port),
      BELLHOP_STOP_DELAY: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  ends.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const passwordIn = () => /Shown once: password (\S+), API key/.exec(output)?.[1];
  await expect.poll(passwordIn, { timeout: 60_000, message: output }).toBeDefined();
  const signIn = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/console/session`, {
      method: 'POST',
      headers: { 'bellhop-console': 'none' },
      body: new URLSearchParams({ username: 'you@example.com', password: passwordIn() ?? '' }),
    }).then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(signIn, { timeout: 60_000 }).toBe(200);
  expect(output).toContain('BELLHOP_SMTP_HOST is not set: mails are written into the outbox');
  expect((await stat(join(folder, 'chat.env'))).mode & 0o077).toBe(0);
}, 150_000);

test('the commands of docs/self-hosting.md move an embedded PostgreSQL to the one of Debian', async ({
  skip,
}) => {
  skip(!hasDebian, 'postgresql-15 of Debian is not installed');
  await using stack = new AsyncDisposableStack();
  const own = await startDebian(stack);
  const home = await mkdtemp(join(tmpdir(), 'move-home-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  await symlink(bin, join(home, 'bellhop'));
  const env = {
    BELLHOP_SECRET: 'a secret for tests, and for tests only',
    BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
    BELLHOP_PORT: '0',
    BELLHOP_DATA_DIR: join(home, 'data'),
    BELLHOP_MAIL_OUTBOX: join(home, 'outbox'),
  };
  const start = async (more: Readonly<Record<string, string>>) => {
    const program = await startProgram(['server', '--owner', 'ada@chat.test'], {
      ready: /"msg":"listening"/,
      env: { ...env, ...more },
    });
    const url = /"url":"([^"]+)","msg":"listening"/.exec(program.output())?.[1] ?? '';
    return { program, url };
  };
  const before = await start({});
  const apiKey = /API key (\w+)/.exec(before.program.output())?.[1] ?? '';
  const login = { email: 'ada@chat.test', apiKey };
  const content = 'taken along \u{1F600}';
  const message = { type: 'direct' as const, to: ['ada@chat.test'], content };
  const { id } = await createClient({ ...login, url: before.url }).messages.send(message);
  expect(await before.program.signal('SIGTERM')).toBe(0);

  const commands = block('docs/self-hosting.md', 'export DATABASE_URL', [
    [/^export DATABASE_URL=.*$/m, `export DATABASE_URL='${own.url}'`],
  ]);
  expect(commands).toContain(own.url);
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], {
    cwd: home,
    timeout: 60_000,
    env: { ...env, PATH: `${home}:${dirname(process.execPath)}:${process.env['PATH']}` },
  });
  expect(stdout).toContain('Start the chat server with DATABASE_URL set.');

  const after = await start({ DATABASE_URL: own.url });
  stack.use(after.program);
  const ada = createClient({ ...login, url: after.url });
  const found = await ada.messages.fetchOne({ message_id: id, apply_markdown: false });
  expect(found.message.content).toBe(content);
  expect((await ada.messages.send(message)).id).toBe(id + 1);
  expect(after.program.output()).not.toMatch(/Created the realm|higher/);
}, 120_000);
