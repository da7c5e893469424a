import { attemptsOf } from '@bellhop/jobs';
import { type Message, WebhookPayload } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { signatureHeaders } from '../../model/bots/webhook-request.ts';
import { flagBits } from '../../model/messages/read/flags.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import {
  addChannel,
  addWebhookBot,
  deliveries,
  inboxOf,
  startReceiver,
  status,
} from './webhooks.fixture.ts';

let chat: TestChat;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let echo: Awaited<ReturnType<typeof addWebhookBot>>;
let slack: Awaited<ReturnType<typeof addWebhookBot>>;
let owner: Awaited<ReturnType<typeof inboxOf>>;
let other: Awaited<ReturnType<typeof inboxOf>>;

beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_WEBHOOK_RETRY: 'none' } });
  receiver = await startReceiver();
  echo = await addWebhookBot(chat, receiver.url);
  slack = await addWebhookBot(chat, receiver.url, {
    full_name: 'Slacker',
    short_name: 'slacker',
    interface_type: 2,
  });
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, 'open', [hamlet, cordelia]);
  await addChannel(chat, 'closed', [cordelia], { invite_only: true });
  owner = await inboxOf(hamlet);
  other = await inboxOf(cordelia);
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await owner.rest();
  await other.rest();
  receiver.forget();
});

const mention = (to: string, content = '@**Echo** hi', topic = 'greetings') =>
  chat.people.cordelia.client.messages.send({ type: 'channel', to, topic, content });
const direct = (to: readonly number[], content = 'hi') =>
  chat.people.cordelia.client.messages.send({ type: 'direct', to: [...to], content });

/** Waits until the delivery of a message has ended. */
async function ended(message_id: number) {
  const find = async () =>
    (await deliveries(chat)).find(({ payload }) => payload['message_id'] === message_id);
  await expect.poll(async () => (await find())?.state).toMatch(/^(done|dead)$/);
  const delivery = await find();
  if (!delivery) throw new Error('no delivery');
  const attempts = await attemptsOf(chat.server.app.db.kysely, delivery.id);
  return { ...delivery, attempts };
}
const flagsOf = async (message_id: number, user_id: number) =>
  (
    await chat.server.app.db.kysely
      .selectFrom('user_message')
      .select('flags')
      .where('user_id', '=', user_id as never)
      .where('message_id', '=', message_id as never)
      .executeTakeFirst()
  )?.flags;

test('a channel message is delivered as the specified payload with a signature', async () => {
  receiver.answer('{"content":"hello *there*"}');
  const { id } = await mention('open', '@**Echo** good **morning**', '');
  const request = await receiver.next();
  const raw = JSON.parse(request.body) as Record<string, unknown>;
  const payload = WebhookPayload.parse(raw);
  expect(Object.keys(raw).toSorted()).toEqual(
    ['bot_email', 'bot_full_name', 'data', 'message', 'token', 'trigger'].toSorted(),
  );
  expect(payload).toMatchObject({
    bot_email: 'echo-bot@chat.test',
    bot_full_name: 'Echo',
    data: '@**Echo** good **morning**',
    token: echo.token,
    trigger: 'mention',
    message: {
      id,
      type: 'stream',
      display_recipient: 'open',
      subject: '',
      content: '@**Echo** good **morning**',
      content_type: 'text/x-markdown',
      rendered_content: expect.stringContaining('<strong>morning</strong>') as unknown,
      sender_email: 'cordelia@chat.test',
      sender_full_name: 'Cordelia',
      sender_id: chat.people.cordelia.user.id,
      sender_realm_str: '',
      avatar_url: expect.stringMatching(/^https:/) as unknown,
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
      flags: [],
    },
  });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^BellhopOutgoingWebhook\//) as unknown,
    'webhook-attempt': '1',
  });
  const delivery = await ended(id);
  const timestamp = Number(request.headers['webhook-timestamp']);
  expect(request.headers).toMatchObject(
    signatureHeaders(echo.token, { id: delivery.id, timestamp, body: request.body }),
  );
  expect((await owner.next()).id).toBe(id);
  expect(await owner.next()).toMatchObject({
    sender_email: 'echo-bot@chat.test',
    content: 'hello *there*',
    display_recipient: 'open',
    subject: '',
    client: 'OutgoingWebhookResponse',
  });
  expect(delivery).toMatchObject({ state: 'done', reason: null });
  expect(delivery.attempts).toMatchObject([{ outcome: 'done' }]);
  expect(await owner.rest()).toEqual([]);
});

