import { expect, expectTypeOf, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import type { PostedMessage } from '../rest/posted-message.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { chat } from '../testing/chat/chat.ts';

const ROOM = { channel: 'ops', topic: 'on call' };
const MINUTE = 60_000;

/** Asks Grace in another channel, then everybody there. */
const alerting = (options: BotOptions) =>
  createBot(options)
    .command('alert <what...>', async (ctx) => {
      await ctx.later('page', 1000, { what: ctx.args.what });
      return 'I page somebody.';
    })
    .task<{ what: string }>('page', async ({ data, choose }) => {
      const posted = await choose('page', `**${data.what}**?`, {
        options: ['I am on it', 'Not me'],
        to: ROOM,
        by: [3],
        timeoutMs: MINUTE,
        data,
      });
      expectTypeOf(posted).toEqualTypeOf<PostedMessage>();
      await posted.react('rotating_light');
    })
    .choice<{ what: string }>(
      'page',
      (ctx, { option, data, askedBy }) =>
        `${data.what}: ${option}, says ${ctx.by.fullName} to ${askedBy ?? 'nobody'}`,
      {
        timedOut: ({ data, choose }) =>
          choose('page', `Anybody: ${data.what}?`, {
            options: ['I am on it'],
            to: ROOM,
            by: 'anyone',
            data,
          }),
      },
    )
    .fallback(() => 'What?');

const people = (room: ReturnType<typeof chat>) => {
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  return {
    ada,
    grace: grace.inChannel(ROOM.channel, ROOM.topic),
    other: ada.inChannel('ops', 'on call'),
  };
};

test('a task asks in another channel, and only the named person may answer there', async () => {
  const room = chat(alerting);
  const { ada, grace, other } = people(room);
  await ada.says('alert disk full');
  await room.advance(1000);
  const question = room.last();
  expect(question).toMatchObject({
    content: '**disk full**?\n\n1. I am on it\n2. Not me',
    destination: ROOM,
    reactions: ['rotating_light'],
  });
  expect(await other.says('1')).toEqual(['You may not answer that.']);
  expect(await ada.says('1')).toEqual(['What?']);
  expect(await grace.writes('I am on it')).toEqual(['disk full: I am on it, says Grace to nobody']);
  expect(question?.content).toBe('**disk full**?\n\nAnswered by Grace: I am on it');
  await room.advance(10 * MINUTE);
  expect(room.last()?.content).toContain('says Grace');
});

test('the time-out of a question asks another one, and its reaction answers it', async () => {
  const room = chat(alerting);
  const { ada } = people(room);
  await ada.says('alert disk full');
  await room.advance(1000 + MINUTE);
  const [first, second] = room.messages.slice(-2);
  expect(first?.content).toBe('**disk full**?\n\nNobody has answered in time.');
  expect(second).toMatchObject({ content: 'Anybody: disk full?\n\n1. I am on it' });
  expect(await ada.reacts('one', first)).toEqual([]);
  expect(await ada.reacts('one', second)).toEqual(['disk full: I am on it, says Ada to nobody']);
});

test('a question of a task is answered, and times out, after a restart', async () => {
  const store = memoryStore();
  const before = chat((options) => alerting({ ...options, store }));
  await people(before).ada.says('alert disk full');
  await before.advance(1000);
  const after = chat((options) => alerting({ ...options, store }));
  const { grace } = people(after);
  expect(await grace.says('1')).toEqual(['disk full: I am on it, says Grace to nobody']);
});

test('a handler asks in another place for its asker, also directly', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('ask', async (ctx) => {
        const { id } = await ctx.choose('go', 'Go?', {
          options: ['Yes'],
          to: { emails: ['user2@chat.test', 'bot@chat.test'] },
        });
        return `Asked in ${typeof id}.`;
      })
      .choice('go', (_ctx, { askedBy }) => `Gone for ${askedBy}.`)
      .fallback(() => 'What?'),
  );
  const ada = room.user('Ada');
  expect(await ada.inChannel('ops', 'x').says('ask')).toEqual([
    'Go?\n\n1. Yes',
    'Asked in number.',
  ]);
  expect(await ada.says('yes')).toEqual(['Gone for 2.']);
  expect(room.messages[1]?.content).toBe('Go?\n\nAnswered by Ada: Yes');
});

test('a question that nobody has asked for must say who may answer', async () => {
  const room = chat((options) =>
    createBot(options)
      .every('0 * * * *', { name: 'hourly', timezone: 'UTC' }, ({ choose }) =>
        // @ts-expect-error There is no asker.
        choose('go', 'Go?', { options: ['Yes'], to: ROOM, by: 'asker' }),
      )
      .every('30 * * * *', { name: 'half', timezone: 'UTC' }, ({ choose }) =>
        // @ts-expect-error The compiler asks for `by`.
        choose('go', 'Go?', { options: ['Yes'], to: ROOM }),
      )
      .choice('go', () => 'Gone.'),
  );
  await room.advance(60 * MINUTE);
  expect(room.failures).toMatchObject([
    { work: expect.stringMatching('hourly|half'), code: 'config_invalid' },
    { error: { message: expect.stringContaining('say with `by` who may answer') } },
  ]);
  expect(room.messages).toEqual([]);
});
