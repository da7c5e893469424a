import { expect, test } from 'vitest';

import type { Bot } from '../bot-builder.ts';
import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';

const room = (build: (bot: Bot) => unknown) =>
  chat((options) => {
    const bot = createBot(options);
    build(bot);
    return bot;
  });

test('ctx.history has the messages of the conversation before this one, oldest first', async () => {
  const talk = room((bot) =>
    bot.command('recall [count:int]', async ({ args, history }) => {
      const found = await (args.count === undefined ? history() : history(args.count));
      return found.map(({ isOwn, sender, text }) => `${isOwn}/${sender.fullName}/${text}`).join();
    }),
  );
  const ada = talk.user('Ada').inChannel('ops', 'outage');
  await ada.writes('one');
  await talk.user('Grace').inChannel('ops', 'other').writes('elsewhere');
  await talk.user('Grace').inChannel('ops', 'Outage').writes('two');
  expect(await ada.says('recall')).toEqual(['false/Ada/one,false/Grace/two']);
  expect(await ada.says('recall 1')).toEqual(['true/Bot/false/Ada/one,false/Grace/two']);
  expect(await talk.user('Alan').says('recall')).toEqual([]);
  await ada.says('recall 1001');
  expect(talk.failures).toMatchObject([{ error: { message: /from 1 to 1000/ } }]);
});

test('ctx.attachments has the files of the message, to be read as a stream or whole', async () => {
  const talk = room((bot) =>
    bot.fallback(async ({ attachments }) => {
      const files = await attachments();
      const [first] = files;
      if (!first) return 'No files.';
      let streamed = 0;
      for await (const chunk of await first.stream()) streamed += chunk.length;
      const text = new TextDecoder().decode(await first.bytes());
      return `${files.map(({ name, type, size }) => `${name} ${type} ${size}`).join()} ${streamed} ${text}`;
    }),
  );
  const ada = talk.user('Ada');
  expect(await ada.says('nothing')).toEqual(['No files.']);
  const files = [new File(['hello'], 'a b.txt', { type: 'text/plain' }), new File(['x'], 'data')];
  expect(await ada.says('look', { files })).toEqual([
    'a b.txt text/plain 5,data application/octet-stream 1 5 hello',
  ]);
});

test('a file above the limit is not read', async () => {
  const talk = room((bot) =>
    bot.fallback(async ({ attachments }) => {
      const [file] = await attachments();
      await file?.bytes({ maxBytes: 4 });
    }),
  );
  await talk.user('Ada').says('look', { files: [new File(['hello'], 'a.txt')] });
  expect(talk.failures).toMatchObject([{ code: 'api_rejected', error: { message: /a\.txt/ } }]);
});

test('after ctx.thread has resolved, reopened or moved a topic, the replies go to its new place', async () => {
  const talk = room((bot) =>
    bot
      .command('done', async ({ thread }) => {
        await thread.resolve();
        return `Resolved: ${thread.isResolved}`;
      })
      .command('again', async ({ thread, reply }) => {
        await reply('Reopening.');
        await thread.reopen();
        return 'Open.';
      })
      .command('move', async ({ thread, conversation }) => {
        await thread.moveTo({ channel: 'archive', topic: 'old' });
        return conversation.type;
      })
      .command('rename', ({ thread }) => thread.rename('x')),
  );
  const ada = talk.user('Ada');
  await ada.inChannel('ops', 'outage').says('done');
  expect(talk.last()).toMatchObject({ destination: { topic: '✔ outage' }, via: 'rest' });
  await ada.inChannel('ops', '✔ outage').says('again');
  expect(talk.messages.map(({ destination }) => destination)).toEqual(
    talk.messages.map(() => expect.objectContaining({ channelId: 1, topic: 'outage' })),
  );
  await ada.inChannel('ops', 'outage').says('move');
  expect(talk.last()).toMatchObject({ destination: { channelId: 2, topic: 'old' } });
  await ada.says('rename');
  expect(talk.failures).toMatchObject([{ code: 'api_rejected' }]);
});
