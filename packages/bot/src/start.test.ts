import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePorts } from '@bellhop/http/testing';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';

import { botOptions, optionsFrom } from './bot-options.ts';
import { createBot } from './create-bot.ts';
import { mention } from './example-payload.fixture.ts';
import type { AnyBot } from './internals.ts';
import { start, type RunningBot } from './start.ts';

test('botOptions names every missing variable and where to find its value', () => {
  expect(() => botOptions({})).toThrow(/BOT_EMAIL: /);
  expect(() => optionsFrom({}, ['BOT_TOKEN'])).toThrow(/BOT_EMAIL: .*\nBOT_TOKEN: /);
  const some = { BOT_EMAIL: 'echo-bot@chat.test', BOT_TOKEN: 'a' };
  expect(() => botOptions({ ...some, BOT_API_KEY: 'k' })).toThrow(/BOT_SITE: the address/);
  expect(() => botOptions({ ...some, BOT_SITE: 'chat', BOT_API_KEY: 'k' })).toThrow('chat is no');
});

test('botOptions reads one or more tokens and the REST API', () => {
  const some = { BOT_EMAIL: ' echo-bot@chat.test ', BOT_TOKEN: 'old, new' };
  expect(botOptions(some)).toEqual({ email: 'echo-bot@chat.test', token: ['old', 'new'] });
  const all = { ...some, BOT_SITE: 'https://chat.test', BOT_API_KEY: 'k' };
  expect(botOptions(all)).toMatchObject({ api: { url: 'https://chat.test', apiKey: 'k' } });
});

const program = `
  import { createBot, start } from '@bellhop/bot';
  import { memoryStore } from '@bellhop/bot/stores';
  const store = memoryStore();
  await start(
    (options) => createBot(options).fallback((ctx) => ctx.text + (options.store === store ? '!' : '')),
    { store },
  );
  const loaded = process.moduleLoadList.some((name) => name.includes('undici'));
  console.log(loaded ? 'with fetch' : 'without fetch');
`;

function startProgram(environment: Record<string, string>, source = program) {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { out: '', err: '' };
  child.stdout.on('data', (data) => (written.out += data));
  child.stderr.on('data', (data) => (written.err += data));
  return { child, written };
}

test('start(makeBot, { store }) serves a bot configured by the environment until SIGTERM, and loads no fetch', async () => {
  const { child, written } = startProgram({
    BOT_EMAIL: 'echo-bot@chat.test',
    BOT_TOKEN: 'genuine',
  });
  await expect.poll(() => written.out, { timeout: 20_000 }).toContain('listens on http');
  const url = /http\S+/.exec(written.out)?.[0] ?? '';
  // An import of node:http loads it.
  await expect.poll(() => written.out).toContain('without fetch');
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(mention('hi')) });
  expect(await answer.json()).toEqual({ content: 'hi!' });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

test('start(makeBot) without its variables prints them and exits with code 1', async () => {
  const { child, written } = startProgram({});
  // The exit may come before the end of what it has written.
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(written.err).toContain('BOT_EMAIL: the e-mail address of the bot user');
});

test('a second process on a file store ends with the sentence of the store and exit code 1', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bot-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const source = `
    import { createBot, start } from '@bellhop/bot';
    import { fileStore } from '@bellhop/bot/stores/file';
    await start((options) => createBot(options), { store: fileStore(process.env.STORE) });
  `;
  const environment = { BOT_EMAIL: 'a@chat.test', BOT_TOKEN: 'genuine', STORE: directory };
  const first = startProgram(environment, source);
  await expect.poll(() => first.written.out, { timeout: 20_000 }).toContain('listens on');
  const second = startProgram(environment, source);
  expect(await once(second.child, 'close')).toEqual([1, null]);
  expect(second.written.err).toContain(directory);
  expect(second.written.err.trim().split('\n')).toHaveLength(1);
  expect(second.written.out).not.toContain('listens');
});

const genuine = { BOT_EMAIL: 'a@chat.test', BOT_TOKEN: 'genuine' };

