import { expect, expectTypeOf, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { delivered } from '../deliveries/delivery-dispatcher.fixture.ts';
import { DeliveryDispatcher } from '../deliveries/delivery-dispatcher.ts';
import type { Failure } from '../hooks.ts';
import { memoryStore } from '../stores/memory-store.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };
const session = { scope: 'conversation', initial: () => ({ count: 0 }) } as const;

const dispatcherOf = (
  bot: ConstructorParameters<typeof DeliveryDispatcher>[0],
  failures: Failure[] = [],
) =>
  new DeliveryDispatcher(bot, {
    hooks: { onError: (failure) => void failures.push(failure) },
    deadlineMs: 8000,
  });

test('what a handler changes is there for the next message of its scope, and its type is known', async () => {
  const bot = createBot({ ...identity, session }).fallback((ctx) => {
    expectTypeOf(ctx.session).toEqualTypeOf<{ count: number }>();
    ctx.session.count += 1;
    return `${ctx.session.count}`;
  });
  const dispatcher = dispatcherOf(bot);
  const say = async (topic: string) => (await dispatcher.accept(delivered('hi', topic)))?.content;
  expect([await say('one'), await say('one'), await say('other')]).toEqual(['1', '2', '1']);
});

test('a bot without sessions has none', () => {
  createBot(identity).fallback((ctx) => {
    expectTypeOf(ctx.session).toBeUndefined();
  });
});

test('a handler that fails changes nothing', async () => {
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

test('two at once both count: the second is handled again on what the first left', async () => {
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
  // Two processes that share a store: neither knows of the other's conversation.
  const [one, two] = [dispatcherOf(make()), dispatcherOf(make())];
  const replies = await Promise.all([one.accept(delivered('hi')), two.accept(delivered('hi'))]);
  expect(replies.map((reply) => reply?.content)).toEqual(expect.arrayContaining(['1', '2']));
  expect(handled).toBe(3);
});
