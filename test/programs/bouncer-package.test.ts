import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { variables } from '@bellhop/bouncer/variables';
import { newSecrets } from '@bellhop/cli/secrets';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { copyImageContext } from '../support/image-context.ts';
import { bin, startProgram } from '../support/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const operations = join(root, 'packages/bouncer/operations');
const operationsFile = (name: string) => readFileSync(join(operations, name), 'utf8');

test('a bouncer bundled alone is ready without Express, and has no other command', async () => {
  await using ends = new AsyncDisposableStack();
  const { url } = ends.use(await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'bouncer-package-'));
  ends.defer(() => rm(folder, { recursive: true }));
  const [, script = '', part = ''] =
    /^RUN node (\S+) (\S+) \/bellhop$/m.exec(operationsFile('Containerfile')) ?? [];
  const context = join(folder, 'context');
  copyImageContext(join(operations, 'Containerfile.dockerignore'), context);
  const made = join(folder, 'made');
  await promisify(execFile)(process.execPath, [join(context, script), part, made]);
  for (const page of globSync(join(made, 'express-pages-*.js'))) rmSync(page);
  const bin = join(made, 'bellhop.js');
  const program = ends.use(
    await startProgram(['bouncer'], {
      bin,
      ready: /"msg":"listening"/,
      env: {
        BELLHOP_BOUNCER_DATABASE_URL: url,
        BELLHOP_BOUNCER_KEYS: newSecrets('keys').split('BELLHOP_BOUNCER_KEYS=')[1] ?? '',
        BELLHOP_BOUNCER_PORT: '0',
      },
    }),
  );
  const address = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ status: 'ready' });
  const server = spawnSync(process.execPath, [bin, 'server'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(server.status).toBe(1);
  expect(server.stderr).toBe(
    'This installation has no @bellhop/server, which the command needs: it is that of one service alone.\n',
  );
  const version = execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  const list = execFileSync(process.execPath, [bin, 'bouncer', '--help'], { encoding: 'utf8' });
  const commandNames = [...list.matchAll(/^ {2}(\w[\w-]*) {2,}[A-Z]/gm)].map(
    ([, name = '']) => name,
  );
  expect(commandNames).toContain('doctor');
  await Promise.all(
    commandNames.map(async (name) => {
      const help = promisify(execFile)(process.execPath, [bin, 'bouncer', name, '--help']);
      const ended = await help.then(
        () => 'helps',
        (error: { stderr: string }) => error.stderr,
      );
      expect(ended, name).toBe('helps');
    }),
  );
  const all = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
  expect(all).toMatch(/^ {2}bouncer +[A-Z]/m);
  expect(all).not.toMatch(/^ {2}(?:server|sandbox|device) /m);
  execFileSync(process.execPath, [bin, 'trace', '--help']);
  // It plays a chat server.
  const conform = spawnSync(process.execPath, [bin, 'conform', 'bouncer'], { encoding: 'utf8' });
  expect(conform.stderr).toContain('This installation has no @bellhop/push-conform');
}, 120_000);

test('a bundle replaces an older one, and no folder with other files', async () => {
  await using ends = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bouncer-folder-'));
  ends.defer(() => rm(folder, { recursive: true }));
  const bundle = () =>
    spawnSync(process.execPath, [join(root, 'scripts/bundle.ts'), 'bouncer', folder], {
      encoding: 'utf8',
      timeout: 40_000,
    });
  writeFileSync(join(folder, 'thesis.txt'), 'the only copy');
  const refused = bundle();
  expect(refused.stderr).toContain(`${folder} has other files`);
  expect(refused.status).toBe(1);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
  rmSync(join(folder, 'thesis.txt'));
  const made = bundle();
  expect(made.status).toBe(0);
  expect(made.stdout).toMatch(
    / has the bouncer, \d MB\. It starts with: node \S+bellhop\.js bouncer\n$/,
  );
  writeFileSync(join(folder, 'old-1234.js'), '');
  expect(bundle().status).toBe(0);
  expect(readdirSync(folder)).toContain('bellhop.js');
  expect(readdirSync(folder)).not.toContain('old-1234.js');
}, 120_000);

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      environment: z.record(z.string(), z.string()),
      secrets: z.array(z.string()),
    }),
  ),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const withFiles = Object.entries(variables).flatMap(([name, variable]) =>
  'orFile' in variable ? [name, `${name}_FILE`] : [name],
);

