import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type FakeBot, type FakeServer, fakeServer, type FakeUser } from '@bellhop/fake-server';
import {
  AdapterRateLimitError,
  AuthenticationError,
  NetworkError,
  ResourceNotFoundError,
  ValidationError,
} from '@chat-adapter/shared';
import { createMemoryState } from '@chat-adapter/state-memory';
import { createMockLogger } from '@chat-adapter/tests';
import { Actions, Button, Card, Chat, NotImplementedError, Select, SelectOption } from 'chat';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type BellhopAdapterConfig, createBellhopAdapter } from './chat-adapter.ts';

let server: FakeServer;
let bot: FakeBot;
let ada: FakeUser;
let chats: Chat[];
beforeEach(async () => {
  server = await fakeServer();
  ada = server.addUser('Ada');
  server.addChannel('ops');
  bot = server.addBot({ name: 'Echo' });
  chats = [];
});
afterEach(async () => {
  await Promise.all(chats.map((chat) => chat.shutdown()));
  await server.stop();
});

const login = () => ({ url: server.url, email: bot.email, apiKey: bot.apiKey, token: bot.token });

/** A Chat with an adapter that receives webhooks, and the warnings of the adapter. */
function started(config: BellhopAdapterConfig = {}) {
  const logger = createMockLogger();
  const adapter = createBellhopAdapter({ ...login(), logger, ...config });
  const chat = new Chat({
    userName: 'echo',
    adapters: { bellhop: adapter },
    state: createMemoryState(),
    concurrency: 'concurrent',
    logger: 'silent',
  });
  chats.push(chat);
  const warnings = () => (logger.warn as unknown as { mock: { calls: [string][] } }).mock.calls;
  const deliver = (body: object, headers: Record<string, string> = {}) =>
    webhookOf(chat, new Request('http://bot.test/', post(JSON.stringify(body), headers)));
  return { adapter, chat, deliver, warnings: () => warnings().map(([text]) => text) };
}

const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

const webhookOf = async (chat: Chat, request: Request): Promise<Response> =>
  (await chat.webhooks['bellhop']?.(request)) ?? Response.error();

let lastId = 5000;
/** A mention in a topic, in the form that the API documents; servers of every level send its fields. */
const mention = (content: string, more: object = {}) => ({
  bot_email: bot.email,
  bot_full_name: 'Echo',
  data: content,
  token: bot.token,
  trigger: 'mention',
  message: {
    avatar_url: 'https://secure.gravatar.com/avatar/1f4f?d=identicon&version=1',
    client: 'website',
    content,
    content_type: 'text/x-markdown',
    display_recipient: 'Verona',
    id: (lastId += 1),
    is_me_message: false,
    reactions: [],
    recipient_id: 20,
    rendered_content: `<p><span class="user-mention" data-user-id="${bot.id}">@Echo</span></p>`,
    sender_email: 'iago@chat.test',
    sender_full_name: 'Iago',
    sender_id: 905,
    sender_realm_str: 'chat',
    stream_id: 1,
    subject: 'Verona2',
    submessages: [],
    timestamp: 1_527_876_931,
    topic_links: [],
    type: 'stream',
    ...more,
  },
});

describe('createBellhopAdapter', () => {
  test('names every option that is missing or wrong, with its variable', () => {
    const make = () => createBellhopAdapter({ url: 'chat.test', mode: 'webhook', email: '' });
    expect(make).toThrow(ValidationError);
    expect(make).toThrow(
      /email.*\(BOT_EMAIL\).*apiKey.*\(BOT_API_KEY\).*https:.*token.*\(BOT_TOKEN\)/,
    );
  });

  test('receives by webhook if it has a token, else by polling', async () => {
    const { chat } = started({ token: [] });
    await chat.initialize();
    await expect.poll(() => server.waitingPolls()).toBe(1);
    await expect(
      webhookOf(chat, new Request('http://bot.test/', post(JSON.stringify(mention('hi'))))),
    ).rejects.toThrow(/BOT_TOKEN/);
    await started().chat.initialize();
    expect(server.waitingPolls()).toBe(1);
  });

  test('a wrong login and a server that does not answer fail the start', async () => {
    await expect(started({ apiKey: 'wrong' }).chat.initialize()).rejects.toThrow(
      AuthenticationError,
    );
    await expect(started({ url: 'http://127.0.0.1:9' }).chat.initialize()).rejects.toThrow(
      NetworkError,
    );
  });
});

