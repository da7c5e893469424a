import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Bot } from '../bot-builder.ts';
import { createBot } from '../create-bot.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server/fake-server.ts';
import type { FakeBot, FakeUser } from '../testing/fake-server/fake-user.ts';
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

/** A bench on the fake server, and everything it tells of. */
function benchOf(build: (bot: Bot) => Bot) {
  const told: string[] = [];
  const bench = workbench((options) => build(createBot(options)), {
    options: {
      email: echo.email,
      token: echo.token,
      api: { url: server.url, apiKey: echo.apiKey },
    },
    hooks: {
      onDelivery: ({ outcome }) => told.push(outcome),
      onError: ({ error }) => told.push(String(error)),
    },
    watcher: {
      posted: ({ content }) => told.push(`posted ${content}`),
      edited: (_id, content) => told.push(`edited ${content}`),
      removed: () => told.push('removed'),
      reacted: (_id, emoji) => told.push(`reacted ${emoji}`),
      unreacted: (_id, emoji) => told.push(`unreacted ${emoji}`),
      uploaded: () => {},
    },
  });
  const payload = (content: string) => {
    const { id } = ada.send({ to: echo }, content);
    const person = ({ user_id, email, full_name }: FakeUser) => ({ id: user_id, email, full_name });
    return {
      bot_email: echo.email,
      bot_full_name: 'Echo',
      trigger: 'direct_message',
      message: {
        id,
        content,
        display_recipient: [person(ada), person(echo)],
        sender_id: ada.user_id,
        sender_email: ada.email,
        sender_full_name: ada.full_name,
        timestamp: 1_790_000_000,
      },
    };
  };
  return { bench, told, payload };
}
const said = () => server.conversation({ between: [ada, echo] });

test('a reply is sent by REST, once for each message, and again on demand', async () => {
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

test('all that is done by REST is told of; a reaction that is there already is done', async () => {
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
    'removed',
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

test('a reply that cannot be sent rejects, and so does what is no payload', async () => {
  const { bench, payload } = benchOf((bot) => bot.fallback((ctx) => ctx.text));
  server.fail({ route: 'POST /messages', status: 400 });
  await expect(bench.deliver(payload('hi'))).rejects.toMatchObject({ code: 'api_rejected' });
  await expect(bench.deliver({ message: 1 })).rejects.toThrow('not the payload');
});

test('schedules run between its start and its stop', async () => {
  const { bench, told } = benchOf((bot) =>
    bot.every('* * * * * *', async ({ post }) => {
      await post({ users: [ada.user_id] }, 'tick');
    }),
  );
  expect(told).toEqual([]);
  await bench.startWork();
  await expect.poll(() => told).toContain('posted tick');
  await bench.stop();
  const { length } = told;
  expect(said()).toHaveLength(length);
});

test('handlers that run are waited for, and told to stop', async () => {
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
