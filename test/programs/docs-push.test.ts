import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { commandsOf, endsOwnProcesses } from '../docs/commands-of.ts';
import { examplePhones } from '../support/example-phones.ts';
import { bin } from '../support/program.ts';

/** The commands of phones.md from the token of the app on, for the phone that they name. */
const appOfYours = /^AUTHORIZATION=[^]*^PHONE=.*\n[^]*$/m;
const withEachPhone = (commands: string): string =>
  examplePhones
    .map(({ generation, program, file }) => {
      const name = generation === 'device' ? 'device_id' : 'push_account_id';
      const phone = `PHONE='${program} docs/push/examples/${file}' NAME=${name}`;
      return commands.replace(/^PHONE=.*$/m, `${phone}\necho "with ${file}"`);
    })
    .join('\n');

test('the commands of docs/push bring a message to two phones and a browser, and remove it when it is read', async () => {
  await using ends = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'push-docs-'));
  ends.defer(() => rm(home, { recursive: true, force: true }));
  const [folder, tools] = [join(home, 'push'), join(home, 'bin')];
  await mkdir(folder);
  await mkdir(tools);
  await symlink(bin, join(tools, 'bellhop'));
  // The pages are for a clone.
  await symlink(join(import.meta.dirname, '../../docs'), join(folder, 'docs'));
  const commands = [
    'docs/push/README.md',
    'docs/push/phones.md',
    'docs/push/simulator.md',
    'docs/push/conform.md',
  ]
    .map((page) => commandsOf(page))
    .map((text) => text.replace(appOfYours, withEachPhone))
    .join('\n')
    .replace(/^export BELLHOP_PORT=.*\n/m, '');
  const run = promisify(execFile)('bash', ['-euc', `${endsOwnProcesses}\n${commands}`], {
    cwd: folder,
    timeout: 400_000,
    maxBuffer: 16 * 1_048_576,
    env: {
      PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      TMPDIR: tmpdir(),
      BELLHOP_PORT: '0',
    },
  });
  const { stdout } = await run.catch(
    async (error: { stdout?: string; stderr?: string; message: string }) => {
      const logs = await Promise.all(
        ['sandbox.log', 'arrived.txt', 'simulator.log'].map((name) =>
          readFile(join(folder, name), 'utf8').catch(() => ''),
        ),
      );
      throw new Error([error.message, error.stdout, error.stderr, ...logs].join('\n'));
    },
  );
  for (const name of ['pixel', 'iphone', 'firefox']) {
    expect(stdout).toMatch(
      new RegExp(`^[\\d:]{8} ${name} {2}message \\d+, direct, .*lunch\\?$`, 'm'),
    );
    expect(stdout).toMatch(new RegExp(`^[\\d:]{8} ${name} {2}remove \\d+$`, 'm'));
  }
  expect(stdout).toMatch(/ iphone: arrived at the first attempt$/m);
  expect(stdout).toMatch(/^Browser \(webpush\) received /m);
  const [, ...apps] = stdout.split(/^(?=with phone)/m);
  expect(apps.map((app) => app.split('\n')[0])).toEqual(
    examplePhones.map(({ file }) => `with ${file}`),
  );
  for (const app of apps) expect(app).toMatch(/^\{"type":"test",.*"realm_url":/m);
  expect(stdout).toMatch(/^stock \(fcm, .* is registered at http/m);
  expect(stdout).toMatch(/^stock has the new push_key_id \d+\.$/m);
  expect(stdout).toContain('tablet (fcm, app org.bellhop.phone, which it does not name)');
  expect(stdout.match(/It conforms\./g)).toHaveLength(3);
}, 420_000);