describe('a webhook', () => {
  test('of every level of the API reaches the handlers', async () => {
    const { chat, deliver } = started();
    const seen: unknown[] = [];
    chat.onNewMention(async (thread, { id, text, author, metadata, isMention }) => {
      seen.push({ thread: thread.id, id, text, author, sent: metadata.dateSent, isMention });
    });
    const response = await deliver(mention('@**Echo** is **great**'));
    expect([response.status, await response.json()]).toEqual([
      200,
      { response_not_required: true },
    ]);
    await expect
      .poll(() => seen)
      .toEqual([
        {
          thread: 'bellhop:1:VmVyb25hMg',
          id: String(lastId),
          text: '@Echo is great',
          author: {
            userId: '905',
            userName: 'Iago',
            fullName: 'Iago',
            email: 'iago@chat.test',
            isBot: false,
            isMe: false,
          },
          sent: new Date('2018-06-01T18:15:31Z'),
          isMention: true,
        },
      ]);
  });

  test('before feature level 201, and of a group, reaches the handlers of direct messages', async () => {
    const { chat, deliver } = started();
    const seen: string[] = [];
    chat.onDirectMessage(async (thread, { text }) => void seen.push(`${thread.id} ${text}`));
    const person = (id: number, email: string) => ({ id, email, full_name: 'X' });
    const display_recipient = [
      person(905, 'iago@chat.test'),
      person(bot.id, bot.email),
      person(12, 'ada@chat.test'),
    ];
    await deliver({
      ...mention('psst', { display_recipient, stream_id: undefined, type: 'private' }),
      trigger: 'private_message',
    });
    await expect.poll(() => seen).toEqual(['bellhop:dm:12,905 psst']);
  });

  test('with a wrong token, a forged signature, for another bot or in another form is refused', async () => {
    const { chat, deliver, warnings } = started();
    const seen: string[] = [];
    chat.onNewMention(async (_thread, { text }) => void seen.push(text));
    const statusOf = async (response: Promise<Response>) => (await response).status;
    expect(await statusOf(deliver({ ...mention('a'), token: 'forged' }))).toBe(401);
    expect(await statusOf(deliver({ ...mention('a'), bot_email: 'x@chat.test' }))).toBe(401);
    expect(await statusOf(deliver([]))).toBe(400);
    const signature = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
    expect(await statusOf(deliver(mention('a'), signature))).toBe(401);
    const get = new Request('http://bot.test/');
    expect((await webhookOf(chat, get)).status).toBe(405);
    const large = new Request('http://bot.test/', post('x'.repeat(1024 * 1024 + 1)));
    expect((await webhookOf(chat, large)).status).toBe(413);
    const form = new URLSearchParams({
      token: bot.token,
      service_id: '9',
      channel_id: 'C3',
      channel_name: 'ops',
      user_id: 'U7',
      user_name: 'Iago',
      text: 'hi',
      timestamp: '1',
    }).toString();
    const slack = post(form, { 'content-type': 'application/x-www-form-urlencoded' });
    const refused = await webhookOf(chat, new Request('http://bot.test/', slack));
    expect([refused.status, await refused.text()]).toEqual([
      415,
      expect.stringContaining('generic interface'),
    ]);
    expect(warnings().join()).toMatch(/wrong_token.*unknown_bot.*wrong_signature/s);
    expect(seen).toEqual([]);
  });

  test('with a genuine signature is accepted', async () => {
    const { deliver } = started();
    const body = mention('signed');
    const timestamp = String(Math.floor(Date.now() / 1000));
    const text = `msg_1.${timestamp}.${JSON.stringify(body)}`;
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', bot.token).update(text).digest('base64')}`,
    };
    expect((await deliver(body, headers)).status).toBe(200);
  });

  test('that is delivered again calls no handler again', async () => {
    const { chat, adapter, deliver } = started();
    const seen: string[] = [];
    chat.onNewMention(async (_thread, { text }) => void seen.push(text));
    chat.onAction('go', async ({ value }) => void seen.push(`go ${value}`));
    chat.onReaction(async ({ rawEmoji }) => void seen.push(rawEmoji));
    await chat.initialize();
    const card = Card({
      title: 'Go?',
      children: [Actions([Button({ id: 'go', label: 'Go', value: '1' })])],
    });
    const channel = server.addChannel('Verona');
    const threadId = adapter.encodeThreadId({ channelId: channel.id, topic: 'Verona2' });
    await chat.thread(threadId).post(card);
    const user = { user_id: 905, email: 'iago@chat.test', full_name: 'Iago' };
    const change = { id: 'r1', user, op: 'add', emoji_name: 'tada', emoji_code: '1f389' };
    const bodies = [
      mention('@**Echo** once', { stream_id: channel.id }),
      mention(`@**Echo|${bot.id}** Go`, { stream_id: channel.id }),
      { ...mention('react', { stream_id: channel.id }), trigger: 'reaction', change },
    ];
    for (const body of [...bodies, ...bodies]) await deliver(body);
    await expect.poll(() => seen).toEqual(['@Echo once', 'go 1', 'tada']);
    await sleep(50);
    expect(seen).toHaveLength(3);
  });

  test('of a newer server with an unknown trigger is ignored with a warning', async () => {
    const { deliver, warnings } = started();
    const response = await deliver({ ...mention('x'), trigger: 'wave' });
    expect(response.status).toBe(200);
    expect(warnings()).toContain('A delivery with the unknown trigger wave was ignored');
  });
});

