import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';
import { download, upload } from '../uploads/uploads.fixture.ts';

let chat: TestChat;
let open: number;
const ids: Record<string, number> = {};

beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, iago } = chat.people;
  open = await addChannel(chat, { name: 'forum', subscribers: [hamlet], is_web_public: true });
  await addChannel(chat, { name: 'office', subscribers: [hamlet] });
  await addChannel(chat, { name: 'cellar', subscribers: [hamlet], invite_only: true });
  const say = async ({ client }: Person, to: string) =>
    (await client.messages.send({ type: 'channel', to, topic: 'news', content: `from ${to}` })).id;
  for (const name of ['office', 'cellar', 'forum']) ids[name] = await say(hamlet, name);
  const to = [iago.user.id];
  ids['direct'] = (await hamlet.client.messages.send({ type: 'direct', to, content: 'psst' })).id;
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => resetRealmSettings(chat, { enable_spectator_access: true }));

const fetched = (narrow?: object[]) =>
  chat.ask(null, 'GET /messages', {
    anchor: 'newest',
    num_before: '100',
    ...(narrow ? { narrow: JSON.stringify(narrow) } : {}),
  });
const channel = (operand: unknown, operator = 'channel') => ({ operator, operand });

test('a realm without spectator access answers 401 to calls without a login', async () => {
  await resetRealmSettings(chat, {});
  for (const route of ['GET /messages', `GET /messages/${ids['forum']}`, 'POST /register'])
    expect(await chat.ask(null, route, { anchor: 'newest' }), route).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  const { body } = await chat.ask(null, 'GET /server_settings');
  expect(body).toMatchObject({ realm_web_public_access_enabled: false });
});

test('a server with web-public channels switched off has none and admits nobody without a login', async () => {
  await using closed = await startTestChat({ env: { BELLHOP_WEB_PUBLIC_CHANNELS: 'false' } });
  const { desdemona } = closed.people;
  await addChannel(closed, { name: 'old', subscribers: [], is_web_public: true });
  const id = await addChannel(closed, { name: 'office', subscribers: [desdemona] });
  const enabled = await closed.ask(desdemona, 'PATCH /realm', { enable_spectator_access: 'true' });
  expect(enabled.status).toBe(200);
  const web = { is_web_public: 'true' };
  for (const [route, fields] of [
    ['POST /channels/create', { ...web, name: 'new', subscribers: '[]' }],
    [`PATCH /streams/${id}`, web],
  ] as const)
    expect((await closed.ask(desdemona, route, fields)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Web-public channels are not enabled.',
    });
  expect(await closed.ask(null, 'POST /register')).toMatchObject({ status: 401 });
  expect((await closed.ask(null, 'GET /server_settings')).body).toMatchObject({
    realm_web_public_access_enabled: false,
  });
  const { server_web_public_streams_enabled } = await desdemona.client.queues.register({});
  expect(server_web_public_streams_enabled).toBe(false);
});

test('GET /server_settings says whether the realm has spectator access', async () => {
  const { body } = await chat.ask(null, 'GET /server_settings');
  expect(body).toMatchObject({ realm_web_public_access_enabled: true });
});