test('the payload of a direct message lists all participants, and the reply goes to all of them', async () => {
  receiver.answer('{"content":"to all"}');
  const { hamlet, cordelia } = chat.people;
  const { id } = await direct([hamlet.user.id, echo.user_id]);
  const payload = WebhookPayload.parse(JSON.parse((await receiver.next()).body));
  expect(payload.trigger).toBe('direct_message');
  expect(payload.message).toMatchObject({ id, type: 'private', subject: '' });
  const people = [hamlet.user.id, cordelia.user.id, echo.user_id];
  const idsOf = ({ display_recipient: to }: Pick<Message, 'display_recipient'>) =>
    typeof to === 'string' ? [] : to.map((person) => person.id).toSorted((a, b) => a - b);
  expect(idsOf(payload.message)).toEqual(people.toSorted((a, b) => a - b));
  for (const inbox of [owner, other]) {
    expect((await inbox.next()).id).toBe(id);
    const reply = await inbox.next();
    expect(reply).toMatchObject({ content: 'to all', sender_id: echo.user_id });
    expect(idsOf(reply)).toEqual(people.toSorted((a, b) => a - b));
  }
});

test('a mentioned bot may reply in a private channel without a subscription', async () => {
  receiver.answer('{"response_string":"psst"}');
  const { id } = await mention('closed', '@**Echo** psst');
  await receiver.next();
  expect((await other.next()).id).toBe(id);
  expect(await other.next()).toMatchObject({
    content: 'psst',
    display_recipient: 'closed',
    subject: 'greetings',
  });
});

test('the payload has the widget of a message, and the reply may start one', async () => {
  const widget_content = '{"widget_type":"poll","extra_data":{"question":"Milk?"}}';
  receiver.answer(JSON.stringify({ content: 'Milk?', widget_content }));
  const { id } = await mention('open', '/poll Tea, @**Echo**?');
  const { message } = WebhookPayload.parse(JSON.parse((await receiver.next()).body));
  const widget = { message_id: id, sender_id: message.sender_id, msg_type: 'widget' };
  expect(message.submessages).toMatchObject([widget]);
  expect((await other.next()).submessages).toEqual(message.submessages);
  const reply = await other.next();
  expect(reply).toMatchObject({
    content: 'Milk?',
    submessages: [{ msg_type: 'widget', sender_id: echo.user_id, content: widget_content }],
  });
});

test.each([
  ['an empty object', '{}'],
  ['response_not_required', '{"response_not_required":true,"content":"no"}'],
  ['a blank reply', '{"content":"  "}'],
  ['an empty JSON string', '""'],
])('the response %s sends no reply', async (_case, body) => {
  receiver.answer(status(202, body, { 'content-type': 'text/html' }));
  const { id } = await direct([echo.user_id]);
  await receiver.next();
  expect(await ended(id)).toMatchObject({ state: 'done', reason: null });
  expect((await other.rest()).map((message) => message.id)).toEqual([id]);
  expect(await owner.rest()).toEqual([]);
});

test('the message is marked as read by the bot after its delivery', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<{ end: (body: string) => void }>();
  receiver.answer(hold);
  const { id } = await direct([echo.user_id]);
  const response = await held;
  expect(await flagsOf(id, echo.user_id)).toBe(0);
  response.end('{}');
  await ended(id);
  expect(await flagsOf(id, echo.user_id)).toBe(flagBits.read);
  receiver.answer(status(500));
  const failed = await direct([echo.user_id]);
  await ended(failed.id);
  expect(await flagsOf(failed.id, echo.user_id)).toBe(flagBits.read);
  expect((await flagsOf(id, chat.people.cordelia.user.id)) ?? 0).toBe(0);
});