describe('on a server without the extensions of Bellhop', () => {
  /** Answers their routes with the page of another server. */
  const elsewhere: typeof fetch = async (input, init) =>
    /\/bot_(?:changes|topics)/.test(input instanceof Request ? input.url : String(input))
      ? new Response('<html>Not found</html>', { status: 404 })
      : fetch(input, init);

  test('webhooks work, and warnings say what the bot does not get', async () => {
    const { chat, deliver, warnings } = started({ fetch: elsewhere });
    const seen: string[] = [];
    chat.onNewMention(async (thread, { text }) => {
      await thread.subscribe();
      seen.push(text);
    });
    await deliver(mention('@**Echo** hi'));
    await expect.poll(() => seen).toEqual(['@Echo hi']);
    expect(warnings()).toEqual([
      expect.stringMatching(/no reactions, edits and deletions.*mode: "polling"/),
      expect.stringMatching(/only mentions and direct messages.*mode: "polling"/),
    ]);
  });
});

describe('failures', () => {
  const threadOf = (adapter: ReturnType<typeof started>['adapter']) =>
    adapter.encodeThreadId({ channelId: server.addChannel('fail').id, topic: 'x' });

  test('a rate limit longer than a few seconds is thrown with the time to wait', async () => {
    const { adapter, chat } = started();
    await chat.initialize();
    const threadId = threadOf(adapter);
    server.rateLimit(30);
    const failure = await adapter.postMessage(threadId, 'hi').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AdapterRateLimitError);
    expect(failure).toMatchObject({ adapter: 'bellhop', retryAfter: 30 });
  });

  test('a server that fails or is slow is a NetworkError', async () => {
    const { adapter, chat } = started({ timeoutMs: 300 });
    await chat.initialize();
    const threadId = threadOf(adapter);
    server.fail({ status: 500 });
    await expect(adapter.postMessage(threadId, 'hi')).rejects.toThrow(NetworkError);
    server.fail({ slowMs: 2000, route: 'POST /messages' });
    await expect(adapter.postMessage(threadId, 'hi')).rejects.toThrow(NetworkError);
  });

  test('what the server refuses is a ValidationError with its words, or a missing channel', async () => {
    const { adapter, chat } = started();
    await chat.initialize();
    await expect(adapter.postMessage(threadOf(adapter), ' ')).rejects.toThrow(
      /refused to post a message: Message must not be empty/,
    );
    const nowhere = adapter.encodeThreadId({ channelId: 99_999, topic: 'x' });
    await expect(adapter.postMessage(nowhere, 'hi')).rejects.toThrow(ResourceNotFoundError);
  });

  test('limits are told before the server cuts', async () => {
    const { adapter, chat } = started();
    await chat.initialize();
    const threadId = threadOf(adapter);
    await expect(adapter.postMessage(threadId, 'x'.repeat(10_001))).rejects.toThrow(/10000.*10001/);
    await adapter.postMessage(threadId, '🎉'.repeat(10_000));
    const long = { channelId: 1, topic: 'é'.repeat(61) };
    expect(() => adapter.encodeThreadId(long)).toThrow(/at most 60 characters, not 61/);
    for (const id of ['slack:C1:1', 'bellhop:7', 'bellhop:x:eA', 'bellhop:dm:', 'bellhop:dm:1,a'])
      expect(() => adapter.decodeThreadId(id)).toThrow(ValidationError);
    await expect(adapter.openDM('Ada')).rejects.toThrow(/not the ID of a user/);
    await expect(adapter.deleteMessage(threadId, 'first')).rejects.toThrow(/not the ID of a mess/);
  });

  test('what the protocol has not is a NotImplementedError that says what to do instead', async () => {
    const { adapter, chat } = started();
    await chat.initialize();
    const threadId = threadOf(adapter);
    const button = Button({ id: 'go', label: 'Go' });
    const buttons = Card({ title: 'x', children: [Actions([button])] });
    const option = SelectOption({ label: 'A', value: 'a' });
    const menu = Select({ id: 's', label: 'S', options: [option] });
    const select = Card({ title: 'x', children: [Actions([menu])] });
    const calls: (() => Promise<unknown>)[] = [
      () => adapter.postMessage(threadId, select),
      () => adapter.editMessage(threadId, '1', buttons),
      () => adapter.scheduleMessage(threadId, buttons, { postAt: new Date() }),
      () => adapter.openModal(),
    ];
    for (const call of calls) {
      const failure = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(NotImplementedError);
      expect((failure as Error).message).toMatch(/: (?:use|post|ask) /);
    }
    const many = Array.from({ length: 10 }, (_none, at) => Button({ id: 'x', label: `${at}` }));
    const tooMany = Card({ children: [Actions(many)] });
    await expect(adapter.postMessage(threadId, tooMany)).rejects.toThrow(/at most 9 buttons/);
    const named = Card({ children: [Actions([Button({ id: 'x', label: '**x**' })])] });
    await expect(adapter.postMessage(threadId, named)).rejects.toThrow(/label of a button/);
  });

  test('a stream without text, and one that fails, are told', async () => {
    const { adapter, chat } = started();
    await chat.initialize();
    const threadId = threadOf(adapter);
    const empty = (async function* () {})();
    await expect(adapter.stream(threadId, empty)).rejects.toThrow(/had no text/);
    const failing = (async function* () {
      yield 'Half';
      throw new Error('The model fails');
    })();
    await expect(adapter.stream(threadId, failing)).rejects.toThrow('The model fails');
  });
});

test('a process that starts again reads what it has missed, if its state outlives it', async () => {
  const state = createMemoryState();
  // What a state in a database is: it stays.
  const lasting = Object.assign(Object.create(state) as typeof state, {
    connect: () => state.connect(),
    disconnect: async () => {},
  });
  const seen: string[] = [];
  const run = async () => {
    const adapter = createBellhopAdapter({ ...login(), token: [], logger: createMockLogger() });
    const chat = new Chat({
      userName: 'echo',
      adapters: { bellhop: adapter },
      state: lasting,
      logger: 'silent',
    });
    chat.onDirectMessage(async (_thread, { text }) => void seen.push(text));
    await chat.initialize();
    return chat;
  };
  const first = await run();
  ada.send('one', { users: [bot] });
  await expect.poll(() => seen).toEqual(['one']);
  await first.shutdown();
  ada.send('two', { users: [bot] });
  const second = await run();
  await expect.poll(() => seen).toEqual(['one', 'two']);
  await second.shutdown();
});
