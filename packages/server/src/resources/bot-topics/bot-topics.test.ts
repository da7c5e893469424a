import { createClient } from '@bellhop/client';
import { type ChannelId, MAX_BOT_TOPICS } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import {
  addChannel,
  addWebhookBot,
  deliveries,
  startReceiver,
} from '../webhooks/webhooks.fixture.ts';

let chat: TestChat;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let added = 0;
beforeAll(async () => {
  chat = await startTestChat();
  receiver = await startReceiver();
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** A webhook bot in a channel of its own, which it shares with Hamlet. */
async function botInChannel(options: { invite_only?: boolean } = {}) {
  const name = `listener-${++added}`;
  const { user, user_id, api_key } = await addWebhookBot(chat, receiver.url, {
    full_name: name,
    short_name: name,
  });
  const { hamlet } = chat.people;
  const stream_id: ChannelId = await addChannel(chat, name, [hamlet, { user }], options);
  const client = createClient({
    url: chat.url,
    email: `${name}-bot@chat.test`,
    apiKey: api_key,
  });
  const write = (content: string, topic = 'outage') =>
    hamlet.client.messages.send({ type: 'channel', to: name, topic, content });
  return { name, user_id, stream_id, client, write };
}

const kysely = () => chat.server.app.db.kysely;

/** The requests of the endpoint after all deliveries of a message. */
async function requestsFor(send: () => Promise<{ id: number }>) {
  const before = receiver.received.length;
  const { id } = await send();
  for (;;) {
    const all = await deliveries(chat);
    const running = all.filter(
      ({ payload, state }) => payload['message_id'] === id && !['done', 'dead'].includes(state),
    );
    if (running.length === 0) return receiver.received.slice(before);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a bot that has lost its access to a channel gets no message of its topic', async () => {
  const bot = await botInChannel({ invite_only: true });
  const { stream_id } = bot;
  await bot.client.botTopics.subscribe({ stream_id, topic: 'outage' });
  expect(await requestsFor(() => bot.write('one'))).toHaveLength(1);
  await chat.people.desdemona.client.subscriptions.remove({
    subscriptions: [bot.name],
    principals: [bot.user_id],
  });
  expect(await requestsFor(() => bot.write('two'))).toEqual([]);
});

test('an expired subscription brings no delivery and is removed by the next one', async () => {
  const bot = await botInChannel();
  const { stream_id } = bot;
  const { botTopics } = bot.client;
  await botTopics.subscribe({ stream_id, topic: 'outage' });
  await sql`update bot_topic set expires_at = 1 where user_id = ${bot.user_id}`.execute(kysely());
  expect(await requestsFor(() => bot.write('one'))).toEqual([]);
  expect(await botTopics.list()).toEqual({ topics: [] });
  await botTopics.subscribe({ stream_id, topic: 'other' });
  const { rows } = await sql`select topic from bot_topic where user_id = ${bot.user_id}`.execute(
    kysely(),
  );
  expect(rows).toEqual([{ topic: 'other' }]);
});

test('a bot has at most 1000 subscriptions', async () => {
  const bot = await botInChannel();
  const { stream_id } = bot;
  await sql`insert into bot_topic (realm_id, user_id, channel_id, topic, expires_at)
    select ${chat.realm.id}, ${bot.user_id}, ${stream_id}, 't' || n, 9999999999
    from generate_series(1, ${MAX_BOT_TOPICS}) n`.execute(kysely());
  const { botTopics } = bot.client;
  await expect(botTopics.subscribe({ stream_id, topic: 'one more' })).rejects.toMatchObject({
    message: expect.stringContaining('at most 1000 subscriptions'),
  });
  await botTopics.subscribe({ stream_id, topic: 'T7' });
  await botTopics.unsubscribe({ stream_id, topic: 't8' });
  await botTopics.subscribe({ stream_id, topic: 'one more' });
});

test('the reply to a follow-up is refused where the bot may not post', async () => {
  const bot = await botInChannel();
  const { stream_id } = bot;
  await bot.client.botTopics.subscribe({ stream_id, topic: 'outage' });
  await sql`update channel set can_send_message_group =
    (select id from user_group where realm_id = ${chat.realm.id} and name = 'role:owners')
    where id = ${stream_id}`.execute(kysely());
  receiver.answer('{"content":"May I?"}');
  await requestsFor(() =>
    chat.people.desdemona.client.messages.send({
      type: 'channel',
      to: bot.name,
      topic: 'outage',
      content: 'a word of the owner',
    }),
  );
  receiver.answer('{}');
  const { messages } = await chat.people.hamlet.client.messages.fetch({
    anchor: 'newest',
    num_before: 5,
    narrow: [
      { operator: 'channel', operand: bot.name },
      { operator: 'topic', operand: 'outage' },
    ],
    apply_markdown: false,
  });
  expect(messages.map(({ content }) => content)).toEqual(['a word of the owner']);
});
