import { type BellhopAdapter, createBellhopAdapter } from '@bellhop/chat-adapter';
import { listen } from '@bellhop/http';
import type { ChannelId } from '@bellhop/protocol';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Chat } from 'chat';
import express, { type Request as ExpressRequest } from 'express';

/** How a bot receives. */
export type Mode = 'webhook' | 'polling';

/** A bot of hamlet, with a Chat that runs it. Its handlers are to be added before `bot.initialize()`. */
export interface ChatSdkBot extends AsyncDisposable {
  readonly id: number;
  readonly name: string;
  readonly adapter: BellhopAdapter;
  readonly bot: Chat;
}

/** A chat server with the channel `ops` of hamlet and cordelia. */
export interface ChatSdkWorld extends AsyncDisposable {
  readonly chat: TestChat;
  readonly ops: ChannelId;
  /** Makes a bot that is subscribed to `ops`. */
  readonly startBot: (mode: Mode, name?: string) => Promise<ChatSdkBot>;
  /** Sends a message to a topic of `ops`. Resolves with its ID. */
  readonly say: (topic: string, content: string, who?: 'hamlet' | 'cordelia') => Promise<number>;
  /** The messages of a topic of `ops` as `Name: content`, oldest first. */
  readonly said: (topic: string) => Promise<string[]>;
  /** What the buttons of the newest widget of a topic send. */
  readonly repliesOfButtons: (topic: string) => Promise<string[]>;
}

export async function startChatSdkWorld(): Promise<ChatSdkWorld> {
  const chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await hamlet.client.subscriptions.add({
    subscriptions: [{ name: 'ops', description: 'Operations' }],
    principals: [hamlet.user.id, cordelia.user.id],
  });
  const { stream_id: ops } = await hamlet.client.channels.id({ stream: 'ops' });
  const read = async (topic: string) => {
    const { messages } = await hamlet.client.messages.fetch({
      narrow: [
        { operator: 'channel', operand: ops },
        { operator: 'topic', operand: topic },
      ],
      anchor: 'oldest',
      num_after: 200,
      apply_markdown: false,
    });
    return messages;
  };
  return {
    chat,
    ops,
    startBot: (mode, name = `Chatty ${mode}`) => startBot(chat, mode, name),
    async say(topic, content, who = 'cordelia') {
      const { messages } = chat.people[who].client;
      return (await messages.send({ type: 'channel', to: ops, topic, content })).id;
    },
    said: async (topic) =>
      (await read(topic)).map((one) => `${one.sender_full_name}: ${one.content}`),
    async repliesOfButtons(topic) {
      const [widget] = (await read(topic)).flatMap(({ submessages }) => submessages).toReversed();
      const { extra_data } = JSON.parse(widget?.content ?? '{}') as {
        extra_data?: { choices: { reply: string }[] };
      };
      return (extra_data?.choices ?? []).map(({ reply }) => reply);
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}

async function startBot(chat: TestChat, mode: Mode, name: string): Promise<ChatSdkBot> {
  const { bots, subscriptions, users } = chat.people.hamlet.client;
  const { user_id: id, api_key: apiKey } = await bots.create({
    full_name: name,
    short_name: name.toLowerCase().replaceAll(' ', '-'),
    ...(mode === 'webhook' ? { bot_type: 3, payload_url: 'http://127.0.0.1:9999/' } : {}),
  });
  await subscriptions.add({ subscriptions: [{ name: 'ops' }], principals: [id] });
  const { email } = (await users.get({ user_id: id })).user;
  const token = mode === 'webhook' ? (await bots.regenerateToken({ bot_id: id })).token : [];
  const adapter = createBellhopAdapter({ url: chat.url, email, apiKey, token, mode });
  const bot = new Chat({
    userName: name,
    adapters: { bellhop: adapter },
    state: createMemoryState(),
    // With its queue, the SDK leaves a message waiting that comes while it gives its lock back.
    concurrency: 'concurrent',
    logger: 'silent',
  });
  const app = express();
  app.post('/', async (request, response) => {
    const answer = await bot.webhooks['bellhop']?.(webRequest(request));
    response.status(answer?.status ?? 500).send(await answer?.text());
  });
  const listening = await listen(app);
  if (mode === 'webhook')
    await bots.update({ bot_id: id, service_payload_url: `${listening.url}/` });
  return {
    id,
    name,
    adapter,
    bot,
    [Symbol.asyncDispose]: async () => {
      await bot.shutdown();
      await listening.stop(0);
    },
  };
}

function webRequest(request: ExpressRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value);
  const init = { method: 'POST', headers, body: request, duplex: 'half' };
  return new Request('http://bot.test/', init as unknown as RequestInit);
}
