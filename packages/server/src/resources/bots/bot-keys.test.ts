import { createClient } from '@bellhop/client';
import { type Role, roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat, type TestNode } from '../../test-chat.fixture.ts';
import { addChannel, addWebhookBot, startReceiver } from '../webhooks/webhooks.fixture.ts';

let chat: TestChat;
let node: TestNode;
let elsewhere: string;
let now = 1_800_000_000;
let made = 0;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now, keepUsersMs: 1000 });
  node = await chat.anotherNode();
  elsewhere = node.url;
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Creates a bot that both nodes have in their cache of logins. */
async function busyBot() {
  const short_name = `busy-${++made}`;
  const { hamlet } = chat.people;
  const { user_id, api_key } = await hamlet.client.bots.create({
    full_name: short_name,
    short_name,
  });
  const login = (apiKey: string) => {
    const email = `${short_name}-bot@chat.test`;
    return [chat.url, elsewhere].map((url) => createClient({ url, email, apiKey }));
  };
  const clients = login(api_key);
  await Promise.all(clients.map(({ users }) => users.me()));
  return { bot_id: user_id, api_key, clients, login };
}
const outcomes = async (clients: Awaited<ReturnType<typeof busyBot>>['clients']) =>
  (await Promise.allSettled(clients.map(({ users }) => users.me()))).map((one) =>
    one.status === 'fulfilled' ? 'let in' : (one.reason as { code: string }).code,
  );

