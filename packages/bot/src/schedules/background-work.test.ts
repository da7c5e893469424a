import { expect, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import type { Conversation } from '../rest/conversation.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { chat } from '../testing/chat/chat.ts';
import { startWork } from './start-work.ts';

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
      post(data.conversation, `Remember: ${data.text}`),
    );

test('a task from ctx.later runs at its time and posts to its conversation', async () => {
  const room = chat(reminders);
  const ada = room.user('Ada').inChannel('ops', 'releases');
  expect(await ada.says('remind 2h to deploy')).toEqual(['I will.']);
  await room.advance(HOUR);
  expect(room.last()?.text).toBe('I will.');
  await room.advance(HOUR);
  expect(room.last()).toMatchObject({
    text: 'Remember: to deploy',
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
        return post({ users: ['ada@chat.test'] }, 'at last');
      })
      .command('go', async (ctx) => ctx.later('flaky', 1000, null))
      .command('wrong', async (ctx) => ctx.later('unknown', 1000, null)),
  );
  const ada = room.user('Ada');
  await ada.says('go');
  await room.advance(120_000);
  expect(room.last()?.text).toBe('at last');
  expect(room.failures).toMatchObject([{ work: 'flaky' }, { work: 'flaky' }]);
  await ada.says('wrong');
  expect(room.failures.at(-1)).toMatchObject({ code: 'config_invalid' });
});

test('a schedule of a bot runs by its pattern, and its failure is reported', async () => {
  const room = chat((options) =>
    createBot(options)
      .every('0 9 * * 1-5', { timezone: 'UTC' }, ({ post }) =>
        post({ channel: 'ops', topic: 'stand-up' }, 'Good morning'),
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
    post({ channel: 'ops', topic: 'x' }, 'hi'),
  );
  const onError = (failure: unknown) => void failures.push(failure);
  const stop = await startWork([bot], { onError });
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  await stop();
  expect(failures[0]).toMatchObject({ code: 'api_missing', bot_email: 'bot@chat.test' });
});
