import type { RequestListener } from 'node:http';

import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fakeServer, type FakeServer } from './fake-server.ts';
import type { FakeBot, FakeUser } from './fake-user.ts';

let ends: AsyncDisposableStack;
beforeEach(() => {
  ends = new AsyncDisposableStack();
});
afterEach(() => ends.disposeAsync());

async function botAt(listener: RequestListener): Promise<string> {
  return ends.use(await listen(listener)).url;
}
const replying =
  (content: string): RequestListener =>
  (_request, response) => {
    response.end(JSON.stringify({ content }));
  };

interface Fixture {
  readonly server: FakeServer;
  readonly ada: FakeUser;
  readonly bot: FakeBot;
}
/** A fake server with a user and a bot. */
async function startServer(payloadUrl?: string): Promise<Fixture> {
  const server = ends.use(await fakeServer({ webhookRetryMs: [0, 0, 0] }));
  const ada = server.addUser('Ada');
  const about = payloadUrl === undefined ? {} : { payloadUrl };
  return { server, ada, bot: server.addBot({ name: 'Echo', ...about }) };
}

/** Sends a request to the API as a user. */
async function request(
  { url }: FakeServer,
  { email, apiKey }: FakeUser,
  [route, fields = {}]: readonly [string, Record<string, string>?],
  userAgent = 'Test/1.0',
) {
  const [method = '', path = ''] = route.split(' ');
  const form = new URLSearchParams(fields);
  const response = await fetch(
    `${url}/api/v1${path}${method === 'GET' ? `?${form.toString()}` : ''}`,
    {
      method,
      headers: {
        authorization: `Basic ${btoa(`${email}:${apiKey}`)}`,
        'user-agent': userAgent,
      },
      ...(method === 'GET' ? {} : { body: form }),
    },
  );
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

test('a conversation hears once that its bot does not answer yet, and at last that it is unavailable', async () => {
  const options = { webhookRetryMs: [0, 0], webhookTimeoutMs: 40_000 };
  const server = ends.use(await fakeServer(options));
  server.addBot({ name: 'Echo', payloadUrl: 'http://127.0.0.1:1/' });
  server.addChannel('ops');
  server.addUser('Ada').send('@**Echo** hi', { channel: 'ops', topic: 'greetings' });
  await server.settled();
  expect(server.conversation({ channel: 'ops', topic: 'greetings' })).toEqual([
    'Ada: @**Echo** hi',
    'Echo: The bot does not answer yet. The server tries again and says here when it gives up.',
    'Echo: Failure! The bot is unavailable.',
  ]);
});

test('conversation() returns the messages in order, as `Name: text`', async () => {
  const { server, ada, bot } = await startServer(await botAt(replying('hello')));
  server.addChannel('ops');
  ada.send('@**Echo** hi', { channel: 'ops', topic: 'greetings' });
  ada.send('psst', { users: [bot] });
  await server.settled();
  expect(server.conversation({ channel: 'ops', topic: 'greetings' })).toEqual([
    'Ada: @**Echo** hi',
    'Echo: hello',
  ]);
  expect(server.conversation({ users: [bot, ada] })).toEqual(['Ada: psst', 'Echo: hello']);
  expect(server.deliveries).toMatchObject([
    { trigger: 'mention', outcome: 'replied', botEmail: 'echo-bot@fake.test' },
    { trigger: 'direct_message', outcome: 'replied' },
  ]);
  expect(server.deliveries[0]?.attempts).toMatchObject([
    { result: { kind: 'response', status: 200, body: '{"content":"hello"}' } },
  ]);
});

test.each([
  ['@**echo** hi', 1],
  ['@**Echo|ID** hi', 1],
  ['@**|ID** hi', 1],
  ['@**echo|ID** hi', 0],
  ['@**Ada|ID** hi', 0],
  ['@**|99** hi', 0],
  ['@_**Echo** hi', 0],
  ['@**topic** hi', 0],
  ['@**all** hi', 0],
  ['@**Twin** hi', 0],
  ['```a``` @**Echo** hi', 1],
  ['```js\n@**Echo** hi', 0],
])('the message %j makes %i deliveries of a mention', async (content, count) => {
  const { server, ada, bot } = await startServer(await botAt(replying('hello')));
  server.addChannel('ops');
  server.addBot({ name: 'Twin', email: 'twin-1@fake.test', payloadUrl: 'http://127.0.0.1:1/' });
  server.addBot({ name: 'Twin', email: 'twin-2@fake.test', payloadUrl: 'http://127.0.0.1:1/' });
  ada.send(content.replace('ID', String(bot.id)), { channel: 'ops', topic: 'greetings' });
  await server.settled();
  expect(server.deliveries).toHaveLength(count);
});

test('a bot can get its payloadUrl after its token was read', async () => {
  const { server, ada, bot } = await startServer();
  ada.send('before payloadUrl', { users: [bot] });
  const tokens: unknown[] = [];
  bot.payloadUrl = await botAt((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      tokens.push((JSON.parse(text) as { token: unknown }).token);
      response.end('{}');
    });
  });
  ada.send('after payloadUrl', { users: [bot] });
  await server.settled();
  expect(tokens).toEqual([bot.token]);
  expect(server.deliveries).toMatchObject([{ outcome: 'silent' }]);
});

