// The contracts that the test kit of the Chat SDK has for adapters. The third, of Vercel Connect, is for the
// platforms that it connects.
import { type FakeBot, type FakeServer, fakeServer } from '@bellhop/fake-server';
import {
  createMockChatInstance,
  createMockState,
  selfMessageContract,
  threadIdContract,
} from '@chat-adapter/tests';
import { matchers } from '@chat-adapter/tests/matchers';
import { afterAll, beforeAll, expect } from 'vitest';

import { type BellhopThreadId, createBellhopAdapter } from './chat-adapter.ts';

expect.extend(matchers);

let server: FakeServer;
let bot: FakeBot;
beforeAll(async () => {
  server = await fakeServer();
  bot = server.addBot({ name: 'Echo' });
});
afterAll(() => server.stop());

const unconnected = createBellhopAdapter({
  url: 'http://localhost:1',
  email: 'echo-bot@chat.test',
  apiKey: 'k',
  mode: 'polling',
});

threadIdContract<BellhopThreadId>({
  name: 'bellhop',
  encode: (thread) => unconnected.encodeThreadId(thread),
  decode: (id) => unconnected.decodeThreadId(id),
  cases: [
    { decoded: { channelId: 7, topic: 'lunch' }, encoded: 'bellhop:7:bHVuY2g' },
    { decoded: { channelId: 7, topic: '' }, encoded: 'bellhop:7:' },
    { decoded: { channelId: 12, topic: '✔ Größe: 3 > 2?' } },
    { decoded: { userIds: [9, 12] }, encoded: 'bellhop:dm:9,12' },
  ],
  isDM: {
    fn: (id) => unconnected.isDM(id),
    dmThreadId: 'bellhop:dm:9',
    nonDmThreadId: 'bellhop:7:bHVuY2g',
  },
});

let lastId = 900;

function webhook(sender: { readonly id: number; readonly email: string }): Request {
  const content = 'hello';
  const body = {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token: bot.token,
    trigger: 'mention',
    data: content,
    message: {
      id: (lastId += 1),
      stream_id: 3,
      display_recipient: 'ops',
      subject: 'releases',
      content,
      rendered_content: `<p>${content}</p>`,
      sender_id: sender.id,
      sender_email: sender.email,
      sender_full_name: 'Somebody',
      timestamp: 1_790_000_000,
    },
  };
  const headers = { 'content-type': 'application/json' };
  return new Request('http://bot.test/', { method: 'POST', headers, body: JSON.stringify(body) });
}

selfMessageContract({
  name: 'bellhop',
  async setup() {
    const chat = createMockChatInstance({ state: createMockState() });
    const { email, apiKey, token } = bot;
    const adapter = createBellhopAdapter({ url: server.url, email, apiKey, token });
    await adapter.initialize(chat);
    return { adapter, chat };
  },
  makeOtherMessageRequest: () => webhook({ id: 7, email: 'iago@chat.test' }),
  makeSelfMessageRequest: () => webhook(bot),
});