test.each([
  ['a redirect', status(302, 'moved', { location: 'http://127.0.0.1:1/x' }), /status 302/, /\/x/],
  ['not found', status(404, 'no such page'), /status 404/, /no such page/],
  ['a proxy that refuses', status(407, 'denied'), /status 407: a proxy/, /denied/],
  ['an error of the bot', status(500, 'Traceback'), /status 500/, /Traceback/],
  ['too much to do', status(429, 'later'), /status 429/, /later/],
  ['an outage', status(503, 'down', { 'retry-after': '3600' }), /status 503/, /down/],
  ['text', 'hello', /not valid JSON/, /hello/],
  ['nothing', '', /not valid JSON/, /JSON/],
  ['a list', '["hello"]', /not a JSON object/, /\["hello"\]/],
  ['a bad widget', '{"content":"x","widget_content":"{"}', /widget_content/, /widget/],
  ['a null byte', '{"content":"a\\u0000b"}', /refused.*null/, /content/],
  ['a group out of reach', '{"content":"@*role:nobody*"}', /refused.*not allowed/, /nobody/],
  ['a long answer', 'x'.repeat(70_000), /longer than 65536/, /xxx/],
  ['a fence in the answer', status(500, '```\n@**all**\n```'), /status 500/, /\n````\n/],
] as const)(
  'the response %s sends a failure notice to the conversation and details to the owner',
  async (_case, answer, reason, excerpt) => {
    receiver.answer(answer);
    const { id } = await mention('open');
    await receiver.next();
    expect((await other.next()).id).toBe(id);
    const note = await other.next();
    expect(note).toMatchObject({
      sender_id: echo.user_id,
      subject: 'greetings',
      client: 'OutgoingWebhookResponse',
      content: expect.stringMatching(/^Failure! /) as unknown,
    });
    expect(note.content).toMatch(reason);
    expect(note.content).not.toMatch(/Traceback|no such page|hello/);
    await owner.next();
    await owner.next();
    const notice = await owner.next();
    expect(notice).toMatchObject({ type: 'private', sender_id: echo.user_id });
    expect(notice.content).toContain(`@_**Echo|${echo.user_id}**`);
    expect(notice.content).toMatch(
      new RegExp(`\\(http://chat\\.test/#narrow/channel/\\d+-open/topic/greetings/near/${id}\\)`),
    );
    expect(notice.content).toMatch(reason);
    expect(notice.content).toMatch(excerpt);
    const { state, attempts } = await ended(id);
    expect({ state, attempts: attempts.length }).toEqual({
      state: reason.source.startsWith('refused') ? 'done' : 'dead',
      attempts: 1,
    });
    expect(await other.rest()).toEqual([]);
    expect(await owner.rest()).toEqual([]);
  },
);

test('the token is redacted from the notices', async () => {
  receiver.answer((response, { body }) => response.writeHead(500).end(body));
  const { id } = await direct([echo.user_id]);
  await receiver.next();
  await ended(id);
  const [notice] = await owner.rest();
  expect(notice?.content).toContain('[redacted]');
  expect(notice?.content).not.toContain(echo.token);
});

test('a long reply is truncated like every message', async () => {
  receiver.answer(JSON.stringify({ content: 'y'.repeat(12_000) }));
  await direct([echo.user_id]);
  await receiver.next();
  await other.next();
  const { content } = await other.next();
  expect(content).toHaveLength(10_000);
  expect(content.endsWith('[message truncated]')).toBe(true);
});

