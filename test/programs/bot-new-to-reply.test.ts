import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';

import { createClient } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { roles, UserId } from '@bellhop/protocol';
import { startTestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { commandRunner } from '../support/command-runner.ts';
import { packAll } from '../support/pack-all.ts';
import { bin } from '../support/program.ts';
import { temporarySandbox, type TemporarySandbox } from '../support/temporary-sandbox.ts';

const Delivered = z.object({ bot_email: z.string(), message: z.object({ sender_id: UserId }) });

let temporary: TemporarySandbox;
let place: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  temporary = await temporarySandbox();
  place = await mkdtemp(join(tmpdir(), 'bellhop-new-'));
  // In the place of `npm install`, which would need the network.
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
  await symlink(packages, join(place, 'node_modules'), 'dir');
  await packAll();
}, 300_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await temporary[Symbol.asyncDispose]();
  await rm(place, { recursive: true, force: true });
});

const bellhop = commandRunner(() => ({ BELLHOP_DATA_DIR: temporary.dataDir }));
const envOf = async (name: string) => parseEnv(await readFile(join(place, name, '.env'), 'utf8'));

/** Starts a program in a project; resolves when it prints that it listens or, on the event queue, runs. */
async function start(name: string, args: readonly string[]) {
  const child = spawn(process.execPath, args, {
    cwd: join(place, name),
    // Any port: the one in the .env may be taken where tests run.
    env: { ...process.env, PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => output).toMatch(/listens (?:on|to) http| runs\n/);
  return { child, output: () => output };
}

test('bellhop bot new registers a user on the sandbox with an unused name and port', async () => {
  const made = await bellhop('bot', 'new', join(place, 'my-bot'));
  expect(made.code).toBe(0);
  expect(made.output).toContain('npx bellhop try message --to my-bot-bot@');
  const env = await envOf('my-bot');
  expect((await stat(join(place, 'my-bot', '.env'))).mode & 0o777).toBe(0o600);
  expect(made.output).not.toContain(env['BOT_API_KEY']);
  const names = ['BELLHOP_DATA_DIR', 'BOT_API_KEY', 'BOT_EMAIL', 'BOT_SITE', 'BOT_TOKEN', 'PORT'];
  expect(Object.keys(env).toSorted()).toEqual(names);
  const second = await bellhop('bot', 'new', join(place, 'deep/my-bot'), '--template', 'commands');
  expect(second.output).toContain('My Bot 2 is a user of http');
  const ports = [env['PORT'], (await envOf('deep/my-bot'))['PORT']];
  expect(ports).toEqual(['8080', '8081']);
});

test('bot new --bot takes a bot that exists, by its name, e-mail address or ID, and makes no other', async () => {
  const max = temporary.as(roles.member);
  const payload_url = 'http://127.0.0.1:8099/';
  const { user_id } = await max.bots.create({
    full_name: 'Made Before',
    short_name: 'made',
    bot_type: 3,
    payload_url,
  });
  const { user } = await max.users.get({ user_id });
  const known = async () => (await max.bots.list()).bots.length;
  const before = await known();
  for (const [at, named] of ['Made Before', user.email, String(user_id)].entries()) {
    const made = await bellhop('bot', 'new', join(place, `made-${at}`), '--bot', named);
    expect(made).toMatchObject({
      code: 0,
      output: expect.stringContaining('Made Before is a user'),
    });
    expect(await envOf(`made-${at}`)).toMatchObject({
      BOT_EMAIL: user.email,
      BOT_SITE: temporary.sandbox.file.base_url,
      PORT: '8099',
    });
  }
  expect(await known()).toBe(before);
  const { BOT_TOKEN = '', BOT_API_KEY = '' } = await envOf('made-0');
  const { bots } = await max.bots.list();
  const listed = bots.find(({ full_name }) => full_name === 'Made Before');
  expect(listed?.api_key).toBe(BOT_API_KEY);
  expect(BOT_TOKEN).toMatch(/^\w{32}$/);
});

test('bot new --bot for a bot without a webhook starts it on the event queue', async () => {
  const bot = { full_name: 'Quiet', short_name: 'quiet', bot_type: 1 } as const;
  await temporary.as(roles.member).bots.create(bot);
  for (const template of ['echo', 'dialog']) {
    const words = [join(place, `quiet-${template}`), '--bot', 'Quiet', '--template', template];
    expect(await bellhop('bot', 'new', ...words)).toMatchObject({
      code: 0,
      output: expect.stringContaining('npm start        # answers through the event queue'),
    });
    const source = await readFile(join(place, `quiet-${template}`, 'bot.ts'), 'utf8');
    expect(source).toContain("start(makeBot, { transport: 'queue'");
  }
  const env = await envOf('quiet-echo');
  expect(env).not.toHaveProperty('BOT_TOKEN');
  await start('quiet-echo', ['--env-file=.env', 'bot.ts']);
  const tried = await bellhop('try', 'message', '--to', 'Quiet', 'hello');
  expect(tried.output).toContain('Quiet: hello');
});

test('bot new makes nothing for a bot that nobody has, and no user for another server', async () => {
  const missing = await bellhop('bot', 'new', join(place, 'nobody'), '--bot', 'Nobody');
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.output).toMatch(
    /has no bot of yours that is called Nobody\. You have: .*Made Before/,
  );
  expect(await readdir(join(place, 'nobody'))).toEqual([]);
  const both = ['--bot', 'Quiet', '--server', 'https://chat.example.com'];
  expect(await bellhop('bot', 'new', join(place, 'both'), ...both)).toMatchObject({ code: 2 });
  const { bots: before } = await temporary.as(roles.member).bots.list();
  const away = ['--server', 'https://chat.example.com'];
  expect(await bellhop('bot', 'new', join(place, 'away'), ...away)).toMatchObject({ code: 0 });
  expect(await readFile(join(place, 'away/.env.example'), 'utf8')).toContain(
    'BOT_SITE=https://chat.example.com\n',
  );
  expect((await temporary.as(roles.member).bots.list()).bots).toEqual(before);
});

/** A fresh server, and `bellhop` with the login of Hamlet there, while the sandbox of this file runs. */
async function freshServer() {
  const chat = await startTestChat();
  const { hamlet } = chat.people;
  const run = commandRunner(() => ({
    BELLHOP_DATA_DIR: temporary.dataDir,
    BELLHOP_SITE: chat.url,
    BELLHOP_EMAIL: hamlet.email,
    BELLHOP_API_KEY: hamlet.api_key,
  }));
  return { chat, hamlet, run, [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose]() };
}

test('bot new --bot asks a fresh server with the login of the environment', async () => {
  await using fresh = await freshServer();
  const payload_url = 'https://bots.example.com/';
  const bot = { full_name: 'Far', short_name: 'far', bot_type: 3, payload_url } as const;
  await fresh.hamlet.client.bots.create(bot);
  const made = await fresh.run('bot', 'new', join(place, 'far'), '--bot', 'Far');
  expect(made).toMatchObject({ code: 0 });
  const env = await envOf('far');
  expect(env).toMatchObject({ BOT_SITE: fresh.chat.url });
  expect(Object.keys(env).toSorted()).toEqual([
    'BOT_API_KEY',
    'BOT_EMAIL',
    'BOT_SITE',
    'BOT_TOKEN',
  ]);
});

test('bot new makes a user on the server of the login, not on the sandbox, and the bot answers there', async () => {
  await using fresh = await freshServer();
  const { bots: before } = await temporary.as(roles.member).bots.list();
  const made = await fresh.run('bot', 'new', join(place, 'distant'));
  expect(made.output).toContain(`Distant is a user of ${fresh.chat.url}; its keys are in .env.`);
  expect((await temporary.as(roles.member).bots.list()).bots).toEqual(before);
  const { BOT_EMAIL = '', ...env } = await envOf('distant');
  expect(Object.keys(env).toSorted()).toEqual(['BOT_API_KEY', 'BOT_SITE']);
  expect(made.output).toContain(
    `in a second shell and with the same variables:\n\n  npx bellhop try message --to ${BOT_EMAIL} hello\n`,
  );
  await start('distant', ['--env-file=.env', 'bot.ts']);
  const tried = await fresh.run('try', 'message', '--to', BOT_EMAIL, 'hello');
  expect(tried.output).toContain('Hamlet: hello\nDistant: hello\n');
  const unknown = await fresh.run('try', 'message', '--to', 'Nobody');
  expect(unknown.output).toBe(`${fresh.chat.url} has no bot Nobody: it has Distant.\n`);
  expect(await fresh.run('try', 'message')).toMatchObject({
    code: 1,
    output: `Name a bot of ${fresh.chat.url} by --to: it has Distant.\n`,
  });
});

test('commands with a server and no login there refuse to ask the sandbox', async () => {
  const run = commandRunner(() => ({
    BELLHOP_DATA_DIR: temporary.dataDir,
    BELLHOP_SITE: 'https://chat.example.com',
  }));
  for (const words of [
    ['bot', 'new', join(place, 'half')],
    ['bot', 'deliveries'],
    ['try', 'message'],
  ])
    expect(await run(...words)).toMatchObject({
      code: 1,
      output: expect.stringContaining('your login there is missing:\n  BELLHOP_SITE '),
    });
});

test('a generated bot answers through its webhook after npm start', async () => {
  const env = await envOf('my-bot');
  const { output } = await start('my-bot', ['--env-file=.env', 'bot.ts']);
  const [, url] = /listens on (\S+)/.exec(output()) ?? [];
  const { members } = await temporary.as(roles.member).users.list({});
  const bot = members.find(({ email }) => email === env['BOT_EMAIL']);
  if (!bot) throw new Error('The sandbox does not list the bot');
  await temporary.as(roles.member).bots.update({
    bot_id: bot.user_id,
    service_payload_url: url,
    service_interface: 1,
  });
  const tried = await bellhop('try', 'message', '--to', String(env['BOT_EMAIL']), 'hello');
  expect(tried.output).toContain('Max Member: hello\nMy Bot: hello\n');
  // In the project, where `bellhop` is an installed package.
  const run = promisify(execFile)(process.execPath, [bin, 'bot', 'deliveries', 'My Bot'], {
    cwd: join(place, 'my-bot'),
    env: { ...process.env, BELLHOP_DATA_DIR: '' },
  });
  expect((await run).stdout).toMatch(/ My Bot +direct_message +delivered .* replied /);
  expect(await bellhop('bot', 'deliveries', 'My Bot', '--failed')).toEqual({
    code: 0,
    output: 'None of the newest deliveries went wrong.\n',
  });
});

test('a generated bot answers through the event queue in bellhop bot dev', async () => {
  const { child, output } = await start('deep/my-bot', [bin, 'bot', 'dev']);
  const tried = await bellhop('try', 'message', '--to', 'My Bot 2', 'ping');
  expect(tried.output).toContain('Max Member: ping\nMy Bot 2: pong\n');
  const channel = {
    type: 'channel',
    to: 'bots',
    topic: 'x',
    content: '@**My Bot 2** what',
  } as const;
  await temporary.as(roles.member).messages.send(channel);
  await expect.poll(output).toContain('-> I only know commands');
  child.stdin?.write('q\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('bellhop try message fails for an unknown name', async () => {
  const { code, output } = await bellhop('try', 'message', '--to', 'Nobody');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^The sandbox has no bot Nobody: it has Echo Bot\b[^\n]*\.\n$/),
  ]);
});

