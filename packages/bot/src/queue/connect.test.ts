import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import type { AnyBot } from '../internals.ts';
import { start } from '../start.ts';
import { memoryStore } from '../stores/memory-store.ts';

async function scene() {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'Echo' });
  const { email, apiKey, token } = bot;
  const options: BotOptions = { email, token, api: { url: server.url, apiKey } };
  const connected = async (bot: AnyBot) => {
    const connection = await start(bot, { transport: 'queue', signals: false });
    onTestFinished(() => connection.stop(0));
    return connection;
  };
  const place = { between: [ada, bot] };
  return { server, ada, bot, place, options, connected };
}

const echo = (options: BotOptions) => createBot(options).fallback((ctx) => `echo: ${ctx.text}`);

test('a bot started with the queue transport answers through the event queue', async () => {
  const { server, ada, bot, place, options, connected } = await scene();
  await connected(echo(options));
  ada.send({ to: bot }, 'hello');
  await server.until(() => server.conversation(place).length === 2);
  expect(server.conversation(place)).toEqual(['Ada: hello', 'Echo: echo: hello']);
});

test('after a restart a bot with a store answers missed messages, and none twice', async () => {
  const { server, ada, bot, place, options, connected } = await scene();
  const store = memoryStore();
  const first = await connected(echo({ ...options, store }));
  ada.send({ to: bot }, 'one');
  await server.until(() => server.conversation(place).length === 2);
  await first.stop();
  ada.send({ to: bot }, 'two');
  await connected(echo({ ...options, store }));
  await server.until(() => server.conversation(place).length === 4);
  expect(server.conversation(place)).toEqual([
    'Ada: one',
    'Echo: echo: one',
    'Ada: two',
    'Echo: echo: two',
  ]);
});

test('the queue transport refuses a bot without api and a wrong API key', async () => {
  const { options } = await scene();
  const mute = createBot({ email: options.email, token: options.token });
  await expect(start(mute, { transport: 'queue' })).rejects.toMatchObject({ code: 'api_missing' });
  const wrong = { ...options, api: { url: options.api?.url ?? '', apiKey: 'x'.repeat(32) } };
  await expect(start(echo(wrong), { transport: 'queue' })).rejects.toThrow();
});
