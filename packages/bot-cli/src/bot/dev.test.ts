import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { listen } from '@bellhop/http';
import { freePorts } from '@bellhop/http/testing';
import { expect, test } from 'vitest';

import { botSource } from './bot-project.fixture.ts';
import {
  ada,
  bot,
  conversation,
  isAlive,
  project,
  quits,
  server,
  startDev,
  useDevProject,
} from './dev.fixture.ts';

useDevProject();

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

test('bot dev says that nothing answers at the payload URL, not that a program there does', async () => {
  await using refusing = await listen((request, response) => {
    request.resume().on('end', () => response.writeHead(404).end());
  });
  bot.payloadUrl = refusing.url;
  const dev = await startDev(
    botSource(".fallback(() => ({ content: 'A poll', widget: { widget_type: 'poll' } }))"),
  );
  ada.send('hi', { users: [bot] });
  await dev.prints(/payload URL of this bot leads elsewhere, and nothing answers there/);
  await dev.prints('-> A poll');
  await dev.prints('with a poll: {"widget_type":"poll"}');
  expect(dev.output()).not.toContain('Stop the bot');
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
