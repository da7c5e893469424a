import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type FakeBot, type FakeServer, fakeServer, type FakeUser } from '@bellhop/fake-server';
import { listen } from '@bellhop/http';
import { freePorts } from '@bellhop/http/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { botSource, type BotProject, botProject } from './bot-project.fixture.ts';

let server: FakeServer;
let ada: FakeUser;
let bot: FakeBot;
let project: BotProject;
beforeEach(async () => {
  server = await fakeServer();
  ada = server.addUser('Ada');
  bot = server.addBot({ name: 'Echo' });
  server.addChannel('ops', { subscribers: [ada, bot] });
  project = await botProject();
});
afterEach(async () => {
  await project[Symbol.asyncDispose]();
  await server.stop();
});

const conversation = () => server.conversation({ users: [ada, bot] });

/** Runs `bellhop bot dev` on a bot; returns the process and its output. */
async function startDev(source: string, args: readonly string[] = [], wanted?: number) {
  await project.write('bot.ts', source);
  const [port = 0] = wanted === undefined ? await freePorts(1) : [wanted];
  await project.write(
    '.env',
    `BOT_EMAIL=${bot.email}\nBOT_TOKEN=${bot.token}\nBOT_API_KEY=${bot.apiKey}\nBOT_SITE=${server.url}\nPORT=${port}\n`,
  );
  const child = project.start(['bot', 'dev', ...args], { env: { TMPDIR: project.directory } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  const prints = (text: string | RegExp) => expect.poll(() => out).toMatch(text);
  await expect.poll(() => server.waitingPolls()).toBe(1);
  return { child, port, prints, output: () => out, clear: () => (out = '') };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function quits(child: ChildProcess): Promise<void> {
  child.stdin?.write('q\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

test('bot dev answers and prints messages, repeats the last one at r, and records each', async () => {
  const dev = await startDev(
    botSource(
      `.command('ping', async (ctx) => { await ctx.react('eyes'); return 'pong\\nagain'; })`,
    ),
    ['--record', 'kept'],
  );
  await dev.prints(`Echo (${bot.email}) listens to ${server.url}`);
  const { id } = ada.send('ping', { users: [bot] });
  await dev.prints(
    /Ada, direct message\n {9}ping\n {9}reacted :eyes:\n {9}-> pong\n {12}again\n {9}replied in \d+ ms/,
  );
  dev.child.stdin.write('r\n');
  await expect.poll(conversation).toEqual(['Ada: ping', 'Echo: pong\nagain', 'Echo: pong\nagain']);
  await dev.prints('Ada, direct message (again)');
  ada.send('@**Echo** ping', { channel: 'ops', topic: 'releases' });
  await dev.prints('Ada, #ops > releases\n         @**Echo** ping');
  await quits(dev.child);
  const files = await readdir(join(project.directory, 'kept'));
  expect(files).toEqual([`${id}-direct_message.json`, expect.stringContaining('-mention.json')]);
  const kept = await readFile(join(project.directory, 'kept', files[0] ?? ''), 'utf8');
  expect(kept).not.toContain(bot.token);
  const received = await project.run(['bot', 'receive', `kept/${files[0]}`, '--json']);
  expect(JSON.parse(received.out)).toEqual({ content: 'pong\nagain' });
});

test('bot dev loads a saved bot, keeps the version before if loading fails, and continues dialogs', async () => {
  const version = (name: string) => `import { name } from './name.ts';
import { z } from 'zod';
${botSource(`
  .command('ask', (ctx) => ctx.begin('ask'))
  .dialog('ask', { a: { ask: 'A?', schema: z.string() }, b: { ask: 'B?', schema: z.string() } },
    (_, { a, b }) => ['${name}', name, a, b].join(' '))
  .fallback(() => '${name} ' + name)`)}`;
  await project.write('name.ts', "export const name: string = 'first';");
  const dev = await startDev(version('one'));
  const says = async (text: string, reply: string) => {
    ada.send(text, { users: [bot] });
    await expect.poll(() => conversation().at(-1)).toBe(`Echo: ${reply}`);
  };
  await says('hi', 'one first');
  await says('ask', 'A?');
  dev.clear();
  await project.write('bot.ts', version('two'));
  await dev.prints('(bot.ts is loaded)');
  await says('x', 'B?');
  dev.clear();
  await project.write('name.ts', "export const name = = 'second';");
  await dev.prints(/name\.ts:1\nexport const name = = 'second';\n[^]*The version before goes on/);
  await says('y', 'two first x y');
  dev.clear();
  await project.write('name.ts', "export const name = 'second';");
  await dev.prints('(bot.ts is loaded)');
  await says('hi', 'two second');
  await quits(dev.child);
});

test('bot dev loads a bot again when an editor replaces a file, a missing import is made, or .env changes', async () => {
  const source = `import { word } from './word.ts';\n${botSource(
    `.fallback(() => word + (process.env.SUFFIX ?? ''))`,
  )}`;
  const dev = await startDev(source);
  await dev.prints(/Cannot find module .*word\.ts[^]*Messages wait until the next save/);
  await project.write('other.ts', '');
  await project.write('word.ts', `export const word: string = 'made';`);
  await dev.prints('(word.ts has changed)');
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: made');
  dev.clear();
  await project.write('word.ts~', `export const word: string = 'replaced';`);
  await rename(join(project.directory, 'word.ts~'), join(project.directory, 'word.ts'));
  await dev.prints('(bot.ts is loaded)');
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: replaced');
  dev.clear();
  await appendFile(join(project.directory, '.env'), 'SUFFIX=!');
  await dev.prints(/\(\.env has changed\)[^]*\(bot\.ts is loaded\)/);
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: replaced!');
  await quits(dev.child);
});

test('messages before, during and after saves are each answered once, also by a handler that runs on', async () => {
  const version = (name: string) =>
    botSource(`.fallback(async (ctx) => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return '${name} ' + ctx.text;
})`);
  const dev = await startDev(version('v0'));
  await dev.prints('(bot.ts is loaded)');
  const texts: string[] = [];
  for (let at = 1; at <= 3; at += 1) {
    dev.clear();
    await project.write('bot.ts', version(`v${at}`));
    const send = () => {
      texts.push(String(texts.length));
      ada.send(texts.at(-1) ?? '', { users: [bot] });
    };
    send();
    await dev.prints('(bot.ts has changed)');
    send();
    await dev.prints('(bot.ts is loaded)');
    send();
  }
  const answered = () =>
    conversation().flatMap((said) => (said.startsWith('Echo: ') ? [said.split(' ')[2]] : []));
  await expect.poll(answered).toHaveLength(texts.length);
  expect(answered()).toEqual(texts);
  expect(conversation().at(-1)).toBe('Echo: v3 8');
  await quits(dev.child);
});

test('a save while a handler runs on names the message it ends, and gives those behind it to the new version', async () => {
  const dev = await startDev(
    botSource(`.fallback(async (ctx) => {
  if (ctx.text === 'nap') await new Promise((resolve) => setTimeout(resolve, 60_000));
  return 'old ' + ctx.text;
})`),
  );
  ada.send('nap', { users: [bot] });
  ada.send('behind', { users: [bot] });
  ada.send('and behind', { users: [bot] });
  await dev.prints('and behind');
  await project.write('bot.ts', botSource(`.fallback((ctx) => 'new ' + ctx.text)`));
  const answers = () => conversation().filter((said) => said.startsWith('Echo: '));
  await expect
    .poll(answers, { timeout: 15_000 })
    .toEqual(['Echo: new behind', 'Echo: new and behind']);
  await dev.prints(
    /The version before ran on for 5 s and was ended\)\n\(Not answered, the handler was ended: "nap"\)\n\(Left to the next version: "behind", "and behind"\)/,
  );
  await quits(dev.child);
});

test('messages behind one that ends the process are left to the next version', async () => {
  const dev = await startDev(
    botSource(`.command('die', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  process.exit(3);
})`),
  );
  ada.send('die', { users: [bot] });
  ada.send('behind', { users: [bot] });
  await dev.prints(
    /process ended with code 3\.[^]*"die"\)\n\(Left to the next version: "behind"\)/,
  );
  await project.write('bot.ts', botSource(`.fallback((ctx) => 'new ' + ctx.text)`));
  await expect.poll(() => conversation().at(-1)).toBe('Echo: new behind');
  await quits(dev.child);
});

test('a second Ctrl-C leaves neither a process whose handler never ends nor a directory', async () => {
  const dev = await startDev(
    botSource(`.command('hang', () => { console.log('pid ' + process.pid); for (;;); })`),
  );
  ada.send('hang', { users: [bot] });
  await dev.prints(/pid \d+/);
  const pid = Number(/pid (\d+)/.exec(dev.output())?.[1]);
  const exited = once(dev.child, 'exit');
  dev.child.kill('SIGINT');
  await sleep(700);
  dev.child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await readdir(project.directory)).not.toContainEqual(
    expect.stringMatching(/^bellhop-dev-/),
  );
});

test('bot dev refuses a directory of records that cannot be used, and goes on if one cannot be written later', async () => {
  await project.write('file', '');
  await project.write('bot.ts', botSource(''));
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'), ['--record', 'kept']);
  const refused = await project.run(['bot', 'dev', '--record', 'file']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^--record file: EEXIST/) });
  await rm(join(project.directory, 'kept'), { recursive: true });
  await project.write('kept', '');
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: hi');
  await dev.prints(/The next message is not recorded: EEXIST/);
  await quits(dev.child);
});

