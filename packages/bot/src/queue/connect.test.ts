import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import type { AnyBot } from '../internals.ts';
import { start } from '../start.ts';
import { memoryStore } from '../stores/memory-store.ts';

async function echoFixture() {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'Echo' });
  const { email, apiKey, token } = bot;
  const options: BotOptions = { email, token, api: { url: server.url, apiKey } };
  const startBot = async (bot: AnyBot) => {
    const connection = await start(bot, { transport: 'queue', signals: false });
    onTestFinished(() => connection.stop(0));
    return connection;
  };
  const conversation = { users: [ada, bot] };
  return { server, ada, bot, conversation, options, startBot };
}

const echo = (options: BotOptions) => createBot(options).fallback((ctx) => `echo: ${ctx.text}`);

test('a bot with the queue transport receives a message through the event queue and replies', async () => {
  const { server, ada, bot, conversation, options, startBot } = await echoFixture();
  await startBot(echo(options));
  ada.send('hello', { users: [bot] });
  await server.until(() => server.conversation(conversation).length === 2);
  expect(server.conversation(conversation)).toEqual(['Ada: hello', 'Echo: echo: hello']);
});

test('a bot on the event queue needs no webhook token', async () => {
  const { server, ada, bot, conversation, options, startBot } = await echoFixture();
  await startBot(echo({ ...options, token: undefined }));
  ada.send('hello', { users: [bot] });
  await server.until(() => server.conversation(conversation).length === 2);
  expect(server.conversation(conversation).at(-1)).toBe('Echo: echo: hello');
});

test('after a restart a bot with a store replies to missed messages only', async () => {
  const { server, ada, bot, conversation, options, startBot } = await echoFixture();
  const store = memoryStore();
  const first = await startBot(echo({ ...options, store }));
  ada.send('one', { users: [bot] });
  await server.until(() => server.conversation(conversation).length === 2);
  await first.stop();
  ada.send('two', { users: [bot] });
  await startBot(echo({ ...options, store }));
  await server.until(() => server.conversation(conversation).length === 4);
  expect(server.conversation(conversation)).toEqual([
    'Ada: one',
    'Echo: echo: one',
    'Ada: two',
    'Echo: echo: two',
  ]);
});

test('the queue transport rejects a bot without api or with a wrong API key', async () => {
  const { options } = await echoFixture();
  const withoutApi = createBot({ email: options.email, token: options.token });
  await expect(start(withoutApi, { transport: 'queue' })).rejects.toMatchObject({
    code: 'api_missing',
  });
  const wrongKey = { ...options, api: { url: options.api?.url ?? '', apiKey: 'x'.repeat(32) } };
  await expect(start(echo(wrongKey), { transport: 'queue' })).rejects.toThrow();
});
