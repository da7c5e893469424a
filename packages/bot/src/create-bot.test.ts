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

/** Returns the answer of a bot to a payload; rejects with the error of its handler. */
async function answerTo(bot: AnyBot, payload: unknown): Promise<unknown> {
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

const config = (message: unknown) =>
  expect.objectContaining({ name: 'BotError', code: 'config_invalid', message });

test.each(['', ' ', ['genuine', ''], 'x'.repeat(256)])(
  'createBot throws on the token %j',
  (token) => {
    expect(() => createBot({ email: 'echo-bot@chat.test', token })).toThrow(
      config(expect.stringContaining('echo-bot@chat.test')),
    );
  },
);

test.each([undefined, '', ' '])('createBot throws on the e-mail %j', (email) => {
  expect(() => createBot({ email, token: 'genuine' })).toThrow(
    config(expect.stringContaining('no email')),
  );
});

test.each([undefined, []])('a bot with the token %j cannot receive webhooks', (token) => {
  const bot = createBot({ email: 'echo-bot@chat.test', token });
  expect(() => receiver([bot])).toThrow(
    config(expect.stringMatching(/No token for echo-bot@chat.test.*BOT_TOKEN.*sandbox\.json/)),
  );
});

test('everything that is declared wrongly is one kind of error', () => {
  const bot = createBot(identity)
    .on('mention', () => '')
    .fallback(() => '')
    .command('a', () => '')
    .catch(() => '');
  for (const wrong of [
    () => bot.on('mention', () => ''),
    () => bot.fallback(() => ''),
    () => bot.command('a', () => ''),
    () => bot.catch(() => ''),
    () => receiver([]),
    () => receiver([bot, bot]),
  ])
    expect(wrong).toThrow(config(expect.any(String)));
});

test('JSON of a bot does not contain its token', () => {
  const bot = createBot({ email: 'echo-bot@chat.test', token: 'very-secret' });
  expect(JSON.stringify(bot)).not.toContain('very-secret');
});

test('a command answers before a trigger, a trigger before the fallback', async () => {
  const bot = createBot(identity)
    .fallback(() => 'fallback')
    .on('mention', () => 'mention')
    .command('deploy [what...]', () => 'command');
  expect(await answerTo(bot, mentioned('deploy now'))).toEqual({ content: 'command' });
  expect(await answerTo(bot, directMessage('deploy'))).toEqual({ content: 'command' });
  expect(await answerTo(bot, mentioned('deployment'))).toEqual({ content: 'mention' });
  expect(await answerTo(bot, mentioned('please deploy'))).toEqual({ content: 'mention' });
  expect(await answerTo(bot, directMessage('hi'))).toEqual({ content: 'fallback' });
});

test('a bot without a handler is silent', async () => {
  expect(await answerTo(createBot(identity), mentioned(''))).toBeUndefined();
});

test.each(['__proto__', 'constructor', 'toString'])(
  'the word %s, a property of objects, is an unknown command',
  async (word) => {
    const bot = createBot(identity).command('deploy', () => 'deployed');
    expect(await answerTo(bot, mentioned(word))).toEqual({
      content: expect.stringContaining('I do not know'),
    });
  },
);

test('a second handler for a trigger or a second fallback throws', () => {
  const bot = createBot(identity)
    .command('deploy', () => {})
    .on('mention', () => {})
    .fallback(() => {});
  expect(() => bot.command('DEPLOY', () => {})).toThrow('The name `DEPLOY` is taken');
  expect(() => bot.on('mention', () => {})).toThrow('a handler for mention already');
  expect(() => bot.fallback(() => {})).toThrow('a handler as a fallback already');
});

test('a context has the text, the conversation and the bot, but no token', async () => {
  let seen: Context | undefined;
  const bot = createBot(identity).fallback((ctx) => {
    seen = ctx;
  });
  await answerTo(bot, mentioned('hello'));
  expect(seen).toMatchObject({
    trigger: 'mention',
    text: 'hello',
    bot: { email: 'echo-bot@chat.test', fullName: 'Echo Bot' },
    message: { content: '@**Echo Bot** hello', channel: { name: 'ops' }, topic: 'releases' },
  });
  expect(seen).not.toHaveProperty('token');
});

test('ctx.reply sends a reply, and the promise of a handler is awaited', async () => {
  const bot = createBot(identity)
    .on('mention', (ctx) => ctx.reply('replied'))
    .on('direct_message', async (ctx) => {
      await ctx.reply({ content: 'awaited', widget: '{}' });
    });
  expect(await answerTo(bot, mentioned('hi'))).toEqual({ content: 'replied' });
  expect(await answerTo(bot, directMessage('hi'))).toEqual({
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
  await expect(answerTo(throws, mentioned('hi'))).rejects.toBe(cause);
  await expect(answerTo(rejects, mentioned('hi'))).rejects.toBe(cause);
});

test('an invalid usage throws and does not compile', () => {
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
      expectTypeOf(ctx.message.recipients).items.toHaveProperty('fullName');
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
  expectTypeOf<Parameters<Bot['on']>[0]>().toEqualTypeOf<
    'mention' | 'direct_message' | 'follow_up' | 'reaction' | 'edit' | 'delete'
  >();
  expectTypeOf<() => number>().not.toExtend<Handler<Context>>();
  expectTypeOf<() => Promise<{ content: string }>>().toExtend<Handler<Context>>();
});
