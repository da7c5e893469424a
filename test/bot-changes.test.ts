import { createBot, start } from '@bellhop/bot';
import { createClient } from '@bellhop/client';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

test.each(['webhook', 'queue'] as const)(
  'by %s, reactions to messages of a bot, edits and deletions reach its handlers once each',
  async (transport) => {
    const { hamlet } = chat.people;
    await hamlet.client.subscriptions.add({ subscriptions: [{ name: transport }] });
    const { queue_id, last_event_id } = await hamlet.client.queues.register({
      event_types: ['realm_bot'],
    });
    const { user_id, api_key } = await hamlet.client.bots.create({
      full_name: `Changes ${transport}`,
      short_name: transport,
      ...(transport === 'webhook'
        ? { bot_type: 3, payload_url: 'http://127.0.0.1:9999/' }
        : { bot_type: 1 }),
    });
    await hamlet.client.subscriptions.add({
      subscriptions: [{ name: transport }],
      principals: [user_id],
    });
    const { events } = await hamlet.client.queues.events({
      queue_id: queue_id ?? '',
      last_event_id,
    });
    const [added] = events as readonly { bot?: { services: { token: string }[] } }[];
    const api = { url: chat.url, apiKey: api_key };
    const email = `${transport}-bot@chat.test`;
    const token = added?.bot?.services[0]?.token ?? 'unused';
    const seen: string[] = [];
    const bot = createBot({ email, token, api })
      .on('reaction', ({ by, reaction, message }) => {
        const sign = reaction.isRemoved ? '-' : '+';
        seen.push(`${by.email} ${sign}${reaction.emoji} ${reaction.code} "${message.content}"`);
        return `Seen ${sign}`;
      })
      .on('edit', ({ by, earlierContent, text }) => {
        seen.push(`${by.email} ${earlierContent} -> ${text}`);
      })
      .on('delete', ({ message }) => void seen.push(`${message.sender.email} deletes`))
      .fallback(() => 'Ship it?');
    const running = await start(
      [bot],
      transport === 'queue'
        ? { transport, signals: false }
        : { transport, port: 0, signals: false },
    );
    if (running.url !== undefined)
      await hamlet.client.bots.update({ bot_id: user_id, service_payload_url: running.url });
    const { messages, reactions } = hamlet.client;
    const contents = async () => {
      const found = await messages.fetch({
        anchor: 'newest',
        num_before: 10,
        narrow: [{ operator: 'topic', operand: `${transport} releases` }],
        apply_markdown: false,
      });
      return found.messages.map(({ content }) => content);
    };

    const to = { type: 'channel' as const, to: transport, topic: `${transport} releases` };
    const own = createClient({ url: chat.url, email, apiKey: api_key });
    const { id: message_id } = await own.messages.send({ ...to, content: 'Ship it?' });
    const like = { message_id, emoji_name: 'tada' };
    await reactions.add(like);
    await expect.poll(contents).toEqual(['Ship it?', 'Seen +']);
    await reactions.remove(like);
    await expect.poll(contents).toEqual(['Ship it?', 'Seen +', 'Seen -']);
    const direct = { type: 'direct' as const, to: [user_id], content: 'one' };
    const { id } = await messages.send(direct);
    await messages.edit({ message_id: id, content: 'two' });
    await expect.poll(() => seen.length).toBe(3);
    await messages.remove({ message_id: id });
    await expect.poll(() => seen.length).toBe(4);
    const { email: by } = await hamlet.client.users.me();
    expect(seen).toEqual([
      `${by} +tada 1f389 "Ship it?"`,
      `${by} -tada 1f389 "Ship it?"`,
      `${by} one -> two`,
      `${by} deletes`,
    ]);
    await running.stop(0);
  },
);
