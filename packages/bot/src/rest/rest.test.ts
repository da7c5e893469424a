import { ApiError, api, ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readDelivery } from '../delivery.ts';
import { directMessage, mention } from '../example-payload.fixture.ts';
import { type Conversation, destinationKey, conversationOf } from './conversation.ts';
import { type FakeChat, fakeChat, rateLimited } from './fake-chat.fixture.ts';

const ops: Conversation = { type: 'channel', channelId: ChannelId.parse(3), topic: 'releases' };
const iago: Conversation = { type: 'direct', userIds: [UserId.parse(7)] };
const id = MessageId.parse(101);

let chat: FakeChat;
beforeEach(async () => {
  chat = await fakeChat();
});
afterEach(() => chat[Symbol.asyncDispose]());

test('conversationOf returns the conversation of a delivery, without the bot', () => {
  const conversationIn = (payload: object) => {
    const received = readDelivery(payload);
    if (!received) throw new Error('The payload is malformed');
    return conversationOf(received.delivery);
  };
  expect(conversationIn(mention('hi'))).toEqual(ops);
  expect(conversationIn(directMessage('hi'))).toEqual(iago);
  const alone = directMessage('hi');
  alone.message.display_recipient.shift();
  expect(conversationIn(alone)).toEqual({ type: 'direct', userIds: [9] });
});

test('destinationKey is the same for equal conversations', () => {
  const of = (...ids: number[]): Conversation => ({
    type: 'direct',
    userIds: ids.map((one) => UserId.parse(one)),
  });
  expect(destinationKey(of(10, 9))).toBe(destinationKey(of(9, 10)));
  expect(destinationKey(of(1, 2))).not.toBe(destinationKey(of(12)));
  expect(destinationKey(ops)).toBe(destinationKey({ ...ops, topic: 'Releases' }));
  expect(destinationKey(ops)).not.toBe(destinationKey({ ...ops, topic: 'other' }));
});

test('post, edit, react and remove call the API', async () => {
  const posted = await chat.rest().post('hello', ops);
  await posted.edit('hello there');
  await posted.react('tada');
  await posted.remove();
  expect(posted.id).toBe(101);
  expect(chat.requests.map(({ route, params }) => [route, params])).toEqual([
    [api.messages.send.route, { type: 'channel', to: 3, topic: 'releases', content: 'hello' }],
    [api.messages.edit.route, expect.objectContaining({ message_id: 101, content: 'hello there' })],
    [api.reactions.add.route, { message_id: 101, emoji_name: 'tada' }],
    [api.messages.remove.route, { message_id: 101 }],
  ]);
});

test('post sends a widget with a direct message', async () => {
  const rest = chat.rest();
  await rest.post({ content: 'vote', widget: { widget_type: 'poll' } }, iago);
  await rest.post({ content: 'vote', widget: '{}' }, iago);
  expect(chat.requests.map(({ params }) => params)).toEqual([
    { type: 'direct', to: [7], content: 'vote', widget_content: '{"widget_type":"poll"}' },
    { type: 'direct', to: [7], content: 'vote', widget_content: '{}' },
  ]);
});

test('typing names the conversation, unreact the message', async () => {
  const rest = chat.rest();
  await rest.typing(ops, 'start');
  await rest.typing(iago, 'stop');
  await rest.unreact(id, 'tada');
  expect(chat.requests.map(({ params }) => params)).toEqual([
    { type: 'channel', op: 'start', stream_id: 3, topic: 'releases' },
    { type: 'direct', op: 'stop', to: [7] },
    { message_id: 101, emoji_name: 'tada' },
  ]);
});

test('messages to a conversation keep their order during a rate limit and do not delay others', async () => {
  const waits: number[] = [];
  const released = Promise.withResolvers<void>();
  const rest = chat.rest({
    sleep: async (ms) => {
      waits.push(ms);
      await released.promise;
    },
  });
  chat.intercept(api.messages.send, rateLimited(2));
  const first = rest.post('one', ops);
  const second = rest.post('two', ops);
  await expect.poll(() => waits).toEqual([2000]);
  await rest.post('elsewhere', iago);
  released.resolve();
  await Promise.all([first, second]);
  expect(chat.requests.map(({ params }) => params['content'])).toEqual([
    'one',
    'elsewhere',
    'one',
    'two',
  ]);
  expect(waits).toEqual([2000]);
});