test('bellhop try message fails for a bot that is not running, while the server retries', async () => {
  const server = await listen(() => {});
  await server[Symbol.asyncDispose]();
  const full_name = `Absent ${randomUUID()}`;
  await temporary.as(roles.member).bots.create({
    full_name,
    short_name: randomUUID(),
    bot_type: 3,
    payload_url: server.url,
  });
  const { code, output } = await bellhop('try', 'message', '--to', full_name, 'hi');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/has not replied: retrying, connection refused.*bot deliveries /s),
  ]);
});

test('bellhop try message waits for the reply by REST of a bot whose webhook has answered silence', async () => {
  const api = Promise.withResolvers<{ readonly url: string; readonly apiKey: string }>();
  const full_name = `Late ${randomUUID()}`;
  const answerLate = async (request: IncomingMessage, response: ServerResponse) => {
    const { bot_email: email, message } = Delivered.parse(await json(request));
    response.end('{}');
    await sleep(1000);
    const { messages } = createClient({ ...(await api.promise), email });
    await messages.send({ type: 'direct', to: [message.sender_id], content: 'at last' });
  };
  await using server = await listen((request, response) => void answerLate(request, response));
  const { api_key: apiKey } = await temporary.as(roles.member).bots.create({
    full_name,
    short_name: randomUUID(),
    bot_type: 3,
    payload_url: server.url,
  });
  api.resolve({ url: temporary.sandbox.file.base_url, apiKey });
  const { code, output } = await bellhop('try', 'message', '--to', full_name, 'hi');
  expect([code, output]).toEqual([0, expect.stringContaining(`${full_name}: at last\n`)]);
});

test.each([
  ['{"text":"hello"}', 200, 'delivered, 200 but no content: did you mean "content" for "text"?'],
  ['{}', 200, 'delivered, {}: silent.'],
  ['oops', 500, 'failed, 500 Internal Server Error: the bot failed: see its log.'],
] as const)(
  'bellhop try message names the outcome of a message that got %s with status %i',
  async (body, status, what) => {
    await using server = await listen((_request, response) => {
      response.writeHead(status).end(body);
    });
    const full_name = `Faulty ${randomUUID()}`;
    const bot = {
      full_name,
      short_name: randomUUID(),
      bot_type: 3,
      payload_url: server.url,
    } as const;
    await temporary.as(roles.member).bots.create(bot);
    const { code, output } = await bellhop('try', 'message', '--to', full_name, 'hi');
    expect(code).toBe(1);
    expect(output).toContain(
      `${full_name} has not replied: ${what} More: npx bellhop bot deliveries `,
    );
  },
);
