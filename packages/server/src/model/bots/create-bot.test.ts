import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  addChannel as addPlainChannel,
  groupOf,
} from '../../resources/channels/channels.fixture.ts';
import { listen } from '../../resources/queues/listen.fixture.ts';
import { addChannel } from '../../resources/webhooks/webhooks.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { botsManagedBy } from './bot-record.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const webhook = { bot_type: '3', payload_url: 'http://127.0.0.1:9999/hook' };
const create = (person: Person, fields: Record<string, string>) =>
  chat.ask(person, 'POST /bots', { full_name: 'Robot', short_name: 'robot', ...fields });

const listening = async (person: Person, event_types: string[], client_gravatar = false) =>
  (await listen(person, { event_types, client_gravatar })).all;

test('a new outgoing webhook bot is announced and listed', async () => {
  const { hamlet, iago, cordelia } = chat.people;
  const eventsOf = await Promise.all(
    [hamlet, iago, cordelia].map((person) => listening(person, ['realm_user', 'realm_bot'])),
  );
  const computing = await listening(cordelia, ['realm_user'], true);
  const { status, body } = await create(hamlet, {
    ...webhook,
    full_name: 'Welcome Robot',
    short_name: 'welcome.robot',
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      result: 'success',
      user_id: expect.any(Number),
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  });
  expect(body).not.toHaveProperty('token');
  const email = 'welcome.robot-bot@chat.test';
  const [own = [], admins = [], others = []] = await Promise.all(eventsOf.map((read) => read()));
  expect(own.map((event) => event.type)).toEqual(['realm_user', 'realm_bot']);
  expect(own[0]).toMatchObject({
    op: 'add',
    person: {
      user_id: body['user_id'],
      email,
      is_bot: true,
      bot_type: 3,
      role: 400,
      is_active: true,
    },
  });
  expect(own[1]).toMatchObject({
    op: 'add',
    bot: {
      user_id: body['user_id'],
      email,
      api_key: body['api_key'],
      owner_id: hamlet.user.id,
      services: [
        {
          base_url: webhook.payload_url,
          interface: 1,
          token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        },
      ],
    },
  });
  expect(admins.map((event) => event.type)).toEqual(['realm_user', 'realm_bot']);
  expect(others.map((event) => event.type)).toEqual(['realm_user']);
  expect(others[0]).toMatchObject({ person: { avatar_url: body['avatar_url'] } });
  expect((await computing())[0]).toMatchObject({ person: { avatar_url: null } });

  const { body: listed } = await chat.ask(hamlet, 'GET /bots');
  expect(listed['bots']).toEqual([
    {
      username: email,
      full_name: 'Welcome Robot',
      api_key: body['api_key'],
      avatar_url: body['avatar_url'],
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  ]);
  expect((await chat.ask(cordelia, 'GET /bots')).body['bots']).toEqual([]);

  const { app } = chat.server;
  const inside = { realm: chat.realm, secrets: app.secrets };
  const records = (person: Person) => botsManagedBy(app.db.kysely, inside, person.user);
  expect(await records(cordelia)).toEqual([]);
  expect(await records(iago)).toEqual([(own[1] as { bot?: unknown }).bot]);
});

test('keys and tokens are encrypted in the database, also in events', async () => {
  const { body } = await create(chat.people.hamlet, {
    ...webhook,
    full_name: 'Sealed',
    short_name: 'sealed',
  });
  const { app } = chat.server;
  const records = await botsManagedBy(
    app.db.kysely,
    { realm: chat.realm, secrets: app.secrets },
    chat.people.hamlet.user,
  );
  const record = records.find(({ user_id }) => user_id === body['user_id']);
  const [service] = record?.services ?? [];
  const token = service && 'token' in service ? service.token : '';
  expect(token).toHaveLength(32);
  const { rows } = await sql<{ text: string }>`
    select payload::text as text from event union all
    select u::text from realm_user u union all select s::text from bot_service s`.execute(
    app.db.kysely,
  );
  for (const { text } of rows) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(String(body['api_key']));
  }
});

