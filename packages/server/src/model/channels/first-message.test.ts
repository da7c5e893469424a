import type { ChannelId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  addChannel,
  firstMessageOf,
  subscribe,
} from '../../resources/channels/channels.fixture.ts';
import { listen } from '../../resources/queues/listen.fixture.ts';
import { resetRealmSettings } from '../../resources/realms/realm-settings.fixture.ts';
import { addWebhookBot, startReceiver } from '../../resources/webhooks/webhooks.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat({ env: { BELLHOP_WEBHOOK_RETRY: 'none' } })));
afterAll(() => chat[Symbol.asyncDispose]());

/** Each sends a message into an empty channel. */
const senders: readonly [string, (id: ChannelId, name: string) => Promise<unknown>][] = [
  [
    'announcement of a new user',
    async (signup_announcements_stream_id) => {
      await resetRealmSettings(chat, { signup_announcements_stream_id });
      const ophelia = { email: 'ophelia@example.com', full_name: 'Ophelia' };
      const { users } = chat.people.desdemona.client;
      await users.create({ ...ophelia, password: 'a long password' });
    },
  ],
  [
    'report of a message',
    async (moderation_request_channel_id) => {
      await resetRealmSettings(chat, { moderation_request_channel_id });
      const { client, user } = chat.people.hamlet;
      const to = [user.id];
      const { id } = await client.messages.send({ type: 'direct', to, content: 'to myself' });
      await client.messages.report({ message_id: id, report_type: 'spam' });
    },
  ],
  [
    'reply of a webhook bot to a deleted message',
    async (id, to) => {
      const { client } = chat.people.hamlet;
      await using receiver = await startReceiver();
      const bot = await addWebhookBot(chat, receiver.url);
      await subscribe(chat, id, bot.user.id);
      const message = { type: 'channel', to, topic: 'x', content: '@**Echo** hi' } as const;
      const removed = Promise.withResolvers<void>();
      receiver.answer((response) => {
        void removed.promise.then(() => response.end('{"content":"hello"}'));
      });
      const { id: message_id } = await client.messages.send(message);
      await receiver.next();
      await chat.people.desdemona.client.messages.remove({ message_id });
      expect(await firstMessageOf(chat, id)).toBeNull();
      removed.resolve();
      await expect.poll(() => firstMessageOf(chat, id)).not.toBeNull();
    },
  ],
];

test.each(senders)(
  'a viewer who is not subscribed gets a stream event if the first message of a channel is the %s',
  async (title, send) => {
    const { hamlet, shiva } = chat.people;
    const name = `channel of the ${title}`.slice(0, 60);
    const id = await addChannel(chat, { name, subscribers: [hamlet] });
    const queue = await listen(shiva, { event_types: ['stream'] });
    await send(id, name);
    const value = await firstMessageOf(chat, id);
    const told = { op: 'update', stream_id: id, name, property: 'first_message_id', value };
    await expect.poll(async () => (await queue.all()).at(-1)).toMatchObject(told);
  },
);
