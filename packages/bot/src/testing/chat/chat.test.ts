import { expect, test } from 'vitest';

import type { BotOptions } from '../../bot-options.ts';
import { createBot } from '../../create-bot.ts';
import { chat } from './chat.ts';

const greeter = (options: BotOptions) =>
  createBot(options)
    .on('mention', (ctx) => `Hello, #${ctx.message.channel.name} > ${ctx.message.topic}`)
    .on('direct_message', (ctx) => `Hello, ${ctx.message.recipients.length} of you: ${ctx.text}`);

test('chat().transcript() returns the messages of all conversations', async () => {
  const room = chat(greeter, { name: 'Greeter' });
  const ada = room.user('Ada');
  expect(await ada.inChannel('ops', 'releases').says('hi')).toEqual(['Hello, #ops > releases']);
  await ada.says('hi');
  await ada.withOthers(room.user('Grace')).says('all');
  expect(room.transcript()).toEqual([
    'Ada: hi',
    'Greeter: Hello, #ops > releases',
    'Ada: hi',
    'Greeter: Hello, 2 of you: hi',
    'Ada: all',
    'Greeter: Hello, 3 of you: all',
  ]);
});

test('a message that mentions the bot in its text is for the bot, as on a server', async () => {
  const room = chat(greeter, { name: 'Greeter' });
  const topic = room.user('Ada').inChannel('ops', 'releases');
  expect(await topic.writes('hi, @**greeter**')).toEqual(['Hello, #ops > releases']);
  expect(await topic.writes('hi, @_**Greeter**')).toEqual([]);
  expect(await topic.writes('hi')).toEqual([]);
});

test('chat() accepts a bot as well as a function that makes one', async () => {
  const bot = greeter({ email: 'greeter-bot@chat.test', token: 'x' });
  expect(await chat(bot).user('Ada').says('hi')).toEqual(['Hello, 2 of you: hi']);
});

test('a reply after the deadline comes by REST, and redeliver() does not repeat it', async () => {
  let finish = (_text: string) => {};
  let calls = 0;
  const room = chat((options) =>
    createBot(options).fallback(() => {
      calls += 1;
      return new Promise<string>((resolve) => (finish = resolve));
    }),
  );
  const said = room.user('Ada').says('slow');
  await room.advance(9000);
  expect(room.isTyping()).toBe(true);
  finish('done');
  expect(await said).toEqual(['done']);
  expect(room.last()).toMatchObject({ via: 'rest', content: 'done' });
  expect(await room.redeliver()).toEqual([]);
  expect([calls, room.isTyping()]).toEqual([1, false]);
});

test('redeliver() replaces a lost answer, and the handler does not run again', async () => {
  let calls = 0;
  const room = chat((options) => createBot(options).fallback(() => `Call ${++calls}`));
  expect(await room.user('Ada').says('hi')).toEqual(['Call 1']);
  expect(await room.redeliver()).toEqual(['Call 1']);
  expect(room.transcript()).toEqual(['Ada: hi', 'Bot: Call 1']);
});

test('chat() shows posts, edits, reactions, streams, files and roles', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('vote', async (ctx) => {
        const posted = await ctx.post('Votes: 0');
        await posted.edit('Votes: 1');
        await posted.react('tada');
        await ctx.react('eyes');
      })
      .command('stream', (ctx) => ctx.stream(['one ', 'two']))
      .command('file', async (ctx) => {
        const { markdown } = await ctx.upload(new File(['x'], 'report.txt'));
        return markdown;
      })
      .command('who', async (ctx) => `${(await ctx.user()).fullName}`)
      .command('secret', { allow: 'admin' }, () => 'secret'),
  );
  const ada = room.user('Ada');
  await ada.says('vote');
  expect(room.last()).toMatchObject({
    content: 'Votes: 1',
    edits: ['Votes: 0'],
    reactions: ['tada'],
  });
  expect(room.messages[0]?.reactions).toEqual(['eyes']);
  expect(await ada.says('stream')).toEqual(['one two']);
  expect(await ada.says('file')).toEqual(['[report.txt](/user_uploads/1/1/report.txt)']);
  expect(room.uploads.map((file) => file.name)).toEqual(['report.txt']);
  expect(await ada.says('who')).toEqual(['Ada']);
  expect(await ada.says('secret')).toEqual([expect.stringContaining('admin or above')]);
  expect(await room.user('Eve', { role: 'admin' }).says('secret')).toEqual(['secret']);
});

test('chat() shows a message to another conversation, and its edit by id', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('tell', async (ctx) => {
        const { id } = await ctx.post('News', { channel: 'ops', topic: 'news' });
        return `${id}`;
      })
      .command('correct <id:int>', (ctx) => ctx.edit(ctx.args.id, 'No news')),
  );
  const ada = room.user('Ada');
  const [, id = ''] = await ada.says('tell');
  await ada.says(`correct ${id}`);
  expect(room.messages[1]).toMatchObject({
    destination: { channel: 'ops', topic: 'news' },
    content: 'No news',
    edits: ['News'],
  });
  await ada.says('correct 1000000');
  expect(room.failures).toMatchObject([{ code: 'api_rejected' }]);
});

test('chat() lists failed handlers, and advance() lets sessions expire', async () => {
  const room = chat((options) =>
    createBot({
      ...options,
      session: { scope: 'user', initial: () => ({ count: 0 }), ttlMs: 60_000 },
    })
      .command('fail', () => {
        throw new Error('fails');
      })
      .fallback((ctx) => `${++ctx.session.count}`),
  );
  const ada = room.user('Ada');
  expect([await ada.says('x'), await ada.says('x')]).toEqual([['1'], ['2']]);
  await room.advance(61_000);
  expect(await ada.says('x')).toEqual(['1']);
  expect(await ada.says('fail')).toEqual([expect.stringContaining('Reference')]);
  expect(room.failures).toMatchObject([{ code: 'handler_failed', error: { message: 'fails' } }]);
});

test('a renamed bot answers to its new name, and knows the earlier one in earlier messages', async () => {
  const room = chat(
    (options) =>
      createBot(options)
        .command('deploy <what>', ({ args }) => args.what)
        .fallback(async ({ text, history }) =>
          [text, ...(await history()).map((one) => one.text)].join('; '),
        ),
    { name: 'Before' },
  );
  const ada = room.user('Ada');
  expect(await ada.says('@**Before** deploy api')).toEqual(['api']);
  room.renameBot('After');
  expect(await ada.says('@**After**: deploy web')).toEqual(['web']);
  expect(await ada.inChannel('ops', 'x').says('deploy all')).toEqual(['all']);
  expect(await ada.says('@**Before** deploy')).toEqual([
    '@**Before** deploy; deploy api; api; deploy web; web',
  ]);
  expect(room.transcript().at(-1)).toMatch(/^After: /);
});

test('a renamed user is mentioned by their new name', async () => {
  const room = chat((options) =>
    createBot(options).command('ask <who:user>', ({ args, by }) => `${by.fullName} ${args.who.id}`),
  );
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  grace.rename('Admiral');
  ada.rename('Countess');
  expect(await ada.says('ask @**admiral**')).toEqual([`Countess ${grace.id}`]);
  expect(await ada.says('ask @**Grace**')).toEqual(['Countess undefined']);
  expect([ada.fullName, grace.fullName]).toEqual(['Countess', 'Admiral']);
});