test('a Slack-compatible webhook gets a form', async () => {
  receiver.answer('{"text":"from slack"}');
  const { id } = await mention('open', '@**Slacker** /deploy & go');
  const request = await receiver.next();
  expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
  const form = Object.fromEntries(new URLSearchParams(request.body));
  expect(form).toEqual({
    token: slack.token,
    team_id: `T${chat.realm.id}`,
    team_domain: 'chat.test',
    channel_id: expect.stringMatching(/^C\d+$/) as unknown,
    channel_name: 'open',
    thread_ts: expect.stringMatching(/^\d+$/) as unknown,
    timestamp: form['thread_ts'],
    user_id: `U${chat.people.cordelia.user.id}`,
    user_name: 'Cordelia',
    text: '@**Slacker** /deploy & go',
    trigger_word: 'mention',
    service_id: String(slack.user_id),
  });
  expect((await other.next()).id).toBe(id);
  expect((await other.next()).content).toBe('from slack');
});

test('a direct message to a Slack-compatible bot gets a failure notice', async () => {
  const before = receiver.received.length;
  const { id } = await direct([slack.user_id]);
  expect((await other.next()).id).toBe(id);
  expect((await other.next()).content).toMatch(/^Failure! .*direct messages/);
  await ended(id);
  expect(receiver.received).toHaveLength(before);
  expect(await owner.rest()).toEqual([]);
});

test('the notice about a forbidden host name does not show its address', async () => {
  const inside = await addWebhookBot(chat, 'http://10.1.2.3/hook', {
    full_name: 'Insider',
    short_name: 'insider',
  });
  await direct([inside.user_id]);
  await other.next();
  expect((await other.next()).content).toMatch(/^Failure! .*not on the public internet/);
  const { content } = await owner.next();
  expect(content).toContain('not on the public internet');
  expect(content).not.toContain('10.1.2.3');
});

test('in a channel archived in the meantime only the owner gets a notice', async () => {
  const channel = await addChannel(chat, 'passing', [chat.people.cordelia]);
  await other.rest();
  const { kysely } = chat.server.app.db;
  receiver.answer((response) => {
    void kysely
      .updateTable('channel')
      .set({ is_archived: true })
      .where('id', '=', channel)
      .execute()
      .then(() => response.end('{"content":"too late"}'));
  });
  const { id } = await mention('passing');
  await receiver.next();
  expect((await owner.next()).content).toMatch(/refused: The channel is archived/);
  expect((await other.rest()).map((message) => message.id)).toEqual([id]);
});

test('a deleted message or a deactivated bot ends the delivery without a failure', async () => {
  receiver.answer('{"content":"never"}');
  const { kysely } = chat.server.app.db;
  const before = receiver.received.length;
  const bot = await addWebhookBot(chat, receiver.url, { full_name: 'Brief', short_name: 'brief' });
  const payload = {
    realm_id: chat.realm.id,
    message_id: 999_999,
    service_id: 1,
    trigger: 'mention',
  };
  const { webhookDelivery } = await import('../../model/bots/webhook-delivery.ts');
  await chat.server.app.change(chat.realm, ({ enqueue }) =>
    enqueue(webhookDelivery, webhookDelivery.payload.parse(payload)),
  );
  expect(await ended(999_999)).toMatchObject({ state: 'done' });
  const { id } = await chat.server.app.change(chat.realm, async ({ db }) => {
    await db
      .updateTable('realm_user')
      .set({ is_active: false })
      .where('id', '=', bot.user_id)
      .execute();
    return db.selectFrom('message').select('id').limit(1).executeTakeFirstOrThrow();
  });
  const { id: service_id } = await kysely
    .selectFrom('bot_service')
    .select('id')
    .where('user_id', '=', bot.user_id)
    .executeTakeFirstOrThrow();
  const jobId = await chat.server.app.change(chat.realm, ({ enqueue }) =>
    enqueue(webhookDelivery, {
      realm_id: chat.realm.id,
      message_id: id,
      service_id,
      trigger: 'mention',
      owner_id: null,
    }),
  );
  await expect
    .poll(async () => (await deliveries(chat)).find((one) => one.id === jobId)?.state)
    .toBe('done');
  expect(receiver.received).toHaveLength(before);
});
