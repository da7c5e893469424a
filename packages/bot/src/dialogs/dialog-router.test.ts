import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { chat } from '../testing/chat/chat.ts';

const feedback = (options: BotOptions) =>
  createBot(options)
    .command('feedback', { about: 'Tell us' }, (ctx) => ctx.begin('feedback'))
    .command('rate <score>', (ctx) => ctx.begin('feedback', { score: ctx.args.score }))
    .command('ping', () => 'pong')
    .dialog(
      'feedback',
      {
        score: { ask: 'Score from 1 to 5?', schema: z.coerce.number().int().min(1).max(5) },
        why: { ask: ({ score }) => `Why ${score}?`, schema: z.string().max(500) },
      },
      (ctx, answers) => {
        expectTypeOf(answers.score).toBeNumber();
        expectTypeOf(answers.why).toBeString();
        return `${ctx.message.sender.full_name}: ${answers.score}, ${answers.why}`;
      },
    )
    .fallback((ctx) => `else: ${ctx.text}`);

test('a dialog repeats a question after a wrong answer and ends with all answers', async () => {
  const room = chat(feedback);
  const ada = room.user('Ada');
  for (const text of ['feedback', '9', '5', 'it works', 'hello']) await ada.says(text);
  expect(room.transcript()).toEqual([
    'Ada: feedback',
    'Bot: Score from 1 to 5?',
    'Ada: 9',
    expect.stringContaining('Score from 1 to 5?'),
    'Ada: 5',
    'Bot: Why 5?',
    'Ada: it works',
    'Bot: Ada: 5, it works',
    'Ada: hello',
    'Bot: else: hello',
  ]);
});

test('each user has a dialog of their own in each conversation', async () => {
  const room = chat(feedback);
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  const ops = (user: typeof ada) => user.inChannel('ops', 'releases');
  await ops(ada).says('feedback');
  expect(await ops(grace).says('5')).toEqual(['else: 5']);
  expect(await ada.says('5')).toEqual(['else: 5']);
  expect(await ops(ada).says('5')).toEqual(['Why 5?']);
});

test('the word cancel and a command end a dialog', async () => {
  const ada = chat(feedback).user('Ada');
  await ada.says('feedback');
  expect(await ada.says('Cancel')).toEqual(['Cancelled.']);
  expect(await ada.says('5')).toEqual(['else: 5']);
  await ada.says('feedback');
  expect(await ada.says('ping')).toEqual(['pong']);
  expect(await ada.says('5')).toEqual(['else: 5']);
});

test('known answers are not asked for, and a repeated delivery is not a second answer', async () => {
  const room = chat(feedback);
  const ada = room.user('Ada');
  expect(await ada.says('rate 4')).toEqual(['Why 4?']);
  expect(await room.redeliver()).toEqual(['Why 4?']);
  expect(await ada.says('good')).toEqual(['Ada: 4, good']);
});

test('an expired dialog is announced before the reply to the next message', async () => {
  const room = chat(feedback);
  const ada = room.user('Ada');
  await ada.says('feedback');
  await room.advance(2 * 3_600_000);
  const [reply] = await ada.says('5');
  expect(reply).toMatch(/stopped waiting[^]*else: 5/);
});

test('a dialog continues after a restart, and is dropped if it was removed from the code', async () => {
  const store = memoryStore();
  const before = chat((options) => feedback({ ...options, store }));
  await before.user('Ada').says('feedback');
  const after = chat((options) => feedback({ ...options, store }));
  expect(await after.user('Ada').says('3')).toEqual(['Why 3?']);
  const changed = chat((options) =>
    createBot({ ...options, store })
      .dialog('other', { a: { ask: 'A?', schema: z.string() } }, () => {})
      .fallback((ctx) => `else: ${ctx.text}`),
  );
  expect(await changed.user('Ada').says('because')).toEqual(['else: because']);
  expect(changed.warnings).toMatchObject([{ code: 'stored_state_dropped' }]);
});

const deploys = (options: BotOptions) =>
  createBot(options).command(
    'deploy <env:staging|prod> [ref=main]',
    {
      allow: 'moderator',
      confirm: ({ env, ref }) => env === 'prod' && `Deploy ${ref} to prod?`,
    },
    ({ args }) => `Deployed ${args.ref} to ${args.env}`,
  );

test('a command with confirm runs only after a yes', async () => {
  const room = chat(deploys);
  const ada = room.user('Ada', { role: 'moderator' });
  expect(await ada.says('deploy staging')).toEqual(['Deployed main to staging']);
  expect(await ada.says('deploy prod v2')).toEqual(['Deploy v2 to prod? (yes / no)']);
  expect(await ada.says('perhaps')).toEqual([expect.stringContaining('answer yes or no')]);
  expect(await ada.says('Yes!')).toEqual(['Deployed v2 to prod']);
  expect(await room.redeliver()).toEqual(['Deployed v2 to prod']);
  await ada.says('deploy prod');
  expect(await ada.says('no')).toEqual(['All right, nothing was done.']);
});

test('only the user who gave a command can confirm it, and only users who may run it are asked', async () => {
  const room = chat(deploys);
  const ops = room.user('Ada', { role: 'moderator' }).inChannel('ops', 'x');
  const eve = room.user('Eve').inChannel('ops', 'x');
  expect(await eve.says('deploy prod')).toEqual([expect.stringContaining('moderator or above')]);
  await ops.says('deploy prod');
  expect(await eve.says('yes')).toEqual([expect.stringContaining('do not know')]);
  expect(await ops.says('yes')).toEqual(['Deployed main to prod']);
});