test('the compose file of the bouncer names variables, secrets and files that exist', () => {
  const { services, secrets } = Compose.parse(parse(operationsFile('compose.yml')));
  const { bouncer } = services;
  if (!bouncer?.build) throw new Error('the compose file builds no bouncer');
  for (const name of Object.keys(bouncer.environment)) expect(withFiles).toContain(name);
  for (const { secrets: used } of Object.values(services))
    for (const name of used) expect(Object.keys(secrets)).toContain(name);
  for (const { environment } of Object.values(services))
    for (const [, name] of JSON.stringify(environment).matchAll(/\/run\/secrets\/([\w.-]+)/g))
      expect(Object.keys(secrets)).toContain(name);
  expect(join(operations, bouncer.build.context, '.')).toBe(join(root, '.'));
  expect(existsSync(join(root, bouncer.build.dockerfile))).toBe(true);
  expect(operationsFile('Containerfile')).toMatch(/\nUSER node\n/);
});

test("the operator's command uses the environment and the credentials of the systemd unit", async () => {
  await using ends = new AsyncDisposableStack();
  const { url } = ends.use(await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'bouncer-command-'));
  ends.defer(() => rm(folder, { recursive: true }));
  const credentials = {
    BELLHOP_BOUNCER_DATABASE_URL: url,
    BELLHOP_BOUNCER_ENCRYPTION_KEY: 'an encryption key of more than 32 characters',
    BELLHOP_BOUNCER_OPERATOR_TOKEN: 'an operator token of more than 32 characters',
  };
  mkdirSync(join(folder, 'credentials'));
  for (const [name, value] of Object.entries(credentials))
    writeFileSync(join(folder, 'credentials', name), `${value}\n`, { mode: 0o600 });
  writeFileSync(
    join(folder, 'environment'),
    "# A comment\nBELLHOP_BOUNCER_SERVERS='any'\nBELLHOP_BOUNCER_PORT=1\n",
  );
  const script = operationsFile('bellhop-bouncer-command')
    .replace('/etc/bellhop-bouncer', folder)
    .replace('/opt/bellhop/bellhop.js', bin)
    .replace('/usr/bin/env node', process.execPath);
  const command = (...args: readonly string[]) =>
    execFileSync('sh', ['-c', script, 'bellhop-bouncer-command', ...args], {
      encoding: 'utf8',
      timeout: 60_000,
    });
  expect(command('keys', 'first').trim()).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  // It has the token, and no bouncer runs.
  expect(() => command('keys', 'list')).toThrow(/No bouncer answers at http:\/\/127\.0\.0\.1:1:/);
  expect(command('doctor')).toContain('everybody who reaches this address');
}, 180_000);

test('the systemd unit of the bouncer loads credentials under names of variables, and systemd accepts it', () => {
  const unit = operationsFile('bellhop-bouncer.service');
  const loaded = [
    ...unit.matchAll(/^LoadCredential=(\w+):\/etc\/bellhop-bouncer\/credentials\/\1$/gm),
  ];
  expect(loaded.length).toBeGreaterThan(3);
  for (const [, name] of loaded) expect(withFiles).toContain(`${name}_FILE`);
  const [, script = ''] = /^ExecStart=\S+ node (\S+) bouncer$/m.exec(unit) ?? [];
  // The file that the bundle begins with.
  expect(script).toBe('/opt/bellhop/bellhop.js');
  // Not every machine has systemd.
  if (globSync('/usr/bin/systemd-analyze').length === 0) return;
  const path = join(operations, 'bellhop-bouncer.service');
  execFileSync('systemd-analyze', ['verify', path], { timeout: 20_000 });
  const security = ['security', '--offline=true', '--threshold=20', path];
  execFileSync('systemd-analyze', security, { timeout: 20_000 });
});