test('a delivery to an unreachable bot is unavailable after the last attempt', async () => {
  const { server, ada, bot } = await startServer('http://127.0.0.1:1/');
  ada.send('hi', { users: [bot] });
  await server.settled();
  expect(server.conversation({ users: [bot, ada] })).toEqual([
    'Ada: hi',
    'Echo: Failure! The bot is unavailable.',
  ]);
  expect(server.deliveries[0]?.attempts).toHaveLength(4);
  expect(server.conversation({ users: [bot, bot.owner] })).toEqual([
    expect.stringContaining('could not be reached'),
  ]);
});

test('redeliver() keeps the id of a delivery and does not send its answer', async () => {
  let turn = 0;
  const { server, ada, bot } = await startServer(
    await botAt((_request, response) => response.end(`{"content":"${++turn}"}`)),
  );
  const { id } = ada.send('hi', { users: [bot] });
  await server.settled();
  expect(await server.redeliver(id)).toMatchObject([{ kind: 'response', body: '{"content":"2"}' }]);
  expect(server.conversation({ users: [bot, ada] })).toEqual(['Ada: hi', 'Echo: 1']);
  const ids = server.deliveries[0]?.attempts.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual(['1', '1']);
  await expect(server.redeliver(99)).rejects.toThrow('Message 99 was not delivered to a bot.');
});

test('until() resolves when its condition holds, and rejects with the condition otherwise', async () => {
  const { server, ada, bot } = await startServer();
  const lines = () => server.conversation({ users: [bot, ada] });
  const condition = server.until(() => lines().length === 1, 20_000);
  const to = JSON.stringify([ada.id]);
  await request(server, bot, ['POST /messages', { type: 'direct', to, content: 'late' }]);
  await condition;
  expect(lines()).toEqual(['Echo: late']);
  await expect(server.until(() => lines().length === 2, 20)).rejects.toThrow(
    /within 20 ms: .*length === 2/,
  );
});

test('fail() affects the given route the given number of times', async () => {
  const { server, bot } = await startServer();
  server.fail({ route: 'GET /users/me', times: 2, status: 502 });
  const me = () => request(server, bot, ['GET /users/me']);
  expect(await request(server, bot, ['GET /users'])).toMatchObject({ status: 200 });
  expect(await me()).toMatchObject({ status: 502, body: { result: 'error' } });
  expect(await me()).toMatchObject({ status: 502 });
  expect(await me()).toMatchObject({ status: 200 });
});

test('fail() on a route with a variable affects every value', async () => {
  const { server, ada, bot } = await startServer();
  const { id } = ada.send('hi', { users: [bot] });
  server.fail({ route: 'GET /messages/{message_id}', status: 500 });
  expect((await request(server, ada, [`GET /messages/${id}`])).status).toBe(500);
  expect((await request(server, ada, [`GET /messages/${id}`])).status).toBe(200);
});

