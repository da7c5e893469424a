import { expect, expectTypeOf, test } from 'vitest';

import type { Bot, Handler } from './bot-builder.ts';
import type { Context } from './context.ts';
import { createBot } from './create-bot.ts';
import type { ChannelMessage, DirectMessage } from './delivery.ts';
import { directMessage, mention } from './example-payload.fixture.ts';
import type { Failure } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import { receiver } from './receiver.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };

const mentioned = (text: string) => mention(`@**Echo Bot** ${text}`);

/** What a bot replies to a payload; rejects with what its handler failed of. */
async function told(bot: AnyBot, payload: unknown): Promise<unknown> {
  const failures: unknown[] = [];
  const hooks = { onError: ({ error }: Failure) => void failures.push(error) };
  const { body } = await receiver([bot], { hooks }).receive({
    text: JSON.stringify(payload),
    contentType: 'application/json',
    signature: { id: undefined, timestamp: undefined, signature: undefined },
  });
  if (failures.length > 0) throw failures[0];
  const answer = JSON.parse(body);
  return 'response_not_required' in answer ? undefined : answer;
}

test.each([undefined, '', ' ', [], ['genuine', '']])('no bot with the token %j', (token) => {
  expect(() => createBot({ email: 'echo-bot@chat.test', token })).toThrow(
    /no token for echo-bot@chat.test.*sandbox\.json/,
  );
});

test.each([undefined, '', ' '])('no bot with the e-mail %j', (email) => {
  expect(() => createBot({ email, token: 'genuine' })).toThrow('no email');
});

test('the token of a bot cannot be read from it', () => {
  const bot = createBot({ email: 'echo-bot@chat.test', token: 'very-secret' });
  expect(JSON.stringify(bot)).not.toContain('very-secret');
});

test('a command answers before a trigger, a trigger before the fallback', async () => {
  const bot = createBot(identity)
    .fallback(() => 'fallback')
    .on('mention', () => 'mention')
    .command('deploy [what...]', () => 'command');
  expect(await told(bot, mentioned('deploy now'))).toEqual({ content: 'command' });
  expect(await told(bot, directMessage('deploy'))).toEqual({ content: 'command' });
  expect(await told(bot, mentioned('deployment'))).toEqual({ content: 'mention' });
  expect(await told(bot, mentioned('please deploy'))).toEqual({ content: 'mention' });
  expect(await told(bot, directMessage('hi'))).toEqual({ content: 'fallback' });
});

test('a bot without a handler is silent', async () => {
  expect(await told(createBot(identity), mentioned(''))).toBeUndefined();
});

test.each(['__proto__', 'constructor', 'toString'])('%s is no command', async (word) => {
  const bot = createBot(identity).command('deploy', () => 'deployed');
  expect(await told(bot, mentioned(word))).toEqual({
    content: expect.stringContaining('I do not know'),
  });
});

test('a second handler for a trigger or a second fallback throws', () => {
  const bot = createBot(identity)
    .command('deploy', () => {})
    .on('mention', () => {})
    .fallback(() => {});
  expect(() => bot.command('DEPLOY', () => {})).toThrow('The name `DEPLOY` is taken');
  expect(() => bot.on('mention', () => {})).toThrow('a handler for mention already');
  expect(() => bot.fallback(() => {})).toThrow('a handler as a fallback already');
});

test('a context has the sender, the text and the place of its message', async () => {
  let seen: Context | undefined;
  const bot = createBot(identity).fallback((ctx) => {
    seen = ctx;
  });
  await told(bot, mentioned('hello'));
  expect(seen).toMatchObject({
    trigger: 'mention',
    text: 'hello',
    bot: { email: 'echo-bot@chat.test', full_name: 'Echo Bot' },
    message: { content: '@**Echo Bot** hello', channel: { name: 'ops' }, topic: 'releases' },
  });
  expect(seen).not.toHaveProperty('token');
});

test('ctx.reply sends a reply, and the promise of a handler is awaited', async () => {
  const bot = createBot(identity)
    .on('mention', (ctx) => ctx.reply('replied'))
    .on('direct_message', async (ctx) => {
      await ctx.reply({ content: 'awaited', widget_content: '{}' });
    });
  expect(await told(bot, mentioned('hi'))).toEqual({ content: 'replied' });
  expect(await told(bot, directMessage('hi'))).toEqual({
    content: 'awaited',
    widget_content: '{}',
  });
});

test('respond rejects with the error that a handler throws or rejects with', async () => {
  const cause = new Error('no database');
  const throws = createBot(identity).fallback(() => {
    throw cause;
  });
  const rejects = createBot(identity).fallback(() => Promise.reject(cause));
  await expect(told(throws, mentioned('hi'))).rejects.toBe(cause);
  await expect(told(rejects, mentioned('hi'))).rejects.toBe(cause);
});

test('a usage that cannot be read throws, and does not compile', () => {
  const bot = createBot(identity);
  // @ts-expect-error: there is no type of this name
  expect(() => bot.command('undeploy <env:nothing>', () => 'x')).toThrow('nothing');
  // @ts-expect-error: a required argument follows an optional one
  expect(() => bot.command('undeploy [env] <ref>', () => 'x')).toThrow('undeploy');
});

test('trigger, command and usage decide the types of a context', () => {
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
    .command('deploy <env:staging|prod> [ref=main] [--count:int]', (ctx) => {
      expectTypeOf(ctx.args.env).toEqualTypeOf<'staging' | 'prod'>();
      expectTypeOf(ctx.args.ref).toBeString();
      expectTypeOf(ctx.args.count).toEqualTypeOf<number | undefined>();
      expectTypeOf(ctx.args).not.toHaveProperty('environment');
      if (ctx.trigger === 'mention') expectTypeOf(ctx.message).toEqualTypeOf<ChannelMessage>();
      else expectTypeOf(ctx.message).toEqualTypeOf<DirectMessage>();
    })
    .fallback((ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context>();
      expectTypeOf(ctx).not.toHaveProperty('args');
    });
  expectTypeOf<Parameters<Bot['on']>[0]>().toEqualTypeOf<'mention' | 'direct_message'>();
  expectTypeOf<() => number>().not.toExtend<Handler<Context>>();
  expectTypeOf<() => Promise<{ content: string }>>().toExtend<Handler<Context>>();
});
