import { expect, test } from 'vitest';

import type { Bot } from '../bot-builder.ts';
import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';
import type { ChooseOptions } from './choice.ts';

const asking = (options: Partial<ChooseOptions> = {}, build: (bot: Bot) => unknown = () => {}) => {
  const room = chat((given) => {
    const bot = createBot(given)
      .command('ask', (ctx) =>
        ctx.choose('swap', 'Swap Monday?', {
          options: ['Approve', 'Reject'],
          data: { day: 'Monday' },
          ...options,
        }),
      )
      .fallback(() => 'What?');
    build(bot);
    return bot;
  });
  const place = (name: string, role: 'member' | 'moderator' = 'member') =>
    room.user(name, { role }).inChannel('ops', 'roster');
  return { room, ada: place('Ada'), grace: place('Grace'), mona: place('Mona', 'moderator') };
};

const answering = (bot: Bot) =>
  bot.choice<{ day: string }>(
    'swap',
    (ctx, { option, data, askedBy }) =>
      `${option} ${data.day} by ${ctx.message.sender.id}, asked by ${askedBy}`,
  );

test('a choice shows its options as text and as buttons, and is answered once', async () => {
  const { room, ada } = asking({}, answering);
  expect(await ada.says('ask')).toEqual(['Swap Monday?\n\n1. Approve\n2. Reject']);
  expect(JSON.parse(room.last()?.widget ?? '')).toMatchObject({
    widget_type: 'zform',
    extra_data: { choices: [{ long_name: 'Approve', reply: 'Approve' }, { reply: 'Reject' }] },
  });
  expect(await ada.writes('maybe')).toEqual([]);
  expect(await ada.writes('approve!')).toEqual(['Approve Monday by 2, asked by 2']);
  expect(room.messages[1]).toMatchObject({
    content: 'Swap Monday?\n\nAnswered by Ada: Approve',
    edits: ['Swap Monday?\n\n1. Approve\n2. Reject'],
  });
  expect(room.messages[1]?.widget).toBeUndefined();
  expect(await ada.writes('approve')).toEqual([]);
  expect(await ada.says('approve')).toEqual(['You have answered that already: Approve.']);
  expect(await ada.says('approve')).toEqual(['What?']);
});

test.each<[ChooseOptions['by'] & (string | undefined), string, readonly string[]]>([
  [undefined, 'Only the person who asked may answer that.', ['ada']],
  ['others', 'Somebody else must answer that.', ['grace', 'mona']],
  ['moderator', 'That is for people with the role moderator or above.', ['mona']],
  ['anyone', '', ['ada', 'grace', 'mona']],
])('a choice by %s takes the answers of the right people', async (by, refusal, permitted) => {
  for (const name of ['ada', 'grace', 'mona'] as const) {
    const fixture = asking(by === undefined ? {} : { by }, answering);
    await fixture.ada.says('ask');
    const isPermitted = permitted.includes(name);
    if (!isPermitted) expect(await fixture[name].writes('2')).toEqual([]);
    expect(await fixture[name].says('2')).toEqual([
      isPermitted ? expect.stringContaining('Reject Monday') : refusal,
    ]);
  }
});

test('a choice can be answered again after its handler has failed', async () => {
  let fails = true;
  const { ada } = asking({}, (bot) =>
    bot.choice('swap', () => {
      if (!fails) return 'Done.';
      fails = false;
      throw new Error('the calendar is down');
    }),
  );
  await ada.says('ask');
  expect(await ada.writes('1')).toEqual([expect.stringContaining('went wrong')]);
  expect(await ada.writes('1')).toEqual(['Done.']);
});

test('a choice that nobody answers in time calls timedOut, an answered one does not', async () => {
  const missed: unknown[] = [];
  const { room, ada } = asking({ timeoutMs: 60_000 }, (bot) =>
    bot.choice('swap', () => 'Done.', {
      timedOut: async ({ question, data, conversation, post }) => {
        missed.push(data);
        await post(`Nobody has answered: ${question}`, conversation);
      },
    }),
  );
  await ada.says('ask');
  await room.advance(60_000);
  expect(room.last()?.content).toBe('Nobody has answered: Swap Monday?');
  expect(room.messages[1]?.content).toBe('Swap Monday?\n\nNobody has answered in time.');
  expect(await ada.says('1')).toEqual(['What?']);
  await ada.says('ask');
  await ada.says('1');
  await room.advance(60_000);
  expect(missed).toEqual([{ day: 'Monday' }]);
});

test('an unknown choice and wrong options are errors', async () => {
  const unknown = asking();
  await unknown.ada.says('ask');
  expect(unknown.room.failures).toMatchObject([{ code: 'config_invalid' }]);
  for (const options of [[], ['a', 'A'], [' '], ['x'.repeat(101)], Array.from('abcdefghij')]) {
    const wrong = asking({ options }, answering);
    await wrong.ada.says('ask');
    expect(wrong.room.failures).toMatchObject([{ error: { message: /1 to 9 different/ } }]);
  }
});

