import { createClient } from '@bellhop/client';
import type { Bot } from '@bellhop/protocol';
import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
let elsewhere: string;
let made = 0;
beforeAll(async () => {
  chat = await startTestChat();
  ({ url: elsewhere } = await chat.anotherNode());
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Creates an outgoing webhook bot. */
async function newBot({ client }: Person) {
  const name = `bot-${++made}`;
  const { user_id, api_key } = await client.bots.create({
    full_name: name,
    short_name: name,
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/hook',
  });
  const email = `${name}-bot@chat.test`;
  const login = (apiKey: string) =>
    [chat.url, elsewhere].map((url) => createClient({ url, email, apiKey }));
  return { bot_id: user_id, api_key, email, login };
}

const registered = async ({ client }: Person, bot_id: number): Promise<Bot | undefined> => {
  const { realm_bots } = await client.queues.register({ fetch_event_types: ['realm_bot'] });
  return realm_bots?.find(({ user_id }) => user_id === bot_id);
};
const keyOf = async (person: Person, bot_id: number) =>
  (await registered(person, bot_id))?.api_key ?? '';

async function expectRejected(clients: ReturnType<typeof createClient>[]) {
  for (const { users } of clients)
    await expect(users.me()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
}

describe('a bot with a higher role than the reader', () => {
  test('has no API key and no token in /register, GET /bots and realm_bot events', async () => {
    const { desdemona, iago } = chat.people;
    const { bot_id } = await newBot(iago);
    const owner = await listen(desdemona, { event_types: ['realm_bot'] });
    const administrator = await listen(iago, { event_types: ['realm_bot'] });
    await desdemona.client.bots.update({ bot_id, role: roles.owner });
    await desdemona.client.bots.regenerateApiKey({ bot_id });
    await desdemona.client.bots.regenerateToken({ bot_id });
    const secret = await registered(desdemona, bot_id);
    expect(secret?.api_key).toMatch(/^\w{32}$/);
    expect(secret?.services).toMatchObject([{ token: expect.stringMatching(/^\w{32}$/) }]);
    const shown = await registered(iago, bot_id);
    expect(shown).not.toHaveProperty('api_key');
    expect(shown?.services).toEqual([{ base_url: 'http://127.0.0.1:9999/hook', interface: 1 }]);
    const { bots } = await iago.client.bots.list();
    expect(bots.find(({ full_name }) => full_name === `bot-${made}`)).not.toHaveProperty('api_key');
    expect(JSON.stringify(await owner.all())).toContain(secret?.api_key);
    expect(await administrator.all()).toMatchObject([
      { type: 'realm_bot', op: 'add', bot: { user_id: bot_id } },
    ]);
    const again = await listen(iago, { event_types: ['realm_bot'] });
    await desdemona.client.bots.regenerateApiKey({ bot_id });
    expect(await again.all()).toEqual([]);
  });

  test('gets no new API key and no new token from the reader', async () => {
    const { desdemona, iago } = chat.people;
    const { bot_id } = await newBot(iago);
    await desdemona.client.bots.update({ bot_id, role: roles.owner });
    const refused = { code: 'UNAUTHORIZED_PRINCIPAL' };
    await expect(iago.client.bots.regenerateApiKey({ bot_id })).rejects.toMatchObject(refused);
    await expect(iago.client.bots.regenerateToken({ bot_id })).rejects.toMatchObject(refused);
  });

  test('has a new API key, so that nobody who read the old one gets the role', async () => {
    const { desdemona, iago, hamlet } = chat.people;
    for (const [creator, promoter, role] of [
      [desdemona, desdemona, roles.owner],
      [hamlet, iago, roles.moderator],
    ] as const) {
      const { bot_id, api_key, login } = await newBot(creator);
      for (const { users } of login(api_key)) await users.me();
      await promoter.client.bots.update({ bot_id, role });
      await expectRejected(login(api_key));
      for (const { users } of login(await keyOf(promoter, bot_id)))
        expect(await users.me()).toMatchObject({ role });
    }
  });
});

test('a bot keeps its API key with a role that all its managers have', async () => {
  const { iago } = chat.people;
  const { bot_id, api_key, login } = await newBot(iago);
  await iago.client.bots.update({ bot_id, role: roles.admin });
  await iago.client.bots.update({ bot_id, role: roles.member });
  for (const { users } of login(api_key)) await users.me();
});

describe('a bot given to another member', () => {
  const say = (to: string) => ({ type: 'channel', to, topic: 'x', content: 'hello' }) as const;

  test('has a new API key, and the old one is rejected everywhere when the response arrives', async () => {
    const { hamlet, cordelia } = chat.people;
    const { bot_id, api_key, login } = await newBot(hamlet);
    for (const { users } of login(api_key)) await users.me();
    await hamlet.client.bots.update({ bot_id, bot_owner_id: cordelia.user.id });
    await expectRejected(login(api_key));
    expect(await registered(hamlet, bot_id)).toBeUndefined();
    for (const { users } of login(await keyOf(cordelia, bot_id))) await users.me();
  });

  test('posts with the permissions of the new owner only if that owner or an administrator agrees', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    await addChannel(chat, { name: 'diary', subscribers: [cordelia], invite_only: true });
    const { bot_id, login } = await newBot(hamlet);
    await hamlet.client.bots.update({ bot_id, bot_owner_id: cordelia.user.id });
    const bot = async () => {
      const [client] = login(await keyOf(cordelia, bot_id));
      if (!client) throw new Error('There is no bot');
      return client;
    };
    const listed = async () =>
      (await (await bot()).channels.list({ include_owner_subscribed: true })).streams;
    await expect((await bot()).messages.send(say('diary'))).rejects.toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
    });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ name: 'diary' }));
    await cordelia.client.bots.update({ bot_id, bot_owner_id: cordelia.user.id });
    await (await bot()).messages.send(say('diary'));
    expect(await listed()).toContainEqual(expect.objectContaining({ name: 'diary' }));
    await cordelia.client.bots.update({ bot_id, bot_owner_id: hamlet.user.id });
    await iago.client.bots.update({ bot_id, bot_owner_id: cordelia.user.id });
    await (await bot()).messages.send(say('diary'));
  });

  test('loses the channels of an owner who is deactivated', async () => {
    const yorick = await chat.addPerson('yorick');
    await addChannel(chat, { name: 'grave', subscribers: [yorick], invite_only: true });
    const { api_key, login } = await newBot(yorick);
    const [client] = login(api_key);
    await client?.messages.send(say('grave'));
    await chat.server.app.db.kysely
      .updateTable('realm_user')
      .set({ is_active: false })
      .where('id', '=', yorick.user.id)
      .execute();
    await expect(client?.messages.send(say('grave'))).rejects.toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
    });
  });
});
