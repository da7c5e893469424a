import { listenToQueue } from '@bellhop/bot/internals';
import { createClient } from '@bellhop/client';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** A bot of Hamlet's in a channel, and its network: each request may be held up by the test. */
async function botIn(channel: string) {
  const { hamlet } = chat.people;
  const { user_id, api_key } = await hamlet.client.bots.create({
    full_name: `Bot of ${channel}`,
    short_name: channel,
    bot_type: 1,
  });
  await hamlet.client.subscriptions.add({ subscriptions: [{ name: channel }] });
  await hamlet.client.subscriptions.add({
    subscriptions: [{ name: channel }],
    principals: [user_id],
  });
  const email = `${channel}-bot@chat.test`;
  let hold: Promise<void> | undefined;
  const queues: string[] = [];
  const client = createClient({
    url: chat.url,
    email,
    apiKey: api_key,
    fetch: async (input, init) => {
      const registers = new Request(input).url.endsWith('/register');
      if (registers) await hold;
      const response = await fetch(input, init);
      if (registers) {
        const { queue_id } = (await response.clone().json()) as { queue_id: string };
        queues.push(queue_id);
      }
      return response;
    },
  });
  const say = async (content: string, to: 'channel' | 'bot' = 'bot') => {
    const where =
      to === 'bot'
        ? { type: 'direct' as const, to: [user_id] }
        : { type: 'channel' as const, to: channel, topic: 'x' };
    await hamlet.client.messages.send({ ...where, content });
  };
  return {
    client,
    say,
    rename: (full_name: string) => hamlet.client.bots.update({ bot_id: user_id, full_name }),
    mention: (content: string) => say(`@**Bot of ${channel}** ${content}`, 'channel'),
    /** Drops the bot's queue; until the answer is called, it gets no other. */
    async drop(): Promise<() => void> {
      const held = Promise.withResolvers<void>();
      hold = held.promise;
      await client.queues.remove({ queue_id: queues.at(-1) ?? '' });
      return () => held.resolve();
    },
  };
}

async function listening(options: Omit<Parameters<typeof listenToQueue>[0], 'onError'>) {
  const heard: string[] = [];
  const errors: unknown[] = [];
  let news = Promise.withResolvers<void>();
  const listener = await listenToQueue(
    { onError: (error) => errors.push(error), ...options },
    ({ trigger, message }) => {
      heard.push(`${trigger}: ${message.content} | ${message.renderedContent}`);
      news.resolve();
    },
  );
  return {
    errors,
    stop: () => listener.stop(),
    async hears(count: number) {
      while (heard.length < count) {
        news = Promise.withResolvers();
        await news.promise;
      }
      return heard;
    },
  };
}

test('a bot on the event queue that is renamed is mentioned by its new name', async () => {
  const bot = await botIn('renamed');
  const names: string[] = [];
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const listener = await listenToQueue(
    { client: bot.client, onError: (error) => names.push(String(error)) },
    ({ botFullName, message }) => {
      names.push(`${botFullName}: ${message.content}`);
      resolve();
    },
  );
  await bot.rename('After');
  await bot.say('@**After** deploy', 'channel');
  await heard;
  expect(names).toEqual(['After: @**After** deploy']);
  await listener.stop();
});

test('a bot on the event queue receives direct messages and mentions with their HTML', async () => {
  const bot = await botIn('quiet');
  const listener = await listening({ client: bot.client });
  await bot.say('not for a bot', 'channel');
  await bot.say('hello **you**');
  await bot.mention('there');
  expect(await listener.hears(2)).toEqual([
    'direct_message: hello **you** | <p>hello <strong>you</strong></p>',
    expect.stringMatching(/^mention: @\*\*Bot of quiet\*\* there \| <p><span class="user-mention"/),
  ]);
  await listener.stop();
  expect(listener.errors).toEqual([]);
});

test('a bot handles each message once when its event queue is deleted', async () => {
  const bot = await botIn('dropping');
  const listener = await listening({ client: bot.client });
  await bot.say('1');
  await listener.hears(1);
  const release = await bot.drop();
  await bot.say('2');
  await bot.mention('3');
  await bot.say('not for a bot', 'channel');
  release();
  await bot.say('4');
  const heard = (await listener.hears(4)).map((line) => /\d/.exec(line)?.[0]);
  expect(heard).toEqual(['1', '2', '3', '4']);
  await bot.say('5');
  expect(await listener.hears(5)).toHaveLength(5);
  await listener.stop();
});

test('a bot for all messages receives each one, its own included, when its queue is deleted', async () => {
  const bot = await botIn('each');
  const each: string[] = [];
  const listener = await listening({
    client: bot.client,
    onEachMessage: ({ message }) => each.push(message.content),
  });
  await bot.say('one', 'channel');
  await bot.client.messages.send({ type: 'channel', to: 'each', topic: 'x', content: 'mine' });
  const release = await bot.drop();
  await bot.say('two', 'channel');
  release();
  await bot.say('three');
  await listener.hears(1);
  expect(each.filter((content) => !content.includes('subscribed'))).toEqual([
    'one',
    'mine',
    'two',
    'three',
  ]);
  await listener.stop();
});
