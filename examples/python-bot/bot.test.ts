import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { probe } from '@bellhop/bot-probe';
import { fakeServer } from '@bellhop/fake-server';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const hasPython = spawnSync('python3', ['--version']).status === 0;

beforeEach(({ skip }) => skip(!hasPython, 'python3 is not installed'));

/** Starts bot.py and returns the URL that it prints. */
async function startBot(email: string, token: string): Promise<string> {
  const bot = spawn('python3', ['-B', 'bot.py'], {
    cwd: import.meta.dirname,
    env: { ...process.env, BOT_EMAIL: email, BOT_TOKEN: token, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    bot.kill();
    await once(bot, 'exit');
  });
  for await (const line of createInterface(bot.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('bot.py ended before it printed its URL');
}

test('bot.py replies to a direct message, a mention and a repeated delivery', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'Counter' });
  server.addChannel('general');
  bot.payloadUrl = await startBot(bot.email, bot.token);
  ada.send('one two three', { users: [bot] });
  const { id } = ada.send('@**Counter** hello', { channel: 'general', topic: 'words' });
  await server.settled();
  expect(server.conversation({ users: [ada, bot] })).toEqual([
    'Ada: one two three',
    'Counter: Words: 3',
  ]);
  expect(server.conversation({ channel: 'general', topic: 'words' })).toEqual([
    'Ada: @**Counter** hello',
    'Counter: Words: 1',
  ]);
  expect(await server.redeliver(id)).toMatchObject([
    { status: 200, body: '{"content": "Words: 1"}' },
  ]);
});

test('bot.py leaves out the mention of the bot in each form', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'Counter' });
  bot.payloadUrl = await startBot(bot.email, bot.token);
  const forms = [
    '@**Counter**',
    '@**counter**:',
    '@_**Counter**',
    `@**Counter|${bot.id}**`,
    `@**|${bot.id}**,`,
    `@_**|${bot.id}** ，`,
    '@**Counter**：',
  ];
  for (const form of forms) ada.send(`${form} one two`, { users: [bot] });
  for (const other of ['@**Ada**', 'ask @**Counter**']) ada.send(other, { users: [bot] });
  await server.settled();
  const replies = server
    .conversation({ users: [ada, bot] })
    .filter((one) => one.startsWith('Counter'));
  expect(replies.toSorted()).toEqual([
    'Counter: Words: 1',
    ...[...forms, ''].map(() => 'Counter: Words: 2'),
  ]);
});

test('the probe of the Python bot has no faults', async () => {
  const identity = { botEmail: 'counter-bot@fake.test', token: 'x9'.repeat(16) };
  const url = await startBot(identity.botEmail, identity.token);
  const findings = await probe(url, { ...identity, slowMs: 500 });
  expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
});