test('after a bot gets a new API key every node rejects the old one', async () => {
  const { hamlet } = chat.people;
  const { bot_id, api_key, clients, login } = await busyBot();
  const fresh = await hamlet.client.bots.regenerateApiKey({ bot_id });
  expect(await outcomes(clients)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  expect(fresh.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(fresh.api_key).not.toBe(api_key);
  expect(await outcomes(login(fresh.api_key))).toEqual(['let in', 'let in']);
  const { bots } = await hamlet.client.bots.list();
  expect(bots.find(({ full_name }) => full_name === `busy-${made}`)?.api_key).toBe(fresh.api_key);
});

test('a new API key ends polls that started with the old one', async () => {
  const { bot_id, clients, login } = await busyBot();
  const polls = await Promise.all(
    clients.map(async ({ queues }) => {
      const { queue_id, last_event_id } = await queues.register({ event_types: ['message'] });
      if (queue_id === null) throw new Error('no queue');
      return { queue_id, poll: queues.events({ queue_id, last_event_id }) };
    }),
  );
  for (const { server } of [chat, node]) await expect.poll(() => server.app.queues.waiting).toBe(1);
  const { api_key } = await chat.people.hamlet.client.bots.regenerateApiKey({ bot_id });
  for (const { poll } of polls) expect((await poll).events).toEqual([]);
  const [client] = login(api_key);
  await expect(
    client?.queues.events({ queue_id: polls[0]?.queue_id ?? '', last_event_id: 0 }),
  ).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});

test('people may regenerate their own API key, bots may not', async () => {
  const rosa = await chat.addPerson('rosa');
  const { api_key } = await rosa.client.accounts.regenerateApiKey();
  await expect(rosa.client.users.me()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  const renewed = createClient({ url: elsewhere, email: rosa.email, apiKey: api_key });
  expect(await renewed.users.me()).toMatchObject({ full_name: 'Rosa' });
  const { clients } = await busyBot();
  await expect(clients[0]?.accounts.regenerateApiKey()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('a deactivated bot is rejected at once and no longer counts as a subscriber', async () => {
  const { hamlet } = chat.people;
  const { bot_id, clients, api_key } = await busyBot();
  await addChannel(chat, 'verona', [hamlet, { user: { ...hamlet.user, id: bot_id } }]);
  await hamlet.client.bots.deactivate({ bot_id });
  expect(await outcomes(clients)).toEqual(['USER_DEACTIVATED', 'USER_DEACTIVATED']);
  const { subscriptions } = await hamlet.client.queues.register({ include_subscribers: true });
  expect(subscriptions?.find(({ name }) => name === 'verona')?.subscribers).not.toContain(bot_id);
  expect((await hamlet.client.bots.list()).bots).not.toContainEqual(
    expect.objectContaining({ api_key }),
  );
  expect(await hamlet.client.bots.deactivate({ bot_id })).toEqual({});
});

test('after its owner gets a lower role than the bot every node rejects the old API key', async () => {
  const owner = await chat.addPerson(`owner-${++made}`, roles.admin);
  const botOf = async (role: Role) => {
    const name = `ranked-${++made}`;
    const created = await owner.client.bots.create({ full_name: name, short_name: name });
    await owner.client.bots.update({ bot_id: created.user_id, role });
    const email = `${name}-bot@chat.test`;
    return createClient({ url: elsewhere, email, apiKey: created.api_key });
  };
  const clients = [await botOf(roles.admin), await botOf(roles.member)];
  expect(await outcomes(clients)).toEqual(['let in', 'let in']);
  const { desdemona } = chat.people;
  await desdemona.client.users.update({ user_id: owner.user.id, role: roles.member });
  expect(await outcomes(clients)).toEqual(['UNAUTHORIZED', 'let in']);
});

test('deliveries carry a new token at once, or after keep_old_seconds', async () => {
  await using receiver = await startReceiver();
  const { hamlet } = chat.people;
  const bot = await addWebhookBot(chat, receiver.url);
  const carried = async () => {
    const { client } = hamlet;
    await client.messages.send({ type: 'direct', to: [bot.user_id], content: 'hi' });
    return (JSON.parse((await receiver.next()).body) as { token: string }).token;
  };
  const renew = async (keep_old_seconds: number) =>
    (await hamlet.client.bots.regenerateToken({ bot_id: bot.user_id, keep_old_seconds })).token;
  expect(await carried()).toBe(bot.token);
  const second = await renew(0);
  expect(await carried()).toBe(second);
  const third = await renew(3600);
  expect(await carried()).toBe(second);
  now += 3599;
  expect(await carried()).toBe(second);
  const fourth = await renew(10);
  expect(await carried()).toBe(second);
  now += 10;
  expect(await carried()).toBe(fourth);
  const fifth = await renew(3600);
  expect(await renew(0)).toSatisfy((token) => ![third, fifth].includes(token as string));
  expect([second, third, fourth, fifth]).not.toContain(await carried());
});

test('a new token is rejected for an invalid keep_old_seconds and for a bot without a webhook', async () => {
  const { hamlet } = chat.people;
  const { bot_id } = await busyBot();
  await expect(hamlet.client.bots.regenerateToken({ bot_id })).rejects.toMatchObject({
    message: /not an outgoing webhook bot/,
  });
  for (const keep_old_seconds of [-1, 604_801])
    await expect(
      hamlet.client.bots.regenerateToken({ bot_id, keep_old_seconds }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('the owner gets a new API key and a new token decrypted in an event', async () => {
  const { hamlet } = chat.people;
  const name = `told-${++made}`;
  const { user_id: bot_id } = await hamlet.client.bots.create({
    full_name: name,
    short_name: name,
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/',
  });
  const { queue_id, last_event_id } = await hamlet.client.queues.register({
    event_types: ['realm_bot'],
  });
  const { api_key } = await hamlet.client.bots.regenerateApiKey({ bot_id });
  const { token } = await hamlet.client.bots.regenerateToken({ bot_id, keep_old_seconds: 60 });
  const { events } = await hamlet.client.queues.events({
    queue_id: queue_id ?? '',
    last_event_id,
    dont_block: true,
  });
  expect(events).toMatchObject([
    { op: 'update', bot: { user_id: bot_id, api_key } },
    { op: 'update', bot: { user_id: bot_id, services: [{ token }] } },
  ]);
});