test('a failed message does not block the next one of its conversation', async () => {
  const rest = chat.rest();
  chat.intercept(api.messages.send, () =>
    Promise.reject(new ApiError('STREAM_DOES_NOT_EXIST', { message: 'No such channel' })),
  );
  const sent = await Promise.allSettled([rest.post('one', ops), rest.post('two', ops)]);
  expect(sent).toMatchObject([
    {
      status: 'rejected',
      reason: {
        name: 'BotError',
        code: 'api_rejected',
        message: 'The server refused to send a message: No such channel',
        cause: { code: 'STREAM_DOES_NOT_EXIST' },
      },
    },
    { status: 'fulfilled', value: { id: 101 } },
  ]);
});

test('an unreachable or failing server is api_unreachable, and the message is not sent again', async () => {
  const rest = chat.rest({ sleep: async () => {} });
  chat.intercept(
    api.messages.send,
    async () => {
      chat.cut();
      return {};
    },
    () => Promise.reject(new Error('a bug')),
  );
  await expect(rest.post('one', ops)).rejects.toMatchObject({ code: 'api_unreachable' });
  await expect(rest.post('two', ops)).rejects.toMatchObject({ code: 'api_unreachable' });
  expect(chat.requests).toHaveLength(2);
});

test('an aborted call rejects with the reason of the abort', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await expect(chat.rest().post('one', ops, { signal })).rejects.toBe(reason);
});

test('a user is cached for a minute, a failed lookup is not', async () => {
  let now = 0;
  const rest = chat.rest({ now: () => now });
  const hamlet = {
    user_id: 7,
    email: 'hamlet@chat.test',
    delivery_email: null,
    full_name: 'Hamlet',
    date_joined: '2026-01-01T00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: 400,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
  };
  chat.respond(api.users.get, () => ({ user: hamlet }));
  chat.intercept(api.users.get, () => Promise.reject(new ApiError('BAD_REQUEST')));
  const seven = UserId.parse(7);
  await expect(rest.user(seven)).rejects.toMatchObject({ code: 'api_rejected' });
  const [one, two] = await Promise.all([rest.user(seven), rest.user(seven)]);
  expect(one).toMatchObject({ fullName: 'Hamlet', role: 'member' });
  expect(two).toBe(one);
  now = 59_999;
  await rest.user(seven);
  expect(chat.requests).toHaveLength(2);
  now = 60_000;
  await rest.user(seven);
  expect(chat.requests).toHaveLength(3);
});

test('upload returns a Markdown link with the name of the file', async () => {
  const rest = chat.rest({
    fetch: async (_url, { body } = {}) => {
      const file = body instanceof FormData ? body.get('file') : undefined;
      const filename = file instanceof File ? file.name : 'none';
      return Response.json({ result: 'success', msg: '', url: '/user_uploads/1/x', filename });
    },
  });
  expect(await rest.upload(new File(['x'], 'a [b].txt'))).toEqual({
    url: '/user_uploads/1/x',
    markdown: '[a _b_.txt](/user_uploads/1/x)',
  });
});

test('react succeeds if the reaction exists, and rejects on any other refusal', async () => {
  const rest = chat.rest();
  chat.intercept(
    api.reactions.add,
    () => Promise.reject(new ApiError('REACTION_ALREADY_EXISTS')),
    () => Promise.reject(new ApiError('BAD_REQUEST')),
  );
  await rest.react(id, 'tada');
  await expect(rest.react(id, 'tada')).rejects.toMatchObject({ code: 'api_rejected' });
});

test('user() looks up a mentioned user without an ID by name, and rejects a name that two users have', async () => {
  const named = (user_id: number, full_name: string, is_active = true) => ({
    user_id,
    full_name,
    is_active,
    email: `user${user_id}@chat.test`,
    delivery_email: null,
    date_joined: '2026-01-01T00:00+00:00',
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: 400,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
  });
  const members = [named(7, 'Ann'), named(8, 'Bob'), named(9, 'Bob'), named(10, 'Ann', false)];
  chat.respond(api.users.list, () => ({ members }));
  const rest = chat.rest();
  expect(await rest.user({ fullName: 'Ann', id: undefined })).toMatchObject({ id: 7 });
  for (const fullName of ['Bob', 'Nobody'])
    await expect(rest.user({ fullName, id: undefined })).rejects.toMatchObject({
      code: 'api_rejected',
      message: expect.stringContaining(fullName),
    });
});
