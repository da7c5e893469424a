import { expect, expectTypeOf, test } from 'vitest';

import type { Bot } from '../bot-builder.ts';
import type { EventContext } from '../context.ts';
import { createBot } from '../create-bot.ts';
import { type Person, readDelivery } from '../delivery.ts';
import { mention } from '../example-payload.fixture.ts';
import { rateLimit } from '../limits/rate-limit.ts';
import { chat } from '../testing/chat/chat.ts';

const changing = (build: (bot: Bot) => unknown = () => {}) => {
  const room = chat((options) => {
    const bot = createBot(options)
      .command('listen', async ({ subscribe }) => {
        await subscribe();
        return 'I listen.';
      })
      .on(
        'reaction',
        ({ by, reaction: { emoji, isRemoved }, message }) =>
          `${by.fullName} ${isRemoved ? 'takes' : 'gives'} ${emoji} to "${message.content}"`,
      )
      .on('edit', ({ by, earlierContent, text }) => `${by.fullName}: ${earlierContent} -> ${text}`)
      .on(
        'delete',
        ({ message, conversation }) => `${message.sender.fullName} in ${conversation.type}`,
      )
      .fallback(({ text }) => `You said ${text}`);
    build(bot);
    return bot;
  });
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  return { room, ada, grace, said: (content: string) => find(room, content) };
};
const find = ({ messages }: ReturnType<typeof chat>, content: string) => {
  const found = messages.find((one) => one.content.includes(content));
  if (found === undefined) throw new Error(`nobody has said ${content}`);
  return found;
};

test('a bot gets the reactions of people to its own messages, with person and emoji', async () => {
  const { ada, grace, said } = changing();
  await ada.inChannel('ops', 'x').says('hi');
  expect(await grace.reacts('tada')).toEqual(['Grace gives tada to "You said hi"']);
  expect(await grace.unreacts('tada', said('You said'))).toEqual([
    'Grace takes tada to "You said hi"',
  ]);
});

test('edits and deletions reach the bot in direct messages and in topics of its own only', async () => {
  const { ada, said } = changing();
  await ada.says('one');
  expect(await ada.edits(said('one'), 'two')).toEqual(['Ada: one -> two']);
  expect(await ada.deletes(said('two'))).toEqual(['Ada in direct']);
  const topic = ada.inChannel('ops', 'x');
  await topic.writes('three');
  expect(await ada.edits(said('three'), 'four')).toEqual([]);
  expect(await ada.reacts('eyes', said('four'))).toEqual([]);
  await topic.says('listen');
  expect(await ada.edits(said('four'), 'five')).toEqual(['Ada: four -> five']);
  expect(await ada.deletes(said('five'))).toEqual(['Ada in channel']);
});

test('a repeated delivery of a reaction gets the same answer and does not run the handler', async () => {
  let calls = 0;
  const room = chat((options) =>
    createBot(options)
      .on('reaction', () => `Call ${++calls}`)
      .fallback(() => 'Hi'),
  );
  const ada = room.user('Ada');
  await ada.says('hi');
  expect(await ada.reacts('tada', room.messages[1])).toEqual(['Call 1']);
  expect(await room.redeliver()).toEqual(['Call 1']);
  expect(await ada.reacts('tada', room.messages[1])).toEqual(['Call 2']);
});

test('the session of a reaction, and its rate limit, are those of the person who reacts', async () => {
  const room = chat((options) =>
    createBot({ ...options, session: { scope: 'user', initial: () => ({ count: 0 }) } })
      .use(rateLimit({ perUser: { amount: 3, perMs: 60_000 } }))
      .on('reaction', ({ session }) => `${++session.count}`)
      .fallback(({ session }) => `${++session.count}`),
  );
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  expect(await ada.says('hi')).toEqual(['1']);
  const react = (who: typeof ada) => who.reacts('tada', room.messages[1]);
  expect([await react(ada), await react(grace), await react(ada)]).toEqual([['2'], ['1'], ['3']]);
  expect(await react(ada)).toEqual([]);
  expect(await react(grace)).toEqual(['2']);
});

test('with order latest, a reaction does not end the handler of a message', async () => {
  const slow = Promise.withResolvers<string>();
  const room = chat((options) =>
    createBot({ ...options, order: 'latest' })
      .command('post', async ({ post }) => void (await post('Posted.')))
      .command('slow', () => slow.promise)
      .on('reaction', () => 'Seen.'),
  );
  const ada = room.user('Ada');
  await ada.says('post');
  const answer = ada.says('slow');
  expect(await ada.reacts('tada')).toEqual(['Seen.']);
  slow.resolve('Done.');
  expect(await answer).toContain('Done.');
});

test('many reactions in a conversation do not make the bot pause', async () => {
  const { ada, room } = changing();
  await ada.says('hi');
  for (let at = 0; at < 40; at++) await ada.reacts('tada', room.messages[1]);
  expect(await ada.says('hello')).toEqual(['You said hello']);
});

test('a bot without a handler for reactions gets none', async () => {
  const room = chat((options) => createBot(options).fallback(() => 'Hi'));
  await room.user('Ada').says('hi');
  expect(await room.user('Grace').reacts('tada')).toEqual([]);
  expect(room.reports).toHaveLength(1);
});

const person = { user_id: 7, email: 'iago@chat.test', full_name: 'Iago' };
const added = { id: 'e1', user: person, op: 'add', emoji_name: 'tada', emoji_code: '1f389' };

test('the payload of a reaction, an edit and a deletion is read, an incomplete one is refused', () => {
  const read = (trigger: string, change: unknown) =>
    readDelivery({ ...mention('hi'), trigger, change })?.delivery;
  expect(read('reaction', added)).toMatchObject({
    trigger: 'reaction',
    message: { channel: { name: expect.any(String) } },
    change: {
      id: 'e1',
      by: { id: 7, fullName: 'Iago' },
      reaction: { emoji: 'tada', code: '1f389', isRemoved: false },
    },
  });
  expect(read('edit', { id: 'e2', user: person, orig_content: 'x' })?.change).toMatchObject({
    earlierContent: 'x',
  });
  expect(read('delete', { id: 'e3' })?.change).toMatchObject({ id: 'e3', by: undefined });
  for (const [trigger, change] of [
    ['reaction', undefined],
    ['reaction', { id: 'e1', user: person }],
    ['edit', { id: 'e2' }],
    ['edit', { id: 'e2', user: person }],
    ['delete', { id: 'x'.repeat(201) }],
    ['something', added],
  ] as const)
    expect(read(trigger, change)).toBeUndefined();
});

test('on(reaction), on(edit) and on(delete) type the context by the trigger', () => {
  createBot({ email: 'bot@chat.test', token: 'x' })
    .on('reaction', (ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<EventContext<'reaction'>>();
      expectTypeOf(ctx.by).toEqualTypeOf<Person>();
    })
    .on('edit', (ctx) => void expectTypeOf(ctx).toEqualTypeOf<EventContext<'edit'>>())
    .on('delete', (ctx) => {
      expectTypeOf(ctx.by).toBeUndefined();
    });
});
