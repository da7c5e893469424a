import { type Bot, createBot } from '@bellhop/bot';
import * as internals from '@bellhop/bot/internals';
import { type FakeBot, type FakeServer, fakeServer, type FakeUser } from '@bellhop/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { workbench } from './workbench.ts';

let server: FakeServer;
let ada: FakeUser;
let echo: FakeBot;
beforeEach(async () => {
  server = await fakeServer();
  ada = server.addUser('Ada');
  echo = server.addBot({ name: 'Echo' });
});
afterEach(() => server.stop());

/** A workbench on the fake server, and a list of everything it reports. */
function benchOf(build: (bot: Bot) => Bot) {
  const told: string[] = [];
  const bench = workbench((options) => build(createBot(options)), {
    internals,
    options: {
      email: echo.email,
      token: echo.token,
      api: { url: server.url, apiKey: echo.apiKey },
    },
    hooks: {
      onDelivery: ({ outcome }) => told.push(outcome),
      onError: ({ error }) => told.push(String(error)),
    },
    onAction(done) {
      const what = 'content' in done ? done.content : 'emoji' in done ? done.emoji : '';
      told.push(`${done.action} ${what}`.trim());
    },
  });
  const payload = (content: string) => {
    const { id } = ada.send(content, { users: [echo] });
    const person = ({ id: user_id, email, fullName: full_name }: FakeUser) => ({
      id: user_id,
      email,
      full_name,
    });
    return {
      bot_email: echo.email,
      bot_full_name: 'Echo',
      trigger: 'direct_message',
      message: {
        id,
        content,
        display_recipient: [person(ada), person(echo)],
        sender_id: ada.id,
        sender_email: ada.email,
        sender_full_name: ada.fullName,
        timestamp: 1_790_000_000,
      },
    };
  };
  return { bench, told, payload };
}
const said = () => server.conversation({ users: [ada, echo] });

test('the workbench sends a reply by REST once per message, and again when the message is delivered as new', async () => {
  const { bench, told, payload } = benchOf((bot) => bot.fallback((ctx) => ctx.text));
  expect(bench.email).toBe(echo.email);
  const hi = payload('hi');
  await bench.deliver(hi);
  expect(said()).toEqual(['Ada: hi', 'Echo: hi']);
  await bench.deliver(hi, true);
  expect(said()).toEqual(['Ada: hi', 'Echo: hi', 'Echo: hi']);
  expect(told).toEqual(['replied', 'posted hi', 'replied', 'posted hi']);
  await bench.stop();
});

test('the workbench reports each REST call; adding a reaction twice succeeds', async () => {
  const { bench, told, payload } = benchOf((bot) =>
    bot.fallback(async (ctx) => {
      const posted = await ctx.post('one');
      await posted.edit('two');
      await posted.react('tada');
      await posted.remove();
      await ctx.react('eyes');
      await ctx.react('eyes');
      await ctx.unreact('eyes');
      await ctx.react('no such emoji');
    }),
  );
  await bench.deliver(payload('hi'));
  expect(told.slice(0, 7)).toEqual([
    'posted one',
    'edited two',
    'reacted tada',
    'deleted',
    'reacted eyes',
    'reacted eyes',
    'unreacted eyes',
  ]);
  expect(told.slice(7)).toEqual([
    expect.stringContaining('BotError'),
    'failed',
    expect.stringContaining('posted Something went wrong'),
  ]);
});

test('deliver rejects when the server refuses the reply, and when the payload is malformed', async () => {
  const { bench, payload } = benchOf((bot) => bot.fallback((ctx) => ctx.text));
  server.fail({ route: 'POST /messages', status: 400 });
  await expect(bench.deliver(payload('hi'))).rejects.toMatchObject({ code: 'api_rejected' });
  await expect(bench.deliver({ message: 1 })).rejects.toThrow('not the payload');
});

test('schedules run from startWork until stop', async () => {
  const { bench, told } = benchOf((bot) =>
    bot.every('* * * * * *', async ({ post }) => {
      await post('tick', { userIds: [ada.id] });
    }),
  );
  expect(told).toEqual([]);
  await bench.startWork();
  await expect.poll(() => told).toContain('posted tick');
  await bench.stop();
  const { length } = told;
  expect(said()).toHaveLength(length);
});

test('abort ends the signal of a running handler, and stop waits for it', async () => {
  const running = Promise.withResolvers<void>();
  const { bench, payload } = benchOf((bot) =>
    bot.fallback(
      (ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener('abort', () => resolve('stopped'));
          running.resolve();
        }),
    ),
  );
  const delivered = bench.deliver(payload('hi'));
  await running.promise;
  bench.abort();
  await Promise.all([bench.stop(), delivered]);
  expect(said()).toEqual(['Ada: hi', 'Echo: stopped']);
});
