import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import type { Bot } from './bot-builder.ts';
import type { BotOptions } from './bot-options.ts';
import type { Context } from './context.ts';
import { createBot } from './create-bot.ts';
import { memoryStore } from './stores/memory-store.ts';
import { chat } from './testing/chat/chat.ts';

const identity = { email: 'bot@chat.test', token: 'x' };

const reminding = (options: BotOptions) =>
  createBot({
    ...options,
    session: { scope: 'user', initial: () => ({ count: 0 }) },
    tasks: { remind: z.object({ text: z.string().max(20), times: z.number().default(1) }) },
    dialogs: ['report'],
    choices: ['swap'],
  });

test('a misspelled task, dialog or choice, and data that does not fit, do not compile', () => {
  const bot = reminding(identity);
  bot.fallback(async (ctx) => {
    expectTypeOf(ctx.session).toEqualTypeOf<{ count: number }>();
    await ctx.later('remind', 1, { text: 'x', times: 2 });
    // @ts-expect-error the task is called remind
    await ctx.later('remnd', 1, { text: 'x', times: 2 });
    // @ts-expect-error the text is missing
    await ctx.later('remind', 1, { times: 2 });
    await ctx.begin('report');
    // @ts-expect-error the dialog is called report
    await ctx.begin('reprot');
    // @ts-expect-error the choice is called swap
    await ctx.choose('swp', 'Swap?', { options: ['Yes'] });
    return ctx.choose('swap', 'Swap?', { options: ['Yes'] });
  });
  bot.task('remind', ({ data, later }) => {
    expectTypeOf(data).toEqualTypeOf<{ text: string; times: number }>();
    expectTypeOf(later).parameter(0).toEqualTypeOf<'remind'>();
  });
  bot.choice('swap', (ctx) => void expectTypeOf(ctx.begin).parameter(0).toEqualTypeOf<'report'>());
  // @ts-expect-error the task is called remind
  bot.task('remnd', () => {});
  // @ts-expect-error the dialog is called report
  bot.dialog('reprot', { what: { ask: 'What?', schema: z.string() } }, () => {});
  // @ts-expect-error the choice is called swap
  bot.choice('swp', () => {});
});

test('a bot that declares no names accepts any name, and a plugin accepts bots of both kinds', () => {
  const plugin = <Session>(bot: Bot<Session>) => void bot.hears(/x/, () => 'x');
  createBot(identity)
    .plugin(plugin)
    .task<{ text: string }>('any', ({ data }) => expectTypeOf(data.text).toBeString())
    .fallback(async (ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context>();
      expectTypeOf(ctx.begin).parameter(0).toBeString();
      expectTypeOf(ctx.later).parameter(0).toBeString();
    });
  reminding(identity).plugin(plugin);
});

test('data that its schema refuses is refused by later, and the handler gets what the schema returns', async () => {
  const seen: unknown[] = [];
  const room = chat((options) =>
    reminding(options)
      .task('remind', ({ data }) => void seen.push(data))
      .command('remind <text...>', async ({ args, later }) => {
        const data = { text: args.text } as { text: string; times: number };
        await later('remind', 1000, data);
      }),
  );
  const ada = room.user('Ada');
  await ada.says('remind tea');
  await room.advance(1000);
  expect(seen).toEqual([{ text: 'tea', times: 1 }]);
  await ada.says('remind to buy all the tea of China');
  expect(room.failures).toMatchObject([
    { code: 'config_invalid', error: { message: expect.stringMatching(/"remind".* text: /) } },
  ]);
});

test('stored data of an older version that the schema refuses is reported, and the task does not run', async () => {
  const store = memoryStore();
  const before = chat((options) =>
    createBot({ ...options, store })
      .task('remind', () => {})
      .command('go', async ({ later }) => void (await later('remind', 60_000, 'only a text'))),
  );
  await before.user('Ada').says('go');
  const seen: unknown[] = [];
  const after = chat((options) =>
    reminding({ ...options, store }).task('remind', ({ data }) => void seen.push(data)),
  );
  await after.advance(61_000);
  expect(seen).toEqual([]);
  expect(after.failures).toMatchObject([{ work: 'remind', code: 'config_invalid' }]);
});
