import { ApiError, api, type MessageFlag, thisVersion } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { directMessage, mention } from '../example-payload.fixture.ts';
import { type FakeChat, fakeChat } from '../rest/fake-chat.fixture.ts';
import { plainStore } from '../schedules/plain-store.fixture.ts';
import { listenToQueue, type QueueListener, type QueueOptions } from './queue-transport.ts';

const { register, events, remove } = api.queues;
const person = { user_id: 7, full_name: 'Iago', is_bot: false };
const otherBot = { user_id: 8, full_name: 'Other Bot', is_bot: true };

interface Sent {
  readonly id: number;
  readonly message: object;
  readonly flags: readonly MessageFlag[];
}

/** Scripted messages and event queues of a server. */
function fakeMessages(chat: FakeChat) {
  const sent: Sent[] = [];
  const log: { id: number; type: string; [key: string]: unknown }[] = [];
  let queue = 0;
  let botName = 'Echo Bot';
  let wake = Promise.withResolvers<void>();
  const add = (event: { type: string; [key: string]: unknown }) => {
    log.push({ id: log.length + 1, ...event });
    wake.resolve();
  };
  const user = (one: object) => ({
    email: 'x',
    delivery_email: null,
    date_joined: '',
    is_owner: false,
    is_admin: false,
    is_guest: false,
    role: 400,
    avatar_version: 1,
    ...one,
  });
  chat.respond(api.users.me, () => ({
    ...user({ user_id: 9, email: 'echo-bot@chat.test', full_name: 'Echo Bot', is_bot: true }),
    is_active: true,
    timezone: '',
    avatar_url: '',
    max_message_id: -1,
  }));
  chat.respond(register, () => ({
    queue_id: `q${++queue}`,
    last_event_id: log.length,
    max_message_id: Math.max(-1, ...sent.map(({ id }) => id)),
    realm_users: [
      user(person),
      user(otherBot),
      user({ user_id: 9, full_name: botName, is_bot: true }),
    ],
    ...thisVersion,
  }));
  chat.respond(events, async ({ queue_id, last_event_id }, signal) => {
    for (;;) {
      if (queue_id !== `q${queue}`)
        throw new ApiError('BAD_EVENT_QUEUE_ID', { data: { queue_id } });
      const fresh = log.filter(({ id }) => id > Number(last_event_id));
      if (fresh.length > 0 || signal.aborted) return { queue_id, events: fresh };
      wake = Promise.withResolvers();
      signal.addEventListener('abort', () => wake.resolve());
      await wake.promise;
    }
  });
  chat.respond(api.messages.fetch, ({ anchor, narrow }) => {
    const [term] = narrow as { operand: string }[];
    const matching = sent.filter(({ id, message, flags }) => {
      const isDirect = (message as { type: string }).type === 'private';
      if (id <= Number(anchor)) return false;
      if (term?.operand === 'dm') return isDirect;
      return term === undefined || flags.includes('mentioned');
    });
    // Pages of three messages, so that a fetch needs several.
    return {
      messages: matching.slice(0, 3).map(({ message, flags }) => ({ ...message, flags })),
      found_anchor: false,
      found_oldest: false,
      found_newest: matching.length <= 3,
      history_limited: false,
    };
  });
  chat.respond(api.messages.fetchOne, ({ message_id }) => {
    const one = sent.find(({ id }) => id === message_id);
    if (!one) throw new ApiError('BAD_REQUEST', { message: 'Invalid message(s)' });
    const { content } = one.message as { content: string };
    const message = { ...one.message, content: `<p>${content}</p>`, flags: one.flags };
    return { raw_content: content, message };
  });
  return {
    add,
    rename: (name: string) => void (botName = name),
    drop: () => {
      queue += 1;
      wake.resolve();
    },
    /** Stores a message and adds its event to the queue, unless `silently`. */
    send(id: number, what: Partial<Sent> & { as?: 'mention' | 'direct'; silently?: boolean } = {}) {
      const made = (what.as === 'mention' ? mention : directMessage)(`number ${id}`).message;
      const { rendered_content: _html, ...rest } = made;
      const message = { ...rest, id, ...what.message };
      const flags = what.flags ?? (what.as === 'mention' ? (['mentioned'] as const) : []);
      sent.push({ id, message, flags });
      if (!what.silently) add({ type: 'message', message, flags });
    },
  };
}

