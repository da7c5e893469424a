import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';

import { commandsOf, endsOwnProcesses } from '../docs/commands-of.ts';
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
