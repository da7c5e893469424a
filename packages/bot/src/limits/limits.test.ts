import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';
import { budget } from './budget.ts';
import { rateLimit } from './rate-limit.ts';

const MINUTE = 60_000;
const tooMuch = expect.stringContaining('too much at once');

test('a person above the limit is told once, and is answered again when the time is over', async () => {
  const room = chat((options) =>
    createBot(options)
      .use(rateLimit({ perUser: { amount: 2, perMs: MINUTE } }))
      .fallback((ctx) => ctx.text),
  );
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  for (const text of ['one', 'two']) expect(await ada.says(text)).toEqual([text]);
  expect(await ada.says('three')).toEqual([tooMuch]);
  expect(await ada.inChannel('ops', 'x').says('four')).toEqual([]);
  expect(await grace.says('five')).toEqual(['five']);
  await room.advance(MINUTE);
  expect(await ada.says('six')).toEqual(['six']);
});

test('the limit of a conversation counts all people in it, and no follow-up gets its reply', async () => {
  const room = chat((options) =>
    createBot(options)
      .use(rateLimit({ perConversation: { amount: 2, perMs: MINUTE }, reply: (s) => `${s} s` }))
      .on('follow_up', (ctx) => ctx.text)
      .fallback(async (ctx) => {
        await ctx.subscribe();
        return ctx.text;
      }),
  );
  const [ada, grace] = ['Ada', 'Grace'].map((name) => room.user(name).inChannel('ops', 'x'));
  expect(await ada?.says('one')).toEqual(['one']);
  expect(await grace?.writes('two')).toEqual(['two']);
  expect(await ada?.writes('three')).toEqual([]);
  expect(await grace?.says('four')).toEqual(['60 s']);
  expect(await room.user('Ada').inChannel('ops', 'y').says('five')).toEqual(['five']);
});

test('a spent budget of a person or of all people stops answers until its period ends', async () => {
  const spent: number[] = [];
  const tokens = budget({
    perUser: { amount: 100, perMs: MINUTE },
    total: { amount: 150, perMs: 2 * MINUTE },
    onSpent: ({ amount }) => spent.push(amount),
  });
  const room = chat((options) =>
    createBot(options)
      .use(tokens.middleware)
      .command('ask <cost:int>', (ctx) => {
        tokens.spend(ctx, ctx.args.cost);
        return 'Answered.';
      }),
  );
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  const isSpent = [expect.stringContaining('budget')];
  expect(await ada.says('ask 120')).toEqual(['Answered.']);
  expect(await ada.says('ask 1')).toEqual(isSpent);
  expect(await grace.says('ask 30')).toEqual(['Answered.']);
  expect(await grace.says('ask 1')).toEqual(isSpent);
  await room.advance(MINUTE);
  expect(await ada.says('ask 1')).toEqual(isSpent);
  await room.advance(MINUTE);
  expect(await ada.says('ask 1')).toEqual(['Answered.']);
  expect(spent).toEqual([120, 30, 1]);
});

test('limits that permit nothing are refused', () => {
  for (const rate of [
    { amount: 0, perMs: 1 },
    { amount: 1, perMs: 0 },
    { amount: Number.NaN, perMs: 1 },
  ])
    expect(() => rateLimit({ perUser: rate })).toThrow(BotError);
});