describe('POST /register without a login', () => {
  test('returns web-public channels and no queue', async () => {
    const { status, body } = await chat.ask(null, 'POST /register');
    expect(status).toBe(200);
    const forum = { stream_id: open, name: 'forum', is_web_public: true };
    expect(body).toMatchObject({
      queue_id: null,
      streams: [forum],
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [forum],
    });
    expect(body['streams']).toHaveLength(1);
    expect(JSON.stringify(body)).not.toMatch(/office|cellar|"subscribers"/);
  });

  test('returns users without addresses, time zones and times of joining', async () => {
    const { body } = await chat.ask(null, 'POST /register');
    const users = body['realm_users'] as Record<string, unknown>[];
    const { id } = chat.people.hamlet.user;
    const record = users.find(({ user_id }) => user_id === id);
    expect(record).toMatchObject({
      full_name: 'Hamlet',
      email: `user${id}@chat.test`,
      delivery_email: null,
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(record).not.toHaveProperty('timezone');
    expect(JSON.stringify(body)).not.toContain('hamlet@');
    expect(body).not.toHaveProperty('user_id');
  });

  test('returns only bots if guests do not see all users either', async () => {
    const groups = { can_access_all_users_group: 'role:members' } as const;
    await resetRealmSettings(chat, { enable_spectator_access: true }, groups);
    const { body } = await chat.ask(null, 'POST /register');
    expect(body).toMatchObject({ realm_users: [], realm_non_active_users: [] });
    const { body: page } = await fetched();
    expect(page).toMatchObject({ messages: [{ sender_full_name: 'Unknown user' }] });
  });
});

describe('GET /messages without a login', () => {
  test('returns the messages of web-public channels, without addresses', async () => {
    for (const narrow of [
      undefined,
      [channel('web-public', 'channels')],
      [channel('forum')],
      [channel(open), channel('news', 'topic')],
      [channel('public', 'channels')],
    ]) {
      const { status, body } = await fetched(narrow);
      expect([status, body['found_newest']]).toEqual([200, true]);
      const { id } = chat.people.hamlet.user;
      expect(body['messages']).toMatchObject([
        {
          id: ids['forum'],
          sender_full_name: 'Hamlet',
          sender_email: `user${id}@chat.test`,
          avatar_url: expect.stringContaining('gravatar'),
          flags: ['read', 'historical'],
        },
      ]);
      expect(JSON.stringify(body)).not.toContain('hamlet@');
    }
  });

  test('answers about other channels as about missing ones', async () => {
    for (const name of ['office', 'cellar', 'nowhere'])
      expect((await fetched([channel(name)])).body).toMatchObject({
        code: 'BAD_NARROW',
        desc: `unknown channel '${name}'`,
      });
    const all = Object.values(ids);
    const { body } = await chat.ask(null, 'GET /messages', { message_ids: JSON.stringify(all) });
    expect(body['messages']).toMatchObject([{ id: ids['forum'] }]);
    expect(body['messages']).toHaveLength(1);
  });

  test('refuses terms about received messages and direct conversations with 401', async () => {
    for (const [operator, operand] of [
      ['is', 'starred'],
      ['is', 'dm'],
      ['dm', [chat.people.hamlet.user.id]],
      ['dm-including', chat.people.hamlet.user.id],
      ['in', 'home'],
    ])
      expect((await fetched([{ operator, operand }])).status).toBe(401);
  });

  test('finds messages by a search', async () => {
    const { body } = await fetched([{ operator: 'search', operand: 'forum' }]);
    expect(body['messages']).toMatchObject([{ id: ids['forum'] }]);
  });
});

test('GET /messages/{id} without a login returns only messages of web-public channels', async () => {
  const { body } = await chat.ask(null, `GET /messages/${ids['forum']}`);
  expect(body).toMatchObject({ raw_content: 'from forum', message: { id: ids['forum'] } });
  for (const name of ['office', 'cellar', 'direct'])
    expect((await chat.ask(null, `GET /messages/${ids[name]}`)).body).toMatchObject({
      msg: 'Invalid message(s)',
    });
});

describe('GET /users/me/{stream_id}/topics without a login', () => {
  const topicsOf = (id: number) => chat.ask(null, `GET /users/me/${id}/topics`);

  test('returns the topics of a web-public channel', async () => {
    expect((await topicsOf(open)).body).toMatchObject({
      topics: [{ name: 'news', max_id: ids['forum'] }],
    });
  });

  test('answers about other channels as about missing ones', async () => {
    const { streams } = await chat.people.hamlet.client.channels.list();
    const hidden = streams.filter(({ name }) => name !== 'forum');
    expect(hidden).toHaveLength(2);
    const missing = await topicsOf(999_999);
    expect(missing).toMatchObject({ status: 400, body: { msg: 'Invalid channel ID' } });
    for (const { stream_id } of hidden)
      expect((await topicsOf(stream_id)).body).toEqual(missing.body);
  });
});

describe('a file without a login', () => {
  const addressIn = async (name: string) => {
    const url = await upload(chat.people.hamlet);
    await linkIn(name, url);
    return url;
  };
  const linkIn = async (to: string, url: string) => {
    const content = `[notes](${url})`;
    const { messages } = chat.people.hamlet.client;
    return (await messages.send({ type: 'channel', to, topic: 'files', content })).id;
  };
  const statusesOf = async (url: string) => [
    (await download(chat, null, url)).status,
    (await chat.ask(null, `GET ${url}`)).status,
  ];

  test('is served if a message of a web-public channel links it', async () => {
    const url = await addressIn('forum');
    expect(await (await download(chat, null, url)).text()).toBe('hello');
    const { body } = await chat.ask(null, `GET ${url}`);
    expect(await (await download(chat, null, String(body['url']))).text()).toBe('hello');
  });

  test('is answered like a missing file if only messages of other channels link it', async () => {
    for (const name of ['office', 'cellar'])
      expect(await statusesOf(await addressIn(name)), name).toEqual([404, 404]);
    expect(await statusesOf(await upload(chat.people.hamlet))).toEqual([404, 404]);
  });

  test('is served no longer after the last such message is deleted', async () => {
    const url = await addressIn('office');
    const message_id = await linkIn('forum', url);
    expect(await statusesOf(url)).toEqual([200, 200]);
    await chat.people.iago.client.messages.remove({ message_id });
    expect(await statusesOf(url)).toEqual([404, 404]);
  });

  test('is served no longer after its message moves to a channel that is not web-public', async () => {
    const url = await upload(chat.people.hamlet);
    const message_id = await linkIn('forum', url);
    const { stream_id } = await chat.people.iago.client.channels.id({ stream: 'office' });
    await chat.people.iago.client.messages.edit({ message_id, stream_id });
    expect(await statusesOf(url)).toEqual([404, 404]);
    expect((await download(chat, chat.people.cordelia, url)).status).toBe(200);
  });

  test('is refused with 401 in a realm without spectator access', async () => {
    const url = await addressIn('forum');
    await resetRealmSettings(chat, {});
    expect(await statusesOf(url)).toEqual([401, 401]);
  });
});