test('the API key of a new bot works at once', async () => {
  const { body } = await create(chat.people.hamlet, { full_name: 'Worker', short_name: 'worker' });
  const bot = {
    ...chat.people.hamlet,
    email: 'worker-bot@chat.test',
    api_key: String(body['api_key']),
  };
  const me = await chat.ask(bot, 'GET /users/me');
  expect(me.body).toMatchObject({ user_id: body['user_id'], is_bot: true, bot_type: 1 });
  const refused = await create(bot, { full_name: 'Child', short_name: 'child' });
  expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('the payload URL may be JSON text', async () => {
  const { status } = await create(chat.people.hamlet, {
    full_name: 'Quoted',
    short_name: 'quoted',
    bot_type: '3',
    payload_url: JSON.stringify(webhook.payload_url),
  });
  expect(status).toBe(200);
  const { rows } = await sql<{ base_url: string; name: string }>`
    select base_url, name from bot_service where name = 'quoted'`.execute(
    chat.server.app.db.kysely,
  );
  expect(rows).toEqual([{ base_url: webhook.payload_url, name: 'quoted' }]);
});

test.each([
  ['an address in use', { short_name: 'taken', full_name: 'Other' }, /already in use/],
  ['a name in use', { full_name: 'TAKEN' }, /Name is already in use/],
  ['a name of markup', { full_name: '**bold**' }, /Invalid characters/],
  ['no name', { full_name: ' ' }, /too short/],
  ['a short name with a space', { short_name: 'a b' }, /Bad name or username/],
  ['an empty short name', { short_name: '' }, /Bad name or username/],
  ['a long short name', { short_name: 'x'.repeat(61) }, /Bad name or username/],
  ['an unknown bot type', { bot_type: '5' }, /bot_type/],
  ['an embedded bot', { bot_type: '4' }, /Embedded bots/],
  ['an unknown interface', { ...webhook, interface_type: '3' }, /interface/],
  ['no payload URL', { bot_type: '3' }, /payload_url/],
  ['a payload URL that is none', { bot_type: '3', payload_url: 'nowhere' }, /payload_url/],
  ['another scheme', { bot_type: '3', payload_url: 'file:///etc/passwd' }, /http and https/],
  [
    'a private address',
    { bot_type: '3', payload_url: 'http://10.0.0.1/' },
    /BELLHOP_WEBHOOK_ALLOW/,
  ],
  ['a long service name', { ...webhook, service_name: 'x'.repeat(101) }, /service_name/],
  ['an unknown channel', { default_sending_stream: 'nowhere' }, /does not exist/],
])('creating a bot with %s is rejected', async (_case, fields, message) => {
  const { hamlet } = chat.people;
  await create(hamlet, { full_name: 'Taken', short_name: 'taken' });
  const { status, body } = await create(hamlet, fields);
  expect({ status, result: body['result'] }).toEqual({ status: 400, result: 'error' });
  expect(body['msg']).toMatch(message);
});

test('guests may not create bots', async () => {
  expect(await create(chat.people.polonius, {})).toMatchObject({ status: 400 });
});

test('two bots created concurrently do not get the same name', async () => {
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((short) =>
      create(chat.people.hamlet, { full_name: 'Twin', short_name: `twin-${short}` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('the group settings of the realm decide who may create which bots', async () => {
  await using other = await startTestChat();
  const { app } = other.server;
  const { rows } = await sql<{ name: string; id: number }>`
    select name, id from user_group where is_system_group`.execute(app.db.kysely);
  const groups = new Map(rows.map(({ name, id }) => [name, id]));
  const set = async (setting: string, group: string) => {
    await sql`update realm set group_settings = group_settings ||
      jsonb_build_object(${setting}::text, ${groups.get(group)}::bigint)`.execute(app.db.kysely);
    app.realms.forget();
  };
  await set('can_create_bots_group', 'role:moderators');
  const make = async (person: Person, bot_type: string, name: string) =>
    (
      await other.ask(person, 'POST /bots', {
        full_name: name,
        short_name: name,
        bot_type,
        payload_url: webhook.payload_url,
      })
    ).status;
  const { hamlet, shiva } = other.people;
  expect(await make(hamlet, '1', 'one')).toBe(400);
  expect(await make(hamlet, '3', 'three')).toBe(400);
  expect(await make(hamlet, '2', 'two')).toBe(200);
  expect(await make(shiva, '3', 'mod')).toBe(200);
  await set('can_create_write_only_bots_group', 'role:moderators');
  expect(await make(hamlet, '2', 'too')).toBe(400);
});

test('administrators learn of a bot with a private default channel, as their state has it', async () => {
  const { hamlet, iago } = chat.people;
  await addChannel(chat, 'secret', [hamlet], { invite_only: true });
  const administrators = await listening(iago, ['realm_bot']);
  const owner = await listening(hamlet, ['realm_bot']);
  const fields = { full_name: 'Spy', short_name: 'spy', default_sending_stream: 'Secret' };
  const { body } = await create(hamlet, fields);
  expect(body).toMatchObject({ result: 'success', default_sending_stream: 'secret' });
  expect(await owner()).toHaveLength(1);
  const [added] = await administrators();
  const { realm_bots } = await iago.client.queues.register({ fetch_event_types: ['realm_bot'] });
  expect(added).toMatchObject({
    op: 'add',
    bot: realm_bots?.find(({ user_id }) => user_id === body['user_id']),
  });
  const stranger = await create(iago, { ...fields, full_name: 'Spy 2', short_name: 'spy2' });
  expect(stranger.body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
});

test('a default channel may be a private channel that can_subscribe_group opens to the owner', async () => {
  const { hamlet, cordelia } = chat.people;
  const can_subscribe_group = await groupOf(chat, cordelia);
  await addPlainChannel(chat, {
    name: 'joinable',
    subscribers: [hamlet],
    invite_only: true,
    can_subscribe_group,
  });
  const fields = { full_name: 'Joiner', short_name: 'joiner', default_sending_stream: 'joinable' };
  const { body } = await create(cordelia, fields);
  expect(body).toMatchObject({ result: 'success', default_sending_stream: 'joinable' });
});
