import { createBot, start } from '@bellhop/bot';
import { type Client, createClient } from '@bellhop/client';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Waits until a topic has as many messages as expected, and compares them. */
async function untilSaid(client: Client, channel: string, expected: readonly string[]) {
  for (;;) {
    const { messages } = await client.messages.fetch({
      anchor: 'newest',
      num_before: 20,
      narrow: [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand: 'outage' },
      ],
      apply_markdown: false,
    });
    const contents = messages.map(({ content }) => content);
    if (contents.length >= expected.length) return expect(contents).toEqual(expected);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(['webhook', 'queue'] as const)(
  'by %s, a dialog in a channel takes answers without a mention, and other messages reach on(follow_up)',
  async (transport) => {
    const { hamlet } = chat.people;
    const name = `Listener ${transport}`;
    await hamlet.client.subscriptions.add({ subscriptions: [{ name: transport }] });
    const { queue_id, last_event_id } = await hamlet.client.queues.register({
      event_types: ['realm_bot'],
    });
    const { user_id, api_key } = await hamlet.client.bots.create({
      full_name: name,
      short_name: transport,
      ...(transport === 'webhook'
        ? { bot_type: 3, payload_url: 'http://127.0.0.1:9999/' }
        : { bot_type: 1 }),
    });
    // An event queue has only the messages of the channels of the bot.
    if (transport === 'queue')
      await hamlet.client.subscriptions.add({
        subscriptions: [{ name: transport }],
        principals: [user_id],
      });
    const { events } = await hamlet.client.queues.events({
      queue_id: queue_id ?? '',
      last_event_id,
    });
    const [added] = events as readonly { bot?: { services: { token: string }[] } }[];
    const bot = createBot({
      email: `${transport}-bot@chat.test`,
      token: added?.bot?.services[0]?.token ?? 'unused',
      api: { url: chat.url, apiKey: api_key },
    });
    bot
      .command('report', (ctx) => ctx.begin('report'))
      .dialog(
        'report',
        { what: { ask: 'What is broken?', schema: z.string() } },
        (_ctx, { what }) => `Filed: ${what}.`,
      )
      .on('follow_up', ({ text }) => `I heard "${text}".`)
      .fallback(() => 'What?');
    const running = await start(
      [bot],
      transport === 'queue'
        ? { transport, signals: false }
        : { transport, port: 0, signals: false },
    );
    if (running.url !== undefined)
      await hamlet.client.bots.update({ bot_id: user_id, service_payload_url: running.url });
    const say = (content: string) =>
      hamlet.client.messages.send({ type: 'channel', to: transport, topic: 'outage', content });

    const said: string[] = [];
    const exchange = async (content: string, ...replies: string[]) => {
      await say(content);
      await untilSaid(hamlet.client, transport, (said.push(content, ...replies), said));
    };
    await exchange('nobody listens yet');
    await exchange(`@**${name}** report`, 'What is broken?');
    await exchange('the roof', 'Filed: the roof.');
    await exchange('and the rain', 'I heard "and the rain".');
    await running.stop(0);
    const { topics } = await createClient({
      url: chat.url,
      email: bot.email,
      apiKey: api_key,
    }).botTopics.list();
    expect(topics).toHaveLength(transport === 'queue' ? 0 : 1);
  },
);
