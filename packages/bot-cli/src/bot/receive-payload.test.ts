import { type BotOptions, createBot } from '@bellhop/bot';
import * as internals from '@bellhop/bot/internals';
import { expect, test } from 'vitest';

import { UserError } from '../command-line/user-error.ts';
import { directMessage, mention } from './dev/payload.fixture.ts';
import { receivePayload } from './receive-payload.ts';

const bot = (options: BotOptions) =>
  createBot(options)
    .command('fail', () => {
      throw new Error('broken');
    })
    .command('busy', async (ctx) => {
      await ctx.react('eyes');
      await ctx.upload(new File(['1'], 'one.txt'));
      await ctx.reply('one');
      return (await ctx.user()).fullName;
    })
    .command('hush', () => {})
    .fallback((ctx) => `${ctx.trigger}: ${ctx.text}`);

const textsOf = ({ said }: Awaited<ReturnType<typeof receivePayload>>) =>
  said.map(({ sender, content, via }) => `${sender.fullName} (${via}): ${content}`);

test('receivePayload returns the messages of the bot and the JSON that answers the webhook', async () => {
  const received = await receivePayload(internals, bot, mention('@**Echo Bot** hi'));
  expect(received.answer).toBe('{"content":"mention: hi"}');
  expect(textsOf(received)).toEqual([
    'Iago (user): @**Echo Bot** hi',
    'Echo Bot (response): mention: hi',
  ]);
  expect(await receivePayload(internals, bot, directMessage('hush'))).toMatchObject({
    answer: '{"response_not_required":true}',
    failures: [],
  });
});

test('receivePayload accepts a payload without a token', async () => {
  const { token: _token, ...kept } = directMessage('hi');
  expect((await receivePayload(internals, bot, kept)).answer).toBe(
    '{"content":"direct_message: hi"}',
  );
});

test('REST calls of a handler stay in memory', async () => {
  const received = await receivePayload(internals, bot, directMessage('busy'));
  expect(textsOf(received)).toEqual([
    'Iago (user): busy',
    'Echo Bot (rest): one',
    'Echo Bot (response): Iago',
  ]);
  expect(received.said[0]?.reactions).toEqual(['eyes']);
  expect(received.uploads.map(({ name }) => name)).toEqual(['one.txt']);
});

test('receivePayload returns the failure of a handler, and its reference is in the answer', async () => {
  const { answer, failures } = await receivePayload(internals, bot, directMessage('fail'));
  expect(failures).toMatchObject([{ code: 'handler_failed', error: { message: 'broken' } }]);
  expect(answer).toContain(failures[0]?.reference);
});

test.each([
  [undefined, 'the whole: '],
  [{ ...mention('hi'), bot_email: 5 }, '  bot_email: '],
  [{ ...mention('hi'), trigger: 'direct_message' }, '  message: the trigger and the place'],
])('a payload of the wrong shape is refused with its wrong field', async (payload, reason) => {
  const refused = receivePayload(internals, bot, payload);
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(reason);
});
