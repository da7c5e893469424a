import { expect, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { directMessage, mention } from '../example-payload.ts';
import { replay } from './replay.ts';

const bot = (options: BotOptions) =>
  createBot(options)
    .command('fail', () => {
      throw new Error('broken');
    })
    .command('busy', async (ctx) => {
      await ctx.react('eyes');
      await ctx.upload(new File(['1'], 'one.txt'));
      await ctx.reply('one');
      return (await ctx.sender()).full_name;
    })
    .command('hush', () => {})
    .fallback((ctx) => `${ctx.trigger}: ${ctx.text}`);

const textsOf = ({ said }: Awaited<ReturnType<typeof replay>>) =>
  said.map(({ from, text, via }) => `${from.full_name} (${via}): ${text}`);

test('what a bot says to a payload, and how it answers', async () => {
  const replayed = await replay(bot, mention('@**Echo Bot** hi'));
  expect(replayed.answer).toBe('{"content":"mention: hi"}');
  expect(textsOf(replayed)).toEqual([
    'Iago (user): @**Echo Bot** hi',
    'Echo Bot (response): mention: hi',
  ]);
  expect(await replay(bot, directMessage('hush'))).toMatchObject({
    answer: '{"response_not_required":true}',
    failures: [],
  });
});

test('a payload without a token is one', async () => {
  const { token: _token, ...kept } = directMessage('hi');
  expect((await replay(bot, kept)).answer).toBe('{"content":"direct_message: hi"}');
});

test('what goes by REST stays in memory', async () => {
  const replayed = await replay(bot, directMessage('busy'));
  expect(textsOf(replayed)).toEqual([
    'Iago (user): busy',
    'Echo Bot (rest): one',
    'Echo Bot (response): Iago',
  ]);
  expect(replayed.said[0]?.reactions).toEqual(['eyes']);
  expect(replayed.uploads.map(({ name }) => name)).toEqual(['one.txt']);
});

test('a failure is told of, and what people are told', async () => {
  const { answer, failures } = await replay(bot, directMessage('fail'));
  expect(failures).toMatchObject([{ code: 'handler_failed', error: { message: 'broken' } }]);
  expect(answer).toContain(failures[0]?.reference);
});

test.each([
  [undefined, 'the whole: '],
  [{ ...mention('hi'), bot_email: 5 }, '  bot_email: '],
  [{ ...mention('hi'), trigger: 'direct_message' }, '  message: the trigger and the place'],
])('what is no payload is refused with the reason', async (payload, reason) => {
  await expect(replay(bot, payload)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(reason),
  });
});