test('fail() drops a connection before or after the request took effect', async () => {
  const { server, ada, bot } = await startServer();
  const to = JSON.stringify([ada.id]);
  const say = (content: string) =>
    request(server, bot, ['POST /messages', { type: 'direct', to, content }]);
  server.fail({ route: 'POST /messages', drop: 'before' });
  await expect(say('never')).rejects.toThrow();
  server.fail({ drop: 'after' });
  await expect(say('sent, answer lost')).rejects.toThrow();
  expect(await say('again')).toMatchObject({ status: 200 });
  expect(server.conversation({ users: [bot, ada] })).toEqual([
    'Echo: sent, answer lost',
    'Echo: again',
  ]);
});

test('a delayed request takes effect', async () => {
  const { server, bot } = await startServer();
  server.fail({ slowMs: 60 });
  const started = performance.now();
  expect(await request(server, bot, ['GET /users/me'])).toMatchObject({ status: 200 });
  expect(performance.now() - started).toBeGreaterThanOrEqual(59);
});

test('a rate limit answers 429 with Retry-After until it has passed', async () => {
  const { server, bot } = await startServer();
  // A busy machine may need longer than the limit lasts.
  const limited = await vi.waitFor(async () => {
    server.rateLimit(0.1);
    const answer = await request(server, bot, ['GET /users/me']);
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
    return answer;
  }, 15_000);
  const wait = Number(limited.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(limited.body['retry-after']).toBe(wait);
  await expect.poll(async () => (await request(server, bot, ['GET /users/me'])).status).toBe(200);
});

test('dropQueues() ends polls with BAD_EVENT_QUEUE_ID', async () => {
  const { server, bot } = await startServer();
  const { body } = await request(server, bot, ['POST /register', { event_types: '["message"]' }]);
  const poll = () =>
    request(server, bot, [
      'GET /events',
      { queue_id: String(body['queue_id']), last_event_id: String(body['last_event_id']) },
    ]);
  const waiting = poll();
  await expect.poll(() => server.waitingPolls()).toBe(1);
  server.dropQueues();
  expect(await waiting).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } });
  expect(await poll()).toMatchObject({ body: { code: 'BAD_EVENT_QUEUE_ID' } });
});

test('an idle poll gets a heartbeat', async () => {
  const server = ends.use(await fakeServer({ heartbeatMs: 20 }));
  const bot = server.addBot({ name: 'Echo' });
  const { body } = await request(server, bot, ['POST /register']);
  const { body: heartbeat } = await request(server, bot, [
    'GET /events',
    { queue_id: String(body['queue_id']), last_event_id: String(body['last_event_id']) },
  ]);
  expect(heartbeat['events']).toMatchObject([{ type: 'heartbeat' }]);
});

test.each([
  ['ZulipPython/0.9.0 (Ubuntu; 24.04)', 'zulip_extra_emoji'],
  ['python-requests/2.32.3', 'svc_extra_emoji'],
])('%s reads %s, as from the chat server', async (userAgent, reaction_type) => {
  const { server, ada, bot } = await startServer();
  const { id } = ada.send('hi', { users: [bot] });
  const { body } = await request(server, bot, ['POST /register'], userAgent);
  await request(server, ada, [`POST /messages/${id}/reactions`, { emoji_name: 'zulip' }]);
  const { body: message } = await request(server, bot, [`GET /messages/${id}`], userAgent);
  expect(message).toMatchObject({ message: { reactions: [{ reaction_type }] } });
  const { body: poll } = await request(server, bot, [
    'GET /events',
    { queue_id: String(body['queue_id']), last_event_id: String(body['last_event_id']) },
  ]);
  expect(poll['events']).toMatchObject([{ type: 'reaction', reaction_type }]);
});

test('an edit ends the buttons of a message, and is refused for other widgets', async () => {
  const { server, ada, bot } = await startServer();
  const sent = { type: 'direct', to: JSON.stringify([ada.id]), content: 'Tea?' };
  const choices = { type: 'choices', heading: 'Tea?', choices: [] };
  for (const [widget_type, extra_data, status] of [
    ['zform', choices, 200],
    ['poll', null, 400],
  ] as const) {
    const widget_content = JSON.stringify({ widget_type, extra_data });
    const { body } = await request(server, bot, ['POST /messages', { ...sent, widget_content }]);
    const edit = [`PATCH /messages/${Number(body['id'])}`, { content: 'Tea: yes' }] as const;
    expect((await request(server, bot, edit)).status).toBe(status);
  }
  expect(server.messages({ users: [ada, bot] })).toMatchObject([
    { content: 'Tea: yes', widget: undefined },
    { content: 'Tea?', widget: expect.stringContaining('poll') },
  ]);
});

