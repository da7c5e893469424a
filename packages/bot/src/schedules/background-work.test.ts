import { expect, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import type { Conversation } from '../rest/conversation.ts';
import { Runtime } from '../runtime.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { chat } from '../testing/chat/chat.ts';

interface Reminder {
  readonly conversation: Conversation;
  readonly text: string;
}

const HOUR = 3_600_000;

const reminders = (options: BotOptions) =>
  createBot(options)
    .command('remind <in:duration> <text...>', async (ctx) => {
      const reminder = { conversation: ctx.conversation, text: ctx.args.text };
      await ctx.later('remind', ctx.args.in, {
        ...reminder,
        conversation: { ...ctx.conversation },
      });
      return 'I will.';
    })
    .task<Reminder>('remind', ({ data, post }) =>
      post(`Remember: ${data.text}`, data.conversation),
    );

test('a task from ctx.later runs at its time and posts to its conversation', async () => {
  const room = chat(reminders);
  const ada = room.user('Ada').inChannel('ops', 'releases');
  expect(await ada.says('remind 2h to deploy')).toEqual(['I will.']);
  await room.advance(HOUR);
  expect(room.last()?.content).toBe('I will.');
  await room.advance(HOUR);
  expect(room.last()).toMatchObject({
    content: 'Remember: to deploy',
    destination: { type: 'channel', topic: 'releases' },
  });
  await room.advance(24 * HOUR);
  expect(room.messages).toHaveLength(3);
});

test('a task that was due while no process ran runs after a restart', async () => {
  const store = memoryStore();
  const before = chat((options) => reminders({ ...options, store }));
  await before.user('Ada').says('remind 1m tea');
  const after = chat((options) => reminders({ ...options, store }));
  await after.advance(61_000);
  expect(after.transcript()).toEqual(['Bot: Remember: tea']);
});

test('a failed task is reported and runs again, and an unknown task is refused', async () => {
  let tries = 0;
  const room = chat((options) =>
    createBot(options)
      .task('flaky', ({ post }) => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return post('at last', { emails: ['ada@chat.test'] });
      })
      .command('go', async (ctx) => ctx.later('flaky', 1000, null))
      .command('wrong', async (ctx) => ctx.later('unknown', 1000, null)),
  );
  const ada = room.user('Ada');
  await ada.says('go');
  await room.advance(120_000);
  expect(room.last()?.content).toBe('at last');
  expect(room.failures).toMatchObject([{ work: 'flaky' }, { work: 'flaky' }]);
  await ada.says('wrong');
  expect(room.failures.at(-1)).toMatchObject({ code: 'config_invalid' });
});

test('a schedule of a bot runs by its pattern, and its failure is reported', async () => {
  const room = chat((options) =>
    createBot(options)
      .every('0 9 * * 1-5', { timezone: 'UTC' }, ({ post }) =>
        post('Good morning', { channel: 'ops', topic: 'stand-up' }),
      )
      .every('30 9 * * *', { timezone: 'UTC', name: 'broken' }, () => {
        throw new Error('fails');
      }),
  );
  await room.advance(25 * HOUR);
  expect(room.transcript()).toEqual(['Bot: Good morning']);
  expect(room.failures).toMatchObject([{ work: 'broken' }, { work: 'broken' }]);
});

test('a schedule of a bot without an API key fails with api_missing', async () => {
  const failures: unknown[] = [];
  const bot = createBot({ email: 'bot@chat.test', token: 'x' }).every('* * * * * *', ({ post }) =>
    post('hi', { channel: 'ops', topic: 'x' }),
  );
  const onError = (failure: unknown) => void failures.push(failure);
  const runtime = new Runtime(bot, { hooks: { onError }, place: 'process' });
  const stop = await runtime.startWork();
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  await stop();
  expect(failures[0]).toMatchObject({ code: 'api_missing', botEmail: 'bot@chat.test' });
});

test('a handler lists and cancels the tasks that it has scheduled', async () => {
  const room = chat((options) =>
    createBot(options)
      .task('ring', ({ post }) => post('Ring.', { channel: 'ops', topic: 'x' }))
      .command('set', (ctx) => ctx.later('ring', HOUR, null).then(() => 'Set.'))
      .command('stop', async ({ tasks, cancelTask }) => {
        const waiting = await tasks();
        const done = await Promise.all(waiting.map(({ id }) => cancelTask(id)));
        return `Stopped ${done.filter(Boolean).length}.`;
      }),
  );
  const ada = room.user('Ada');
  await ada.says('set');
  await ada.says('set');
  expect(await ada.says('stop')).toEqual(['Stopped 2.']);
  await room.advance(2 * HOUR);
  expect(room.last()?.content).toBe('Stopped 2.');
});

test('schedules and tasks change sessions of the bot, of a person and of a conversation', async () => {
  const room = chat((options) => {
    const bot = createBot({
      ...options,
      session: { scope: 'user', initial: () => ({ points: 0 }) },
    });
    bot.command('points', ({ session }) => String(session.points));
    bot.command('later', async (ctx) => {
      await ctx.later('reward', HOUR, ctx.message.sender.id);
      return 'Wait.';
    });
    return bot.task<number>('reward', ({ data: userId, changeSession }) =>
      changeSession(
        (session) => {
          session.points += 5;
        },
        { userId },
      ),
    );
  });
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  await ada.says('later');
  await room.advance(HOUR);
  expect(await ada.says('points')).toEqual(['5']);
  expect(await grace.says('points')).toEqual(['0']);
});

test('a task of a bot without sessions cannot change one', async () => {
  const room = chat((options) =>
    createBot(options)
      .task('x', ({ changeSession }) => changeSession(() => {}))
      .command('x', (ctx) => ctx.later('x', 1000, null).then(() => 'Set.')),
  );
  await room.user('Ada').says('x');
  await room.advance(1000);
  expect(room.failures).toMatchObject([{ code: 'config_invalid' }]);
});

test('tasks and schedules stream, edit, plan, list and cancel', async () => {
  const conversation = { channel: 'ops', topic: 'news' };
  const listed: unknown[] = [];
  const room = chat((options) =>
    createBot(options)
      .task<{ round: number }>('news', async ({ data, stream, edit, later }) => {
        const { messages } = await stream(['one, ', 'two'], conversation);
        await edit(messages[0]?.id ?? 0, `round ${data.round}`);
        if (data.round < 2) await later('news', HOUR, { round: data.round + 1 });
      })
      .every('0 0 * * *', { name: 'clean' }, async ({ tasks, cancelTask }) => {
        const waiting = await tasks();
        listed.push(waiting.map(({ name, data }) => [name, data]));
        for (const { id } of waiting) listed.push(await cancelTask(id), await cancelTask(id));
      })
      .command('start', async (ctx) => void (await ctx.later('news', 0, { round: 1 })))
      .command(
        'plan',
        async (ctx) => void (await ctx.later('news', 400 * 24 * HOUR, { round: 3 })),
      ),
  );
  await room.user('Ada').says('start');
  await room.advance(3 * HOUR);
  expect(room.messages.slice(1)).toMatchObject([
    { content: 'round 1', edits: expect.arrayContaining(['one, two']) },
    { content: 'round 2', destination: conversation },
  ]);
  await room.user('Ada').says('plan');
  await room.advance(24 * HOUR);
  expect(listed).toEqual([[['news', { round: 3 }]], true, false]);
});
