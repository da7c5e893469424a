import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { type BotProject, botProject } from '@bellhop/bot-cli/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { templates } from './new/new-project.ts';
import { toolVersions } from './new/tool-versions.ts';

let place: BotProject;
beforeAll(async () => {
  place = await botProject({}, fileURLToPath(new URL('../../bin/bellhop.js', import.meta.url)));
  // The first project builds the packages of the clone.
  await place.run(['bot', 'new', 'first']);
}, 300_000);
afterAll(() => place[Symbol.asyncDispose]());

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}
const manifestIn = async (directory: string) =>
  JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest;

test.each(templates)(
  'bot new --template %s makes a project whose bot answers in bot chat',
  async (template) => {
    const name = `My ${template}`;
    const made = await place.run(['bot', 'new', name, '--template', template]);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain(`  cd My ${template}\n  npm install\n  npm test\n`);
    expect(made.out).toContain('.env.example');
    const directory = join(place.directory, name);
    expect((await readdir(directory)).toSorted()).toEqual([
      '.dockerignore',
      '.env.example',
      '.github',
      '.gitignore',
      'Dockerfile',
      'README.md',
      'bot.test.ts',
      'bot.ts',
      'package.json',
      'tsconfig.json',
      'vendor',
    ]);
    const manifest = await manifestIn(directory);
    expect(manifest.name).toBe(`my-${template}`);
    const source = await readFile(join(directory, 'bot.ts'), 'utf8');
    expect('zod' in manifest.dependencies).toBe(source.includes("from 'zod'"));
    const talk = await place.run(['bot', 'chat', join(name, 'bot.ts')], { input: 'help\n' });
    expect(talk).toMatchObject({ code: 0, err: '' });
    expect(talk.out).toMatch(/^You: help\nBot: /);
  },
);

test('the types, the tests and the image of a new project take files in folders', async () => {
  const directory = join(place.directory, 'folders');
  expect(await place.run(['bot', 'new', 'folders'])).toMatchObject({ code: 0 });
  await mkdir(join(directory, 'handlers'));
  await place.write('folders/handlers/deploy.ts', 'export {};\n');
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    'package.json',
    'bin/tsc',
  );
  const shown = spawn(process.execPath, [tsc, '--showConfig'], { cwd: directory });
  expect(JSON.parse(await text(shown.stdout))).toMatchObject({
    files: expect.arrayContaining(['./bot.test.ts', './handlers/deploy.ts']) as unknown,
  });
  const lines = async (file: string) =>
    (await readFile(join(directory, file), 'utf8')).trimEnd().split('\n');
  expect(await lines('Dockerfile')).toContain('COPY . .');
  expect(await lines('.dockerignore')).toContain('**/*.test.ts');
});

test('no process of a generated project runs on after npm start gets SIGTERM', async () => {
  const directory = join(place.directory, 'stopped');
  expect(await place.run(['bot', 'new', 'stopped'])).toMatchObject({ code: 0 });
  const env = { BOT_EMAIL: 'echo-bot@chat.test', BOT_TOKEN: 'genuine', PORT: '0' };
  const npm = spawn('npm', ['start'], {
    cwd: directory,
    env: { ...process.env, ...env },
    detached: true,
  });
  using _group = { [Symbol.dispose]: () => killGroup(npm.pid) };
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  await expect.poll(() => output).toContain('listens on http');
  const url = /http\S+/.exec(output)?.[0] ?? '';
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
});

test('bot new from a clone depends on tarballs in the project and on the tools of the clone', async () => {
  const root = new URL('../../../../package.json', import.meta.url);
  const { devDependencies } = JSON.parse(await readFile(root, 'utf8')) as Manifest;
  const { zod, vite, ...tools } = toolVersions;
  expect(devDependencies).toMatchObject(tools);
  const ofVite = new URL('../../../../node_modules/vite/package.json', import.meta.url);
  expect(JSON.parse(await readFile(ofVite, 'utf8'))).toMatchObject({ version: vite });
  const protocol = new URL('../../../protocol/package.json', import.meta.url);
  const { peerDependencies } = JSON.parse(await readFile(protocol, 'utf8')) as Manifest;
  expect(peerDependencies['zod']).toBe(zod);
  expect(await place.run(['bot', 'new', 'vendored'])).toMatchObject({ code: 0 });
  const directory = join(place.directory, 'vendored');
  const { dependencies, devDependencies: dev, overrides } = await manifestIn(directory);
  const specs = [
    dependencies['@bellhop/bot'],
    dev['@bellhop/bot-cli'],
    ...Object.values(overrides),
  ];
  const files = specs.map((spec) => String(spec).replace(/^file:vendor\//, ''));
  expect(files.toSorted()).toEqual((await readdir(join(directory, 'vendor'))).toSorted());
  const names = files.map((file) => file.replace(/^bellhop-|-[\d.]+\.tgz$/g, ''));
  expect(names.toSorted()).toEqual(['bot', 'bot-cli', 'client', 'directory-lock', 'protocol']);
  expect(dev).toMatchObject({ vite, vitest: toolVersions.vitest });
  expect(await readFile(join(directory, 'package.json'), 'utf8')).not.toContain(tmpdir());
});

test('bot new refuses a directory with files and a path that is a file', async () => {
  await place.write('precious', 'text');
  const { err, code } = await place.run(['bot', 'new', '.']);
  expect(err).toContain('. is not empty');
  expect(code).toBe(1);
  expect(await readFile(join(place.directory, 'precious'), 'utf8')).toBe('text');
  expect(await place.run(['bot', 'new', 'precious'])).toMatchObject({
    code: 1,
    err: 'precious is a file: name another directory.\n',
  });
});

/** Kills the remaining processes of a group. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}
