import { expect, expectTypeOf, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { chat } from '../testing/chat/chat.ts';
import { sessions } from './sessions.ts';
import { severalSessions } from './several-sessions.ts';

const count = () => ({ count: 0 });
const counting = (options: BotOptions) =>
  createBot({
    ...options,
    sessions: {
      mine: { scope: 'user', initial: count },
      topic: { scope: 'conversation', initial: () => ({ count: 0, last: '' }) },
      channel: { scope: 'channel', initial: count },
    },
  })
    .command('fail', ({ session }) => {
      session.mine.count += 100;
      throw new Error('fails');
    })
    .task('reset', ({ changeSession }) =>
      changeSession(({ mine }) => void (mine.count = 0), { userId: 2 }),
    )
    .command('later', async ({ later }) => void (await later('reset', 1000, null)))
    .fallback(({ session, text }) => {
      expectTypeOf(session.topic).toEqualTypeOf<{ count: number; last: string }>();
      for (const one of Object.values(session)) one.count += 1;
      const { last } = session.topic;
      session.topic.last = text;
      return `${session.mine.count} ${session.topic.count} ${session.channel.count} ${last}`;
    });

test('a bot has sessions of a user, a conversation and a channel at once', async () => {
  const room = chat(counting);
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  expect(await ada.inChannel('ops', 'x').says('one')).toEqual(['1 1 1 ']);
  expect(await grace.inChannel('ops', 'x').says('two')).toEqual(['1 2 2 one']);
  expect(await ada.inChannel('ops', 'y').says('three')).toEqual(['2 1 3 ']);
  expect(await ada.inChannel('dev', 'x').says('four')).toEqual(['3 1 1 ']);
  expect(await ada.says('five')).toEqual(['4 1 1 ']);
  await ada.says('fail');
  expect(await ada.says('six')).toEqual(['5 2 2 five']);
  await ada.says('later');
  await room.advance(1000);
  expect(await ada.says('seven')).toEqual(['1 3 3 six']);
});

test('if another message has changed the second session, the first gets its old value back', async () => {
  const store = memoryStore();
  const one = sessions({ scope: 'user', initial: count, store, name: 'one' });
  const two = sessions({ scope: 'bot', initial: count, store, name: 'two' });
  const both = severalSessions({ one, two });
  const key = both.key({ botEmail: 'bot@chat.test', conversation: 'c1:x', senderId: 1 });
  const [first, second] = [await both.load(key), await both.load(key)];
  Object.assign(second.value, { two: { count: 5 } });
  expect(await second.save()).toBe(true);
  first.value = { one: { count: 7 }, two: { count: 7 } };
  await expect(first.save()).rejects.toMatchObject({ code: 'session_conflict' });
  expect((await both.load(key)).value).toEqual({ one: { count: 0 }, two: { count: 5 } });
});

test('a session among several that JSON cannot hold does not compile', () => {
  const identity = { email: 'bot@chat.test', token: 'x' };
  createBot({
    ...identity,
    // @ts-expect-error a Date comes back from the store as a text
    sessions: { mine: { scope: 'user', initial: () => ({ at: new Date() }) } },
  });
});
