import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';

import { commandsOf, endsOwnProcesses } from '../docs/commands-of.ts';
import { pageText } from '../docs/examples-in.ts';
import { bin } from '../support/program.ts';

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
  const [, lines = ''] =
    /^## Run it for real$[^]*?^```sh\n([^]*?)^```$/m.exec(pageText('README.md')) ?? [];
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
