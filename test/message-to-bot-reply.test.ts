import { eventStream } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { temporarySandbox } from './support/temporary-sandbox.ts';

test('a mention in a topic reaches the bot, and its reply comes back as an event', async () => {
  await using chat = await temporarySandbox();
  const max = chat.as(roles.member);
  const seen: object[] = [];
  for await (const item of eventStream(max, { event_types: ['message'], apply_markdown: true })) {
    if (item.kind === 'registered') {
      await max.messages.send({
        type: 'channel',
        to: 'bots',
        topic: 'echo',
        content: '@**Echo Bot** good **morning**',
      });
      continue;
    }
    seen.push(item.event);
    if (seen.length === 2) break;
  }
  expect(seen).toMatchObject([
    { type: 'message', message: { sender_full_name: 'Max Member', subject: 'echo' } },
    {
      type: 'message',
      flags: [],
      message: {
        sender_full_name: 'Echo Bot',
        subject: 'echo',
        content: '<p>good <strong>morning</strong></p>',
        client: 'OutgoingWebhookResponse',
      },
    },
  ]);
  const { messages } = await max.messages.fetch({
    anchor: 'newest',
    num_before: 10,
    narrow: [
      ['channel', 'bots'],
      ['topic', 'echo'],
    ],
    apply_markdown: false,
  });
  expect(messages.map(({ content }) => content)).toEqual([
    '@**Echo Bot** good **morning**',
    'good **morning**',
  ]);
});

test('the reply to a direct message goes to everybody in the conversation', async () => {
  await using chat = await temporarySandbox();
  const { users, bots } = chat.sandbox.file;
  const [bot] = bots;
  const mona = users.find(({ role }) => role === roles.moderator);
  if (!bot || !mona) throw new Error('The sandbox is not complete');
  const max = chat.as(roles.member);
  await max.messages.send({
    type: 'direct',
    to: [bot.user_id, mona.user_id],
    content: 'both of you',
  });
  for await (const item of eventStream(chat.as(roles.moderator), { event_types: ['message'] })) {
    if (item.kind === 'registered') {
      await max.messages.send({
        type: 'direct',
        to: [bot.user_id, mona.user_id],
        content: 'again',
      });
      continue;
    }
    if (JSON.stringify(item.event).includes('"sender_full_name":"Echo Bot"')) {
      expect(item.event).toMatchObject({ message: { type: 'private' } });
      break;
    }
  }
});
