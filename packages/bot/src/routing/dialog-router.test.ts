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
        return `${ctx.message.sender.fullName}: ${answers.score}, ${answers.why}`;
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
      confirm: ({ args, text }) => args.env === 'prod' && `${text}: deploy ${args.ref} to prod?`,
    },
    ({ args }) => `Deployed ${args.ref} to ${args.env}`,
  );

test('a command with confirm runs only after a yes', async () => {
  const room = chat(deploys);
  const ada = room.user('Ada', { role: 'moderator' });
  expect(await ada.says('deploy staging')).toEqual(['Deployed main to staging']);
  expect(await ada.says('deploy prod v2')).toEqual([
    'deploy prod v2: deploy v2 to prod? (yes / no)',
  ]);
  expect(await ada.says('perhaps')).toEqual([expect.stringContaining('do not know')]);
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
  expect(await eve.says('yes')).toEqual(['Only the person who asked may answer that.']);
  expect(await ops.says('yes')).toEqual(['Deployed main to prod']);
});

test('a text that begins with the name of a command and does not fit its usage is an answer', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('rate <score:int>', () => 'rated')
      .command('report', (ctx) => ctx.begin('report'))
      .dialog('report', { what: { ask: 'What?', schema: z.string() } }, (_ctx, { what }) => what),
  );
  const ada = room.user('Ada');
  await ada.says('report');
  expect(await ada.says('rate limits are too low')).toEqual(['rate limits are too low']);
  await ada.says('report');
  expect(await ada.says('rate 3')).toEqual(['rated']);
  expect(await ada.says('rate limits')).toEqual([expect.stringContaining('Usage: `rate')]);
});

const unreliable = (fails: { now: boolean }) => (options: BotOptions) =>
  createBot(options)
    .command('book', (ctx) => ctx.begin('book'))
    .dialog('book', { room: { ask: 'Which room?', schema: z.string() } }, (_ctx, { room }) => {
      if (fails.now) throw new Error('The calendar is down.');
      return `Booked ${room}.`;
    })
    .fallback((ctx) => `else: ${ctx.text}`);

test('the answers of a dialog whose last function fails are kept, and `again` runs it again', async () => {
  const fails = { now: true };
  const room = chat(unreliable(fails));
  const ada = room.user('Ada');
  await ada.says('book');
  const offer = expect.stringMatching(
    /^Something went wrong\. Reference .*\n\nYour answers are kept/,
  );
  expect(await ada.says('Room 7')).toEqual([offer]);
  expect(await ada.says('what now?')).toEqual(['else: what now?']);
  expect(await ada.says('Again')).toEqual([offer]);
  fails.now = false;
  expect(await ada.says('again')).toEqual(['Booked Room 7.']);
  expect(await ada.says('again')).toEqual(['else: again']);
  expect(room.failures).toHaveLength(2);
});

test('`cancel` and the end of its time drop the kept answers of a dialog', async () => {
  const room = chat(unreliable({ now: true }));
  const ada = room.user('Ada');
  await ada.says('book');
  await ada.says('Room 7');
  expect(await ada.says('cancel')).toEqual(['Cancelled.']);
  expect(await ada.says('again')).toEqual(['else: again']);
  await ada.says('book');
  await ada.says('Room 7');
  await room.advance(3_700_000);
  expect(await ada.says('again')).toEqual([
    'I stopped waiting for an answer to "book". Please start again.\n\nelse: again',
  ]);
});

test('wrongAnswer writes the reply to a wrong answer from the step, the text and the issues', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('vote', (ctx) => ctx.begin('vote'))
      .dialog(
        'vote',
        { points: { ask: 'Punkte?', schema: z.coerce.number().max(5) } },
        () => 'Danke.',
        { wrongAnswer: ({ step, text, issues }) => `${step}: ${text} (${issues.length})` },
      ),
  );
  const ada = room.user('Ada');
  await ada.says('vote');
  expect(await ada.says('9')).toEqual(['points: 9 (1)\n\nPunkte?']);
});
