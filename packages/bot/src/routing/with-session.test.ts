import { expect, expectTypeOf, test } from 'vitest';

import type { SessionOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { delivered } from '../deliveries/delivery-dispatcher.fixture.ts';
import type { Failure } from '../hooks.ts';
import type { AnyBot } from '../internals.ts';
import { Runtime } from '../runtime.ts';
import { memoryStore } from '../stores/memory-store.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };
const session = { scope: 'conversation', initial: () => ({ count: 0 }) } as const;

const dispatcherOf = (bot: AnyBot, failures: Failure[] = []) =>
  new Runtime(bot, {
    hooks: { onError: (failure) => void failures.push(failure) },
    deadlineMs: 8000,
    place: 'test',
  }).dispatcher;

test('a session that a handler changed is loaded for the next message of its scope', async () => {
  const bot = createBot({ ...identity, session }).fallback((ctx) => {
    expectTypeOf(ctx.session).toEqualTypeOf<{ count: number }>();
    ctx.session.count += 1;
    return `${ctx.session.count}`;
  });
  const dispatcher = dispatcherOf(bot);
  const say = async (topic: string) => (await dispatcher.accept(delivered('hi', topic)))?.content;
  expect([await say('one'), await say('one'), await say('other')]).toEqual(['1', '2', '1']);
});

test('ctx.session of a bot without sessions is undefined', () => {
  createBot(identity).fallback((ctx) => {
    expectTypeOf(ctx.session).toBeUndefined();
  });
});

test('a session is not saved when its handler fails', async () => {
  const bot = createBot({ ...identity, session })
    .hears(/fail/, (ctx) => {
      ctx.session.count = 100;
      throw new Error('fails');
    })
    .fallback((ctx) => `${ctx.session.count}`);
  const dispatcher = dispatcherOf(bot);
  await dispatcher.accept(delivered('fail'));
  expect((await dispatcher.accept(delivered('hi')))?.content).toBe('0');
});

test('after a session conflict the handler runs again on the newer session', async () => {
  const store = memoryStore();
  let handled = 0;
  const make = () =>
    createBot({ ...identity, session, store }).fallback(async (ctx) => {
      handled += 1;
      const before = ctx.session.count;
      await new Promise((resolve) => setImmediate(resolve));
      ctx.session.count = before + 1;
      await ctx.reply(`${ctx.session.count}`);
    });
  // Two processes that share a store do not order their deliveries.
  const [one, two] = [dispatcherOf(make()), dispatcherOf(make())];
  const replies = await Promise.all([one.accept(delivered('hi')), two.accept(delivered('hi'))]);
  expect(replies.map((reply) => reply?.content)).toEqual(expect.arrayContaining(['1', '2']));
  expect(handled).toBe(3);
});

test('a session that JSON cannot hold does not compile, one that it can hold keeps its type', () => {
  const withSession = <T>(initial: T) => ({ scope: 'bot' as const, initial: () => initial });
  // @ts-expect-error a Date comes back from the store as a text
  createBot({ ...identity, session: { scope: 'bot', initial: () => ({ at: new Date() }) } });
  // @ts-expect-error a Map comes back from the store as an empty object
  createBot({ ...identity, session: { scope: 'bot', initial: () => ({ seen: new Map() }) } });
  // @ts-expect-error a function does not come back
  createBot({ ...identity, session: { scope: 'bot', initial: () => ({ call: () => 1 }) } });
  type Initial<S> = ReturnType<SessionOptions<S>['initial']>;
  expectTypeOf<
    Initial<{ at: Date }>['at']
  >().toExtend<'A session holds JSON: keep a date as a number or a text, and a Map as an object'>();
  expectTypeOf<
    Initial<{ call: () => number }>['call']
  >().toExtend<'A session holds JSON: no functions'>();
  expectTypeOf<Initial<{ count: number }>['count']>().toEqualTypeOf<number>();
  interface Votes {
    readonly question?: string;
    people: { name: string; votes: number[] }[];
  }
  const bot = createBot({ ...identity, session: withSession<Votes>({ people: [] }) });
  bot.fallback(({ session: votes }) => {
    expectTypeOf(votes).toEqualTypeOf<Votes>();
  });
});
