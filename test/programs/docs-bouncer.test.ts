import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { expect, test } from 'vitest';

import { bouncerVariablesPage } from '../docs/bouncer-variables.ts';
import { commandsOf, endsOwnProcesses } from '../docs/commands-of.ts';
import { pageText } from '../docs/examples-in.ts';
import { tableRows } from '../docs/table-rows.ts';
import { bin } from '../support/program.ts';

test('docs/bouncer/variables.md lists every variable of the bouncer (npm run docs writes it)', async () => {
  expect(tableRows(pageText('docs/bouncer/variables.md'))).toEqual(
    tableRows(bouncerVariablesPage()),
  );
});

test('the commands of docs/bouncer lead from an empty folder to delivered pushes, a rotated key and a restored backup', async () => {
  await using ends = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'bouncer-docs-'));
  ends.defer(() => rm(home, { recursive: true, force: true }));
  const [folder, tools] = [join(home, 'bouncer'), join(home, 'bin')];
  await mkdir(folder);
  await mkdir(tools);
  await symlink(bin, join(tools, 'bellhop'));
  const [bouncerPort, chatPort] = await freePorts(2);
  const ports = /^export BOUNCER_PORT=.*\n/m;
  const commands = ['docs/bouncer/README.md', 'docs/bouncer/operations.md']
    .map((page) => commandsOf(page))
    .join('\n')
    .replace(ports, '');
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', `${endsOwnProcesses}\n${commands}`],
    {
      cwd: folder,
      timeout: 300_000,
      maxBuffer: 16 * 1_048_576,
      env: {
        PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: home,
        TMPDIR: tmpdir(),
        BOUNCER_PORT: String(bouncerPort),
        CHAT_PORT: String(chatPort),
      },
    },
  ).catch(async (error: { stdout?: string; stderr?: string; message: string }) => {
    const logs = await Promise.all(
      ['bouncer.log', 'chat.log', 'owner.txt'].map((name) =>
        readFile(join(folder, name), 'utf8').catch(() => ''),
      ),
    );
    throw new Error([error.message, error.stdout, error.stderr, ...logs].join('\n'));
  });
  const lines = stdout.split('\n');
  expect(lines).toContain('The bouncer can run.');
  const arrivals = lines.filter((line) => line.includes('test notification of Bellhop'));
  const phones = arrivals.map((line) => line.split(/ +/)[1]);
  // The three phones are asked at the same time.
  expect(new Set(phones.slice(0, 3))).toEqual(new Set(['android', 'iphone', 'work-iphone']));
  expect(phones.slice(3)).toEqual(['new-iphone']);
  const sent = Number(/^ *(\d+) sent$/m.exec(stdout)?.[1]);
  expect(sent).toBeGreaterThan(3);
  expect(stdout).not.toContain('FAILED');
  expect(stdout).toMatch(/environment .* 3 living devices registered with it/);
  expect(stdout).toMatch(/\napns +org\.example\.work +default +ok +- +1 /);
  // Devices are listed by their IDs, which are random.
  expect(stdout).toMatch(/\nAccepted: (APNs|FCM) took the notification/);
  expect(lines).toContain('No notifications.');
}, 320_000);