let chat: FakeChat;
let server: ReturnType<typeof fakeMessages>;
let listeners: QueueListener[];
beforeEach(async () => {
  chat = await fakeChat();
  server = fakeMessages(chat);
  listeners = [];
});
afterEach(async () => {
  await Promise.all(listeners.map((one) => one.stop()));
  await chat[Symbol.asyncDispose]();
});

/** Starts a listener. `ids(n)` waits for n deliveries and returns their message IDs. */
async function startListener(
  options: Partial<QueueOptions> = {},
  handle: (delivery: Delivery) => unknown = () => undefined,
) {
  const arrived: Delivery[] = [];
  const errors: unknown[] = [];
  let news = Promise.withResolvers<void>();
  const listener = await listenToQueue(
    {
      client: chat.rest({ sleep: async () => {} }).client,
      onError: (error) => errors.push(error),
      ...options,
    },
    (delivery) => {
      arrived.push(delivery);
      news.resolve();
      return handle(delivery);
    },
  );
  listeners.push(listener);
  const ids = async (count: number) => {
    while (arrived.length < count) {
      news = Promise.withResolvers();
      await news.promise;
    }
    return arrived.map(({ message }) => message.id);
  };
  return { listener, arrived, errors, ids };
}

test('with `rendered: false`, messages arrive without HTML, and no request fetches it', async () => {
  const { arrived, ids } = await startListener({ rendered: false });
  server.send(50, { as: 'mention' });
  await ids(1);
  expect(arrived).toMatchObject([{ message: { content: 'number 50', renderedContent: '' } }]);
  expect(chat.requests.map(({ route }) => route)).not.toContain(api.messages.fetchOne.route);
});

test('direct messages and mentions arrive as the deliveries of a webhook', async () => {
  const { arrived, ids, listener } = await startListener();
  expect(listener.bot).toMatchObject({ id: 9, fullName: 'Echo Bot' });
  server.send(50, { as: 'mention' });
  server.send(51);
  expect(await ids(2)).toEqual([50, 51]);
  expect(arrived).toMatchObject([
    {
      trigger: 'mention',
      botEmail: 'echo-bot@chat.test',
      botFullName: 'Echo Bot',
      message: {
        content: 'number 50',
        renderedContent: '<p>number 50</p>',
        channel: { id: 3, name: 'ops' },
        topic: 'releases',
        sender: { id: 7, email: 'iago@chat.test', fullName: 'Iago' },
      },
    },
    { trigger: 'direct_message', message: { recipients: [{ id: 7 }, { id: 9 }] } },
  ]);
});

test('plain messages, wildcard mentions and messages of bots are not delivered', async () => {
  const { ids } = await startListener();
  server.send(50, { as: 'mention', flags: [] });
  server.send(51, { as: 'mention', flags: ['stream_wildcard_mentioned'] });
  server.send(52, { message: { sender_id: 8 } });
  server.send(53, { message: { sender_id: 9 } });
  server.add({ type: 'realm_user', op: 'add', person: { ...otherBot, user_id: 10 } });
  server.send(54, { message: { sender_id: 10 } });
  server.send(55);
  expect(await ids(1)).toEqual([55]);
});

test('onEachMessage is called once for each message', async () => {
  const each: number[] = [];
  const { ids } = await startListener({ onEachMessage: ({ message }) => each.push(message.id) });
  server.send(50, { as: 'mention', flags: [] });
  server.send(51, { message: { sender_id: 9 } });
  server.send(52);
  await ids(1);
  server.send(53, { as: 'mention', flags: [], silently: true });
  server.drop();
  server.send(54);
  expect(await ids(2)).toEqual([52, 54]);
  expect(each).toEqual([50, 51, 52, 53, 54]);
});

test('after a dropped queue and failing requests each message is delivered once', async () => {
  const { ids } = await startListener();
  server.send(50);
  await ids(1);
  chat.intercept(
    api.messages.fetch,
    () => Promise.reject(new Error('a bug')),
    async () => {
      chat.cut();
      return {};
    },
  );
  server.drop();
  for (let id = 51; id < 60; id++)
    server.send(id, { silently: true, as: id % 2 ? 'mention' : 'direct' });
  server.send(60);
  expect(await ids(11)).toEqual(Array.from({ length: 11 }, (_, index) => 50 + index));
});

