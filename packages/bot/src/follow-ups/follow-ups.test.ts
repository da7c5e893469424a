import { listen } from '@bellhop/http';
import type { ChannelId } from '@bellhop/protocol';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import type { Bot } from '../bot-builder.ts';
import type { EventContext } from '../context.ts';
import { createBot } from '../create-bot.ts';
import type { ChannelMessage } from '../delivery.ts';
import { createRest } from '../rest/rest.ts';
import { chat } from '../testing/chat/chat.ts';
import { webhookFollowUps } from './follow-ups.ts';

const listening = (build: (bot: Bot) => unknown) => {
  const room = chat((options) => {
    const bot = createBot(options)
      .command('listen [for:duration]', async ({ args, subscribe }) => {
        await subscribe(args.for === undefined ? {} : { forMs: args.for });
        return 'I listen.';
      })
      .command('hush', ({ unsubscribe }) => unsubscribe())
      .hears(/coffee/, () => 'Did somebody say coffee?')
      .fallback(() => 'What?');
    build(bot);
    return bot;
  });
  return { room, topic: room.user('Ada').inChannel('ops', 'outage') };
};

test('a bot gets messages without a mention in a topic until its subscription ends', async () => {
  const { room, topic } = listening((bot) =>
    bot.on('follow_up', ({ text, message }) => `${message.topic}: ${text}`),
  );
  expect(await topic.writes('one')).toEqual([]);
  await topic.says('listen');
  expect(await topic.writes('two')).toEqual(['outage: two']);
  expect(await room.user('Grace').inChannel('ops', 'Outage').writes('three')).toEqual([
    'Outage: three',
  ]);
  expect(await room.user('Alan').inChannel('ops', 'other').writes('four')).toEqual([]);
  await topic.says('hush');
  expect(await topic.writes('five')).toEqual([]);
  await topic.says('listen 2h');
  await topic.says('listen');
  await room.advance(7_199_999);
  expect(await topic.writes('six')).toEqual(['outage: six']);
  await room.advance(1);
  expect(await topic.writes('seven')).toEqual([]);
});

test('a follow-up reaches no command, no pattern and no fallback', async () => {
  const { topic } = listening(() => {});
  await topic.says('listen');
  for (const text of ['hush', 'coffee?', 'help', 'anything', '@**Grace** hi'])
    expect(await topic.writes(text)).toEqual([]);
});

test('a subscription in direct messages does nothing', async () => {
  const room = chat((options) =>
    createBot(options).fallback(async ({ subscribe, unsubscribe }) => {
      await subscribe();
      await unsubscribe();
      return 'Done.';
    }),
  );
  expect(await room.user('Ada').says('hi')).toEqual(['Done.']);
});

test('a server that answers the route with a page says that webhooks get no follow-ups there', async () => {
  await using elsewhere = await listen((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Page not found</html>');
  });
  const rest = createRest({ url: elsewhere.url, email: 'bot@chat.test', apiKey: 'k' });
  const topic = { channel: { id: 3 as ChannelId, name: 'ops' }, topic: 'outage' };
  await expect(webhookFollowUps(rest).subscribe(topic, 1000)).rejects.toThrow(/transport: 'queue'/);
});

test('the answers to a dialog and to a confirmation in a channel need no mention', async () => {
  const room = chat((options) =>
    createBot(options)
      .command('report', (ctx) => ctx.begin('report'))
      .dialog(
        'report',
        { what: { ask: 'What?', schema: z.string() }, who: { ask: 'Who?', schema: z.string() } },
        ({ trigger }, { what, who }) => `${what} by ${who} (${trigger})`,
      )
      .command('drop', { confirm: () => 'Drop it?' }, ({ trigger }) => `Dropped (${trigger}).`)
      .fallback(() => 'What?'),
  );
  const [ada, grace] = [room.user('Ada'), room.user('Grace')].map((one) =>
    one.inChannel('ops', 'outage'),
  );
  await ada?.says('report');
  expect(await grace?.writes('the printer')).toEqual([]);
  expect(await ada?.writes('the roof')).toEqual(['Who?']);
  expect(await ada?.writes('me')).toEqual(['the roof by me (follow_up)']);
  expect(await ada?.writes('nobody')).toEqual([]);
  await ada?.says('drop');
  expect(await grace?.writes('yes')).toEqual([]);
  expect(await ada?.writes('yes')).toEqual(['Dropped (mention).']);
});

test('with `followUps: false` a dialog in a channel takes only answers that mention the bot', async () => {
  const room = chat((options) =>
    createBot({ ...options, followUps: false })
      .command('drop', { confirm: () => 'Drop it?' }, () => 'Dropped.')
      .fallback(() => 'What?'),
  );
  const ada = room.user('Ada').inChannel('ops', 'outage');
  await ada.says('drop');
  expect(await ada.writes('yes')).toEqual([]);
  expect(await ada.says('yes')).toEqual(['Dropped.']);
});

test('the type of a follow-up is that of a message in a channel', () => {
  createBot({ email: 'bot@chat.test', token: 'x' }).on('follow_up', (ctx) => {
    expectTypeOf(ctx).toEqualTypeOf<EventContext<'follow_up'>>();
    expectTypeOf(ctx.message).toEqualTypeOf<ChannelMessage>();
  });
});