test('messages() shows the REST messages, reactions and edits of a bot, calls() its requests', async () => {
  const { server, ada, bot } = await startServer();
  const { id } = ada.send('hi', { users: [bot] });
  const to = JSON.stringify([ada.id]);
  await request(server, bot, ['POST /typing', { op: 'start', to }]);
  await request(server, bot, [`POST /messages/${id}/reactions`, { emoji_name: 'eyes' }]);
  const widget_content = JSON.stringify({ widget_type: 'todo', extra_data: null });
  const sent = { type: 'direct', to, content: 'draft' };
  const { body } = await request(server, bot, ['POST /messages', { ...sent, widget_content }]);
  await request(server, bot, ['POST /messages', sent]);
  await request(server, bot, [`PATCH /messages/${Number(body['id']) + 1}`, { content: 'done' }]);
  expect(server.messages({ users: [ada, bot] })).toMatchObject([
    { id, sender: 'Ada', content: 'hi', reactions: ['eyes'], isEdited: false },
    { sender: 'Echo', content: 'draft', widget: widget_content, isEdited: false },
    { sender: 'Echo', content: 'done', widget: undefined, isEdited: true },
  ]);
  expect(server.calls('POST /typing')).toEqual([
    {
      route: 'POST /typing',
      email: bot.email,
      params: { type: 'direct', op: 'start', to: [ada.id] },
    },
  ]);
  expect(server.calls()).toHaveLength(5);
});

test('an endpoint that the fake server lacks is answered with NOT_FOUND', async () => {
  const { server, bot } = await startServer();
  expect(
    await request(server, bot, ['POST /bots', { full_name: 'x', short_name: 'x' }]),
  ).toMatchObject({ status: 404, body: { msg: 'The fake server cannot do POST /bots' } });
});

test('stop() ends polls, slow requests and running deliveries', async () => {
  const arrived = Promise.withResolvers<void>();
  const { server, ada, bot } = await startServer(await botAt(() => arrived.resolve()));
  const { body } = await request(server, ada, ['POST /register']);
  const poll = request(server, ada, [
    'GET /events',
    { queue_id: String(body['queue_id']), last_event_id: String(body['last_event_id']) },
  ]);
  void poll.catch(() => {});
  ada.send('hi', { users: [bot] });
  await arrived.promise;
  await server.stop();
  await Promise.allSettled([poll]);
  expect(server.deliveries).toMatchObject([{ outcome: 'cut off' }]);
  await expect(fetch(server.url)).rejects.toThrow();
});

test('rename() tells clients, and a message keeps the name by which it mentions a bot', async () => {
  const { server, ada, bot } = await startServer(await botAt(replying('hello')));
  server.addChannel('ops');
  const to = { channel: 'ops', topic: 'x' };
  const registered = await request(server, bot, [
    'POST /register',
    { event_types: '["realm_user"]' },
  ]);
  const { id } = ada.send('@**Echo** hi', to);
  bot.rename('Parrot & Co');
  await server.settled();
  expect(bot.fullName).toBe('Parrot & Co');
  ada.send('@**parrot & co** hi', to);
  ada.send('@**Echo** hi', to);
  ada.send(`@_**|${bot.id}** hi`, { users: [bot] });
  await server.settled();
  await server.redeliver(id);
  const names = server.deliveries.map(({ body }) => (JSON.parse(body) as Named).bot_full_name);
  expect(names).toEqual(['Echo', 'Parrot & Co', 'Parrot & Co']);
  const { queue_id } = registered.body as { readonly queue_id: string };
  const polled = await request(server, bot, ['GET /events', { queue_id, last_event_id: '-1' }]);
  expect(polled.body['events']).toEqual([
    {
      id: 0,
      type: 'realm_user',
      op: 'update',
      person: { user_id: bot.id, full_name: 'Parrot & Co' },
    },
  ]);
});

interface Named {
  readonly bot_full_name: string;
}