test('a reaction with the emoji of a number answers the question of its message, once', async () => {
  const { room, ada, grace } = asking({ by: 'others' }, answering);
  await ada.says('ask');
  const [first] = room.messages.slice(-1);
  await ada.says('ask');
  const [second] = room.messages.slice(-1);
  const [asker, other] = ['Ada', 'Grace'].map((name) => room.user(name));
  expect(asker && other && grace).toBeDefined();
  expect(await other?.reacts('tada', second)).toEqual([]);
  expect(await other?.reacts('one', room.messages[0])).toEqual([]);
  expect(await other?.reacts('two', first)).toEqual(['Reject Monday by 6, asked by 2']);
  expect(await other?.reacts('two', first)).toEqual([]);
  expect(await other?.reacts('one', second)).toEqual(['Approve Monday by 6, asked by 2']);
  expect(await room.redeliver()).toEqual(['Approve Monday by 6, asked by 2']);
});

test('a reaction of a person who may not answer does nothing, and neither does removing one', async () => {
  const { room, ada } = asking({}, answering);
  await ada.says('ask');
  const grace = room.user('Grace 2');
  expect(await grace.reacts('one')).toEqual([]);
  expect(await grace.unreacts('one')).toEqual([]);
});

test('a reaction that answers no question reaches on(reaction)', async () => {
  const { room, ada } = asking({}, (bot) =>
    answering(bot).on('reaction', ({ reaction }) => `:${reaction.emoji}:`),
  );
  await ada.says('ask');
  expect(await room.user('Grace 2').reacts('tada')).toEqual([':tada:']);
});

test('a question without timedOut shows that its time has passed, and has no buttons then', async () => {
  const { room, ada } = asking({ timeoutMs: 60_000 }, answering);
  await ada.says('ask');
  await room.advance(60_000);
  expect(room.last()).toMatchObject({ content: 'Swap Monday?\n\nNobody has answered in time.' });
  expect(room.last()?.widget).toBeUndefined();
  expect(room.failures).toEqual([]);
});

test('who presses late is told by whom the question was answered, once, and not in what else they say', async () => {
  const { room, ada, grace, mona } = asking({ by: 'others' }, answering);
  await ada.says('ask');
  await grace.writes('Approve');
  expect(await mona.writes('Reject')).toEqual(['Grace has answered that already: Approve.']);
  expect(await mona.writes('Reject')).toEqual([]);
  expect(await mona.says('reject')).toEqual(['What?']);
  expect(await ada.says('rejected?')).toEqual(['What?']);
  expect(await ada.says('Reject')).toEqual(['Grace has answered that already: Approve.']);
  await room.advance(120_000);
  expect(await grace.says('Reject')).toEqual(['What?']);
});

test('who presses after the time has passed is told so, and a day later no more', async () => {
  const { room, ada, grace } = asking({ timeoutMs: 60_000, by: 'anyone' }, answering);
  await ada.says('ask');
  await room.advance(60_000);
  const late = 'That question has ended: nobody has answered in time.';
  expect(await grace.says('Approve')).toEqual([late]);
  await room.advance(86_400_000);
  expect(await ada.says('Approve')).toEqual(['What?']);
});

test('who answers while the handler of another answer runs is told so, and may when that has failed', async () => {
  const end = Promise.withResolvers<string>();
  const room = chat((options) =>
    createBot({ ...options, order: 'parallel' })
      .choice('go', (ctx) => (ctx.by.fullName === 'Ada' ? end.promise : 'Gone.'))
      .fallback((ctx) => ctx.choose('go', 'Go?', { options: ['Yes'], by: 'anyone' })),
  );
  const [ada, grace] = ['Ada', 'Grace'].map((name) => room.user(name).inChannel('ops', 'x'));
  await ada?.says('hi');
  const first = ada?.writes('yes');
  expect(await grace?.writes('yes')).toEqual(['Ada has answered that already: Yes.']);
  end.reject(new Error('the engine is cold'));
  await first;
  expect(await grace?.says('yes')).toEqual(['Gone.']);
  expect(room.messages[1]?.content).toBe('Go?\n\nAnswered by Grace: Yes');
});

test('a repeated delivery of an answer edits the question once', async () => {
  const { room, ada } = asking({}, answering);
  await ada.says('ask');
  await ada.writes('1');
  expect(await room.redeliver()).toEqual(['Approve Monday by 2, asked by 2']);
  expect(room.messages[1]?.edits).toHaveLength(1);
});

test('the heading of the buttons is the question without Markdown', async () => {
  const room = chat((options) =>
    createBot(options)
      .choice('go', () => 'Gone.')
      .fallback((ctx) => ctx.choose('go', '**Go** to [it](https://x.test)?', { options: ['Yes'] })),
  );
  await room.user('Ada').says('hi');
  expect(JSON.parse(room.last()?.widget ?? '')).toMatchObject({
    extra_data: { heading: 'Go to it?' },
  });
});
