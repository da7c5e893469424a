import { expect, expectTypeOf, test } from 'vitest';

import type {
  Bot,
  ChannelMessage,
  CommandContext,
  Context,
  DirectMessage,
  Handler,
} from './bot.ts';
import { createBot } from './create-bot.ts';
import { readDelivery } from './delivery.ts';
import { directMessage, mention } from './example-payload.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };

function delivered(payload: unknown) {
  const delivery = readDelivery(payload);
  if (delivery === undefined) throw new Error('The payload of the test is wrong');
  return delivery;
}

const mentioned = (text: string) => delivered(mention(`@**Echo Bot** ${text}`));

test.each([undefined, '', ' ', [], ['genuine', '']])('no bot with the token %j', (token) => {
  expect(() => createBot({ email: 'echo-bot@chat.test', token })).toThrow(
    /no token for echo-bot@chat.test.*sandbox\.json/,
  );
});

test.each([undefined, '', ' '])('no bot with the e-mail %j', (email) => {
  expect(() => createBot({ email, token: 'genuine' })).toThrow('no email');
});

test('no token can be read back from a bot', () => {
  const bot = createBot({ email: 'echo-bot@chat.test', token: 'very-secret' });
  expect(JSON.stringify(bot)).not.toContain('very-secret');
});

test('the first match answers: command, trigger, fallback', async () => {
  const bot = createBot(identity)
    .fallback(() => 'fallback')
    .on('mention', () => 'mention')
    .command('deploy', () => 'command');
  expect(await bot.handle(mentioned('deploy now'))).toEqual({ content: 'command' });
  expect(await bot.handle(delivered(directMessage('deploy')))).toEqual({ content: 'command' });
  expect(await bot.handle(mentioned('deployment'))).toEqual({ content: 'mention' });
  expect(await bot.handle(mentioned('please deploy'))).toEqual({ content: 'mention' });
  expect(await bot.handle(delivered(directMessage('hi')))).toEqual({ content: 'fallback' });
});

test('a bot without a handler is silent', async () => {
  expect(await createBot(identity).handle(mentioned(''))).toBeUndefined();
});

test('a command gets what follows it, as text and as words', async () => {
  const seen: CommandContext[] = [];
  const bot = createBot(identity).command('Deploy', (ctx) => void seen.push(ctx));
  await bot.handle(mentioned('DEPLOY  "release 2"\n to prod '));
  expect(seen).toMatchObject([
    { command: 'Deploy', rest: '"release 2"\n to prod', words: ['release 2', 'to', 'prod'] },
  ]);
  await bot.handle(mentioned('deploy'));
  expect(seen[1]).toMatchObject({ rest: '', words: [] });
});

test.each(['__proto__', 'constructor', 'toString'])('%s is no command', async (word) => {
  const bot = createBot(identity).command('deploy', () => 'deployed');
  expect(await bot.handle(mentioned(word))).toBeUndefined();
});

test('a handler nobody would reach is refused', () => {
  const bot = createBot(identity)
    .command('deploy', () => {})
    .on('mention', () => {})
    .fallback(() => {});
  expect(() => bot.command('DEPLOY', () => {})).toThrow('a handler for the command DEPLOY already');
  expect(() => bot.on('mention', () => {})).toThrow('a handler for mention already');
  expect(() => bot.fallback(() => {})).toThrow('a handler as a fallback already');
  expect(() => bot.command('two words', () => {})).toThrow('A command is one word');
  expect(() => bot.command('', () => {})).toThrow('A command is one word');
});

test('the context tells who said what to whom', async () => {
  let seen: Context | undefined;
  const bot = createBot(identity).fallback((ctx) => {
    seen = ctx;
  });
  await bot.handle(mentioned('hello'));
  expect(seen).toMatchObject({
    trigger: 'mention',
    text: 'hello',
    bot: { email: 'echo-bot@chat.test', full_name: 'Echo Bot' },
    message: { content: '@**Echo Bot** hello', channel: { name: 'ops' }, topic: 'releases' },
  });
  expect(seen).not.toHaveProperty('token');
});

test('ctx.reply replies, and a returned promise is awaited', async () => {
  const bot = createBot(identity)
    .on('mention', (ctx) => ctx.reply('replied'))
    .on('direct_message', async (ctx) => {
      await ctx.reply({ content: 'awaited', widget_content: '{}' });
    });
  expect(await bot.handle(mentioned('hi'))).toEqual({ content: 'replied' });
  expect(await bot.handle(delivered(directMessage('hi')))).toEqual({
    content: 'awaited',
    widget_content: '{}',
  });
});

test('a second reply is an error, not lost', async () => {
  const twice = createBot(identity).fallback(async (ctx) => {
    await ctx.reply('one');
    await ctx.reply('two');
  });
  await expect(twice.handle(mentioned('hi'))).rejects.toThrow('One reply fits');
  const returned = createBot(identity).fallback(async (ctx) => {
    await ctx.reply('one');
    return 'two';
  });
  await expect(returned.handle(mentioned('hi'))).rejects.toThrow('One reply fits');
});

test('a reply after the end is an error', async () => {
  let late: Context | undefined;
  const bot = createBot(identity).fallback((ctx) => {
    late = ctx;
  });
  await bot.handle(mentioned('hi'));
  expect(() => late?.reply('late')).toThrow('One reply fits');
});

test('a handler fails as itself, thrown or rejected', async () => {
  const cause = new Error('no database');
  const throws = createBot(identity).fallback(() => {
    throw cause;
  });
  const rejects = createBot(identity).fallback(() => Promise.reject(cause));
  await expect(throws.handle(mentioned('hi'))).rejects.toBe(cause);
  await expect(rejects.handle(mentioned('hi'))).rejects.toBe(cause);
});

test('the trigger narrows the message', () => {
  createBot(identity)
    .on('mention', (ctx) => {
      expectTypeOf(ctx.message).toEqualTypeOf<ChannelMessage>();
      expectTypeOf(ctx.message.topic).toBeString();
      expectTypeOf(ctx.message).not.toHaveProperty('recipients');
    })
    .on('direct_message', (ctx) => {
      expectTypeOf(ctx.message).toEqualTypeOf<DirectMessage>();
      expectTypeOf(ctx.message.recipients).items.toHaveProperty('full_name');
      expectTypeOf(ctx.message).not.toHaveProperty('channel');
    })
    .command('deploy', (ctx) => {
      expectTypeOf(ctx.words).toEqualTypeOf<readonly string[]>();
      if (ctx.trigger === 'mention') expectTypeOf(ctx.message).toEqualTypeOf<ChannelMessage>();
      else expectTypeOf(ctx.message).toEqualTypeOf<DirectMessage>();
    })
    .fallback((ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context>();
      expectTypeOf(ctx).not.toHaveProperty('words');
    });
  expectTypeOf<Parameters<Bot['on']>[0]>().toEqualTypeOf<'mention' | 'direct_message'>();
  expectTypeOf<() => number>().not.toExtend<Handler<Context>>();
  expectTypeOf<() => Promise<{ content: string }>>().toExtend<Handler<Context>>();
});