test('the version before goes on while bot.ts is away, and while .env cannot be read', async () => {
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'));
  await dev.prints('(bot.ts is loaded)');
  await rename(join(project.directory, 'bot.ts'), join(project.directory, 'away.ts'));
  await dev.prints(
    /\(bot\.ts has changed\)\n\nThere is no bot\.ts\.\n\(The version before goes on until the next save\.\)\n$/,
  );
  dev.clear();
  await rename(join(project.directory, 'away.ts'), join(project.directory, 'bot.ts'));
  await dev.prints('(bot.ts is loaded)');
  dev.clear();
  const env = await readFile(join(project.directory, '.env'), 'utf8');
  await rm(join(project.directory, '.env'));
  await mkdir(join(project.directory, '.env'));
  await dev.prints(/\n\.env cannot be read: EISDIR.*\n\(The version before goes on/);
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: hi');
  dev.clear();
  await rm(join(project.directory, '.env'), { recursive: true });
  await project.write('.env', env);
  await dev.prints('(bot.ts is loaded)');
  await quits(dev.child);
});

test('bot dev runs schedules and tasks, and prints what they do apart from messages', async () => {
  const to = `{ userIds: [${ada.id}] }`;
  const dev = await startDev(
    botSource(`
  .every('* * * * * *', ({ post }) => post('tick', ${to}))
  .task('ring', ({ post }) => post('ring', ${to}))
  .command('alarm', (ctx) => ctx.later('ring', 500, null).then(() => 'Set.'))`),
  );
  await expect.poll(conversation).toContain('Echo: tick');
  ada.send('alarm', { users: [bot] });
  await expect.poll(conversation).toContain('Echo: ring');
  const work = String.raw`\n\d\d:\d\d:\d\d a task or a schedule\n {9}-> \[to user ${ada.id}\] `;
  await dev.prints(new RegExp(`${work}tick`));
  await dev.prints(new RegExp(`${work}ring`));
  await quits(dev.child);
});

test('messages wait for the next save if a bot cannot be loaded or ends its process', async () => {
  const dev = await startDev('export default = 1;');
  await dev.prints(/bot\.ts:1\nexport default = 1;[^]*Messages wait until the next save/);
  ada.send('first', { users: [bot] });
  await project.write(
    'bot.ts',
    botSource(`.command('die', () => process.exit(3)).fallback((ctx) => ctx.text)`),
  );
  await expect.poll(conversation).toEqual(['Ada: first', 'Echo: first']);
  ada.send('die', { users: [bot] });
  await dev.prints("The bot's process ended with code 3.");
  ada.send('second', { users: [bot] });
  dev.clear();
  await project.write('bot.ts', botSource(`.fallback((ctx) => ctx.text)`));
  await expect.poll(() => conversation().at(-1)).toBe('Echo: second');
  dev.child.kill('SIGINT');
  expect(await once(dev.child, 'exit')).toEqual([0, null]);
});

test('bot dev prints the failure of a handler with its place, and a reply that the server rejects', async () => {
  const dev = await startDev(botSource(`.fallback(() => { throw new Error('broken'); })`));
  ada.send('hi', { users: [bot] });
  await dev.prints(/The handler failed, reference \w+\.\n +Error: broken\n +at .*bot\.ts:3/);
  await dev.prints(/-> Something went wrong\. Reference/);
  dev.clear();
  server.fail({ route: 'POST /messages', status: 400 });
  ada.send('hi', { users: [bot] });
  await dev.prints('BotError: The server refused to send a message: ');
  await quits(dev.child);
});

test('bot dev replies once to a message that also arrives by webhook, and rejects a wrong token', async () => {
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'));
  bot.payloadUrl = `http://127.0.0.1:${dev.port}/`;
  ada.send('hi', { users: [bot] });
  await server.settled();
  await dev.prints('-> hi');
  expect(server.deliveries).toHaveLength(1);
  expect(conversation()).toEqual(['Ada: hi', 'Echo: hi']);
  // Mentions in channels without the bot arrive by webhook only.
  server.addChannel('far', { subscribers: [ada] });
  ada.send('@**Echo** there', { channel: 'far', topic: 'x' });
  const far = () => server.conversation({ channel: 'far', topic: 'x' });
  await expect.poll(far).toEqual(['Ada: @**Echo** there', 'Echo: there']);
  const forged = await fetch(bot.payloadUrl, { method: 'POST', body: '{"token":"x"}' });
  expect(forged.status).toBe(401);
  await quits(dev.child);
});

test('bot dev does not answer the retry of a message from before its start, but a replay of it', async () => {
  const [port = 0] = await freePorts(1);
  bot.payloadUrl = `http://127.0.0.1:${port}/`;
  const { id } = ada.send('old', { users: [bot] });
  await expect.poll(() => server.deliveries[0]?.attempts.length).toBe(1);
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'), [], port);
  await dev.prints(`message ${id} of Ada again, from before this start: "old". It is not handled`);
  await server.settled();
  ada.send('new', { users: [bot] });
  await expect.poll(conversation).toEqual(['Ada: old', 'Ada: new', 'Echo: new']);
  const { body = '' } = server.deliveries[0] ?? {};
  const replay = { 'webhook-attempt': '1', 'content-type': 'application/json' };
  await fetch(bot.payloadUrl, { method: 'POST', body, headers: replay });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: old');
  await quits(dev.child);
});

test('bot dev warns if the webhook of the bot leads elsewhere', async () => {
  await using elsewhere = await listen((request, response) => {
    request.resume().on('end', () => response.end('{"content":"from elsewhere"}'));
  });
  bot.payloadUrl = elsewhere.url;
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'));
  ada.send('hi', { users: [bot] });
  await dev.prints(/payload URL of this bot leads elsewhere.*: message \d+, "from elsewhere"/);
  await dev.prints('-> hi');
  await quits(dev.child);
});

test('bot dev warns if the port of the bot is taken', async () => {
  await using taken = await listen(() => {});
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'), [], taken.port);
  await dev.prints(`Something listens on 127.0.0.1:${taken.port} already.`);
  await quits(dev.child);
});

test('bot dev names missing variables, wrong credentials and an unreachable server', async () => {
  await project.write('bot.ts', botSource(''));
  const none = await project.run(['bot', 'dev']);
  for (const name of ['BOT_EMAIL', 'BOT_SITE', 'BOT_API_KEY'])
    expect(none.err).toMatch(new RegExp(`^${name}: `, 'm'));
  expect(none.code).toBe(1);
  const env = { BOT_EMAIL: bot.email, BOT_TOKEN: bot.token, BOT_SITE: server.url };
  const wrong = await project.run(['bot', 'dev'], { env: { ...env, BOT_API_KEY: 'x' } });
  expect(wrong.err).toContain('does not know this BOT_EMAIL with this BOT_API_KEY');
  const port = await project.run(['bot', 'dev'], {
    env: { ...env, BOT_API_KEY: 'x', PORT: 'abc' },
  });
  expect(port).toMatchObject({ code: 1, err: expect.stringMatching(/^PORT: abc is no port\./) });
  const lost = { ...env, BOT_API_KEY: 'x', BOT_SITE: 'http://127.0.0.1:9' };
  expect((await project.run(['bot', 'dev'], { env: lost })).err).toContain('No answer from');
});

test('bot dev says that the bot forgets, and keeps its sessions in the directory of --store', async () => {
  const source = botSource(`
  .command('ask', (ctx) => ctx.begin('ask'))
  .dialog('ask', { a: { ask: 'A?', schema: z.string() } }, (_, { a }) => 'Kept ' + a)
  .fallback(() => 'Nothing waits.')`);
  const withZod = `import { z } from 'zod';\n${source}`;
  const says = async (text: string, reply: string) => {
    ada.send(text, { users: [bot] });
    await expect.poll(() => conversation().at(-1)).toBe(`Echo: ${reply}`);
  };
  const forgetful = await startDev(withZod);
  await forgetful.prints(/remembers until this command ends, .*\. --store DIR keeps it/);
  await quits(forgetful.child);
  const first = await startDev(withZod, ['--store', 'kept']);
  await says('ask', 'A?');
  const refused = await project.run(['bot', 'dev', '--store', 'kept']);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/--store kept: .*kept/);
  await quits(first.child);
  const second = await startDev(withZod, ['--store', 'kept']);
  await says('x', 'Kept x');
  await quits(second.child);
});
