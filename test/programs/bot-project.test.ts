import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { fakeServer } from '@bellhop/fake-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildImage } from '../support/build-image.ts';
import { type InstalledProject, installedProject } from '../support/installed-project.ts';

let project: InstalledProject;
/** Outside of the project, whose packages are out of reach of an image, and whose files it has. */
let images: string;
beforeAll(async () => {
  project = await installedProject();
  images = await mkdtemp(join(tmpdir(), 'bellhop-images-'));
}, 600_000);
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(images, { recursive: true });
});

const bellhop = (args: readonly string[], input = '') => project.run('bellhop', args, { input });

test('the bellhop of a project talks to a bot, and gives it a recorded message', async () => {
  const talk = await bellhop(['bot', 'chat'], 'hello\n');
  expect(talk).toMatchObject({
    code: 0,
    output: expect.stringContaining('You: hello\nBot: hello'),
  });
  const message = { id: 91, stream_id: 3, display_recipient: 'ops', subject: 'releases' };
  const from = { sender_id: 7, sender_email: 'i@x.test', sender_full_name: 'Iago', timestamp: 1 };
  const about = { bot_email: 'e@x.test', bot_full_name: 'Echo', trigger: 'mention' };
  const recorded = { ...about, message: { ...message, ...from, content: '@**Echo** hi' } };
  const file = join(images, 'hello.json');
  await writeFile(file, JSON.stringify(recorded));
  const received = await bellhop(['bot', 'receive', file, '--json']);
  expect(JSON.parse(received.output)).toEqual({ content: 'hi' });
});

test('bot deliveries and replay in a project say what they need', async () => {
  for (const asked of [['deliveries'], ['replay', '0199ae2e-7c5f-7c33-8a53-1f0e6c0e2b10']])
    expect(await bellhop(['bot', ...asked])).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^There is no running sandbox in [^\n]* BELLHOP_DATA_DIR [^]*BELLHOP_SITE/m,
      ),
    });
});

test('bot dev in a project answers a message of a chat server', async () => {
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

test('npm start of the project answers the probe of its bellhop, and ends at SIGTERM', async () => {
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

test('a project has of Bellhop what a bot and its commands need', async () => {
  const names = await readdir(join(project.directory, 'node_modules/@bellhop'));
  expect(names.toSorted()).toEqual(['bot', 'bot-cli', 'client', 'directory-lock', 'protocol']);
  const all = await readdir(join(project.directory, 'node_modules'));
  expect(all.filter((name) => /express|postgres|^pg$|sharp|undici$/.test(name))).toEqual([]);
});

test('the image of a project has 5 MB of packages, no zod, and what the program needs; it serves the bot', async () => {
  const { folder, env, command } = buildImage(project.directory, images);
  expect((await readdir(folder)).toSorted()).toEqual([
    '.bellhop-bot',
    'bot.ts',
    'node_modules',
    'package-lock.json',
    'package.json',
  ]);
  const names = await readdir(join(folder, 'node_modules'));
  expect(names.filter((name) => !name.startsWith('.'))).toEqual(['@bellhop', 'croner']);
  const { output } = await project.run('du', ['-sk', join(folder, 'node_modules')]);
  expect(Math.round(Number.parseInt(output, 10) / 1024)).toBe(5);
  expect(env).toMatchObject({ HOST: '0.0.0.0', PORT: '8080' });
  const [program = '', ...args] = command;
  expect(program).toBe('node');
  const given = { BOT_EMAIL: 'echo-bot@chat.test', BOT_TOKEN: 'a'.repeat(32), PORT: '0' };
  const running = project.start(process.execPath, args, {
    cwd: relative(project.directory, folder),
    env: { ...env, ...given },
  });
  let printed = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await expect.poll(() => printed).toMatch(/listens on http:\/\/0\.0\.0\.0:\d+/);
  const [, port] = /:(\d+)\//.exec(printed) ?? [];
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(405);
  running.kill('SIGTERM');
  await once(running, 'exit');
});

test('a bot in the image loads fewer than thirty modules, and no zod', async () => {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createBot, start } = await import('@bellhop/bot');
    const bot = createBot({ email: 'e@x.test', token: 't', api: { url: 'http://127.0.0.1:1', apiKey: 'k' } });
    const { stop } = await start(bot, { port: 0 });
    await stop();
    console.log(loaded.filter((url) => url.includes('/zod/')).length, loaded.length < 30);`;
  const args = ['--input-type=module', '-e', source];
  const served = await project.run(process.execPath, args, {
    cwd: relative(project.directory, join(images, 'image')),
  });
  expect(served).toEqual({ code: 0, output: '0 true\n' });
});