test.each(['abc', '99999', '80.5', '-1'])('the PORT %s is refused with its name', async (PORT) => {
  const { child, written } = startProgram({ ...genuine, PORT });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(written.err).toBe(
    `PORT: ${PORT} is no port. Write a whole number from 0 to 65535, or remove it.\n`,
  );
});

test('a process whose Redis client connects again and again ends when its bot does not start', async () => {
  const source = `
    import { createBot, start } from '@bellhop/bot';
    import { redisStore } from '@bellhop/bot/stores/redis';
    import { Redis } from 'ioredis';
    const redis = new Redis({ port: 1, host: '127.0.0.1', maxRetriesPerRequest: 0 });
    redis.on('error', () => {});
    await start((options) => createBot(options), { store: redisStore(redis) });
  `;
  const { child, written } = startProgram(genuine, source);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(written.err).toMatch(/^redisStore could not read a value: .*\n$/);
});

test('a bot that does not start ends its process, but not that of an application', async () => {
  const source = `
    import { createBot, start } from '@bellhop/bot';
    const held = setInterval(() => {}, 1000);
    const none = process.env.TRANSPORT === 'none';
    const started = await start((options) => createBot({ ...options, email: '' }), none ? { transport: 'none' } : {});
    if (none) setTimeout(() => { console.log('goes on'); clearInterval(held); }, 1500);
  `;
  const ended = startProgram(genuine, source);
  expect(await once(ended.child, 'close')).toEqual([1, null]);
  const application = startProgram({ ...genuine, TRANSPORT: 'none' }, source);
  expect(await once(application.child, 'close')).toEqual([1, null]);
  expect(application.written.out).toBe('goes on\n');
});

test('a bot with a schedule that is none does not listen, and counts as not started', async () => {
  const api = { url: 'http://127.0.0.1:1', apiKey: 'key' };
  const bot = createBot({ email: 'a@chat.test', token: 'genuine', api });
  bot.every('now and then', () => {});
  const [port = 0] = await freePorts(1);
  await expect(start(bot, { port, signals: false })).rejects.toThrow('now and then');
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  // After the start of a bot it refuses further tasks.
  bot.task('another', () => {});
});

test('a second start that fails leaves the first one as it is', async () => {
  const bot = createBot({ email: 'a@chat.test', token: 'genuine' });
  bot.task('ring', () => {});
  const [port = 0] = await freePorts(1);
  const running = await start(bot, { port, signals: false });
  await expect(start(bot, { port, signals: false })).rejects.toThrow();
  expect(() => bot.task('late', () => {})).toThrow('declared after the start');
  await running.stop();
});

test('a start during a stop waits for it, and then runs the schedules', async () => {
  const bot = createBot({ email: 'a@chat.test', api: { url: 'http://127.0.0.1:1', apiKey: 'k' } });
  const ran = Promise.withResolvers<void>();
  bot.every('* * * * * *', () => ran.resolve());
  const first = await start(bot, { transport: 'none' });
  const stopped = first.stop();
  const second = await start(bot, { transport: 'none' });
  await stopped;
  await ran.promise;
  await second.stop();
});

test('start() has a url with a webhook, and each transport has its own options', () => {
  const types = (bot: AnyBot) => {
    expectTypeOf(start(bot)).resolves.toEqualTypeOf<RunningBot<string>>();
    expectTypeOf(start([bot], { port: 0 }))
      .resolves.toHaveProperty('url')
      .toEqualTypeOf<string>();
    const queue = start(bot, { transport: 'queue', onEachMessage: () => {} });
    expectTypeOf(queue).resolves.toHaveProperty('url').toEqualTypeOf<string | undefined>();
    // @ts-expect-error: the event queue needs no port
    void start(bot, { transport: 'queue', port: 8080 });
    // @ts-expect-error: an application of one's own listens itself
    void start(bot, { transport: 'none', port: 8080 });
    // @ts-expect-error: there is no such transport
    void start(bot, { transport: 'pigeon' });
  };
  expect(types).toBeTypeOf('function');
});