test('a message from both the fetch and the queue is delivered once', async () => {
  const { ids } = await startListener();
  server.send(50);
  await ids(1);
  // Message 51 appears after the registration, with a lower ID than the newest message then.
  chat.intercept(events, async () => {
    server.drop();
    server.send(52, { silently: true });
    return Promise.reject(new ApiError('BAD_EVENT_QUEUE_ID', { data: { queue_id: 'q1' } }));
  });
  chat.intercept(api.messages.fetch, async () => {
    server.send(51);
    return Promise.reject(new Error('asked again'));
  });
  server.send(53, { as: 'mention', flags: [] });
  expect(await ids(3)).toEqual([50, 51, 52]);
  server.send(54);
  expect(await ids(4)).toEqual([50, 51, 52, 54]);
});

test('after a restart a bot with a store gets missed messages, one without gets only new ones', async () => {
  const store = plainStore();
  server.send(40, { silently: true });
  const first = await startListener({ store });
  server.send(50);
  await first.ids(1);
  await first.listener.stop();
  server.send(51, { silently: true });
  server.send(52, { silently: true, as: 'mention' });
  const second = await startListener({ store });
  expect(await second.ids(2)).toEqual([51, 52]);
  const withoutStore = await startListener();
  server.send(53);
  expect(await withoutStore.ids(1)).toEqual([53]);
});

test('an unhandled message of a shutdown is delivered again, a failed one is not', async () => {
  const store = plainStore();
  const first = await startListener({ store }, ({ message }) => {
    if (message.id === 50) throw new Error('broken');
    throw new BotError('shutting_down', 'later');
  });
  server.send(50);
  server.send(51);
  await first.ids(2);
  await first.listener.stop();
  expect(first.errors).toMatchObject([{ message: 'broken' }]);
  const second = await startListener({ store });
  expect(await second.ids(1)).toEqual([51]);
});

test('the bot of a delivery has its current name, also after a renewed registration', async () => {
  const { arrived, ids, listener } = await startListener();
  server.add({ type: 'realm_user', op: 'update', person: { user_id: 9, full_name: 'After' } });
  server.add({ type: 'realm_user', op: 'update', person: { user_id: 7, full_name: 'Iago 2' } });
  server.send(50, { as: 'mention' });
  await ids(1);
  expect(arrived[0]).toMatchObject({ botFullName: 'After', botUserId: 9 });
  server.rename('Later');
  server.drop();
  server.send(51, { as: 'mention', silently: true });
  await ids(2);
  expect(arrived[1]).toMatchObject({ botFullName: 'Later', botUserId: 9 });
  expect(listener.bot.fullName).toBe('Later');
});

test('a slow handler does not delay the next message, and stop() waits for it', async () => {
  const slow = Promise.withResolvers<void>();
  const { ids, listener } = await startListener({}, ({ message }) =>
    message.id === 50 ? slow.promise : undefined,
  );
  server.send(50);
  server.send(51);
  expect(await ids(2)).toEqual([50, 51]);
  let stopped = false;
  const stopping = listener.stop().then(() => (stopped = true));
  await listener.ended;
  expect(stopped).toBe(false);
  slow.resolve();
  await stopping;
  expect(chat.requests.some(({ route }) => route === remove.route)).toBe(true);
});

test('a message that is deleted before its HTML is fetched is delivered without HTML', async () => {
  const { arrived, ids } = await startListener();
  chat.intercept(api.messages.fetchOne, () => Promise.reject(new ApiError('BAD_REQUEST')));
  server.send(50);
  await ids(1);
  expect(arrived[0]?.message).toMatchObject({ content: 'number 50', renderedContent: '' });
});

test('a store that fails to write is reported, and messages are delivered', async () => {
  const store = plainStore();
  const { ids, errors, listener } = await startListener({ store });
  store.fail(1);
  server.send(50);
  server.send(51);
  await ids(2);
  await listener.stop();
  expect(errors).toMatchObject([{ message: 'store is down' }]);
});

test('a refused API key ends the listener and is reported', async () => {
  const { listener, errors } = await startListener();
  chat.intercept(events, () => Promise.reject(new ApiError('USER_DEACTIVATED')));
  server.drop();
  chat.intercept(register, () => Promise.reject(new ApiError('INVALID_API_KEY')));
  await expect(listener.ended).rejects.toBeInstanceOf(ApiError);
  expect(errors).toHaveLength(1);
  chat.intercept(api.users.me, () => Promise.reject(new ApiError('INVALID_API_KEY')));
  await expect(startListener()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
});
