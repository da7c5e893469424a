import { roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { addChannel } from '../webhooks/webhooks.fixture.ts';

let chat: TestChat;
let made = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const payload_url = 'http://127.0.0.1:9999/hook';

/** Creates a bot, by default an outgoing webhook. */
async function newBot({ client }: Person, bot_type: 1 | 3 = 3) {
  const name = `bot-${++made}`;
  const bot = { full_name: name, short_name: name, bot_type };
  const { user_id } = await client.bots.create(bot_type === 3 ? { ...bot, payload_url } : bot);
  return user_id;
}

const listening = async (person: Person) =>
  (await listen(person, { event_types: ['realm_user', 'realm_bot', 'user_group'] })).all;

const patch = (person: Person, bot_id: number, fields: Record<string, string>) =>
  chat.ask(person, `PATCH /bots/${bot_id}`, fields);

test('the owner can change all settings of a bot in one request', async () => {
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, 'verona', [hamlet]);
  const bot_id = await newBot(hamlet);
  expect(
    await hamlet.client.bots.update({ bot_id, config_data: { a: '1', b: '2' } }),
  ).toMatchObject({
    config_data: { a: '1', b: '2' },
  });
  const { body } = await patch(hamlet, bot_id, {
    full_name: 'Another name',
    bot_owner_id: String(cordelia.user.id),
    service_payload_url: '"http://127.0.0.1:9999/other"',
    service_interface: '2',
    config_data: '{"b":"3","c":"4"}',
    default_sending_stream: 'Verona',
    default_events_register_stream: 'verona',
    default_all_public_streams: 'true',
  });
  expect(body).toEqual({
    result: 'success',
    msg: '',
    full_name: 'Another name',
    avatar_url: expect.stringContaining('gravatar'),
    service_payload_url: 'http://127.0.0.1:9999/other',
    service_interface: 2,
    config_data: { a: '1', b: '3', c: '4' },
    default_sending_stream: 'verona',
    default_events_register_stream: 'verona',
    default_all_public_streams: true,
    bot_owner: cordelia.email,
  });
  expect((await patch(hamlet, bot_id, {})).body).toMatchObject({ msg: 'Insufficient permission' });
  const cleared = await cordelia.client.bots.update({
    bot_id,
    default_sending_stream: '',
    default_events_register_stream: '',
    service_payload_url: payload_url,
  });
  expect(cleared).toMatchObject({
    default_sending_stream: null,
    default_events_register_stream: null,
    service_interface: 1,
  });
});

test('owners, administrators and other users get the events that concern them', async () => {
  const { hamlet, cordelia, iago, shiva } = chat.people;
  const bot_id = await newBot(hamlet);
  const [was, becomes, admin, other] = await Promise.all(
    [hamlet, cordelia, iago, shiva].map(listening),
  );
  await hamlet.client.bots.update({
    bot_id,
    full_name: 'Given away',
    bot_owner_id: cordelia.user.id,
  });
  const forAll = [
    { type: 'realm_user', op: 'update', person: { user_id: bot_id, full_name: 'Given away' } },
    {
      type: 'realm_user',
      op: 'update',
      person: { user_id: bot_id, bot_owner_id: cordelia.user.id },
    },
  ];
  expect(await other?.()).toMatchObject(forAll);
  expect(await was?.()).toMatchObject([
    ...forAll,
    { type: 'realm_bot', op: 'delete', bot: { user_id: bot_id } },
  ]);
  expect(await becomes?.()).toMatchObject([
    ...forAll,
    { type: 'realm_bot', op: 'add', bot: { user_id: bot_id, owner_id: cordelia.user.id } },
  ]);
  const [, , update] = (await admin?.()) ?? [];
  expect(update).toEqual({
    id: expect.any(Number),
    type: 'realm_bot',
    op: 'update',
    bot: {
      user_id: bot_id,
      full_name: 'Given away',
      api_key: expect.any(String),
      owner_id: cordelia.user.id,
    },
  });
});

test('a default channel that is renamed is shown with its new name, and no more if the owner does not see it', async () => {
  const { hamlet, iago } = chat.people;
  const bot_id = await newBot(hamlet);
  const name = `defaults-${bot_id}`;
  const stream_id = await addChannel(chat, name, [iago]);
  const both = (stream: string) => ({
    default_sending_stream: stream,
    default_events_register_stream: stream,
  });
  await hamlet.client.bots.update({ bot_id, ...both(name) });
  const listeners = await Promise.all([hamlet, iago].map(listening));
  const events = async () =>
    (await Promise.all(listeners.map((listener) => listener()))).map((received) =>
      received.filter(({ type }) => type === 'realm_bot'),
    );
  const { update } = iago.client.channels;
  await update({ stream_id, new_name: `${name} new` });
  const told = {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot_id, ...both(`${name} new`) },
  };
  expect(await events()).toMatchObject([[told], [told]]);
  await update({ stream_id, is_private: true });
  await update({ stream_id, new_name: `${name} secret` });
  const none = { default_sending_stream: null, default_events_register_stream: null };
  const gone = { type: 'realm_bot', op: 'update', bot: { user_id: bot_id, ...none } };
  expect(await events()).toMatchObject([[gone], [gone]]);
  const { realm_bots } = await hamlet.client.queues.register({ fetch_event_types: ['realm_bot'] });
  expect(realm_bots?.find(({ user_id }) => user_id === bot_id)).toMatchObject(none);
});

test('an update without changes sends no event', async () => {
  const { hamlet } = chat.people;
  const bot_id = await newBot(hamlet);
  const events = await listening(hamlet);
  const full_name = `bot-${made}`;
  await hamlet.client.bots.update({ bot_id, full_name, role: 400, bot_owner_id: hamlet.user.id });
  await hamlet.client.bots.update({ bot_id });
  expect(await events()).toEqual([]);
});

test('administrators may set roles, only owners the role of an owner', async () => {
  const { hamlet, iago, desdemona } = chat.people;
  const bot_id = await newBot(hamlet);
  const refused = { code: 'UNAUTHORIZED_PRINCIPAL' };
  const set = ({ client }: Person, role: 100 | 200 | 400 | 600) =>
    client.bots.update({ bot_id, role });
  await expect(set(hamlet, roles.admin)).rejects.toMatchObject(refused);
  await expect(set(iago, roles.owner)).rejects.toMatchObject(refused);
  await set(iago, roles.admin);
  await set(desdemona, roles.owner);
  await expect(set(iago, roles.member)).rejects.toMatchObject(refused);
  await expect(iago.client.bots.regenerateApiKey({ bot_id })).rejects.toMatchObject(refused);
  await hamlet.client.bots.update({ bot_id, default_all_public_streams: true });
  await set(desdemona, roles.guest);
  const { members } = await hamlet.client.users.list({ user_ids: [bot_id] });
  expect(members).toMatchObject([{ role: 600, is_guest: true }]);
  expect((await patch(iago, bot_id, { role: '500' })).body).toMatchObject({ code: 'BAD_REQUEST' });
});

test('setting the address or the interface enables a disabled webhook', async () => {
  const { hamlet } = chat.people;
  const { kysely } = chat.server.app.db;
  const bot_id = await newBot(hamlet);
  const health = () =>
    kysely
      .selectFrom('bot_service')
      .select(['disabled_at', 'probe_after', 'failures_in_a_row', 'failing_since', 'interface'])
      .where('user_id', '=', bot_id)
      .executeTakeFirst();
  for (const change of [{ service_payload_url: payload_url }, { service_interface: 2 }]) {
    await sql`update bot_service set disabled_at = now(), probe_after = now(), failing_since = now(),
      failures_in_a_row = 30 where user_id = ${bot_id}`.execute(kysely);
    await hamlet.client.bots.update({ bot_id, full_name: `still off ${++made}` });
    expect((await health())?.disabled_at).not.toBeNull();
    await hamlet.client.bots.update({ bot_id, ...change });
    expect(await health()).toMatchObject({
      disabled_at: null,
      probe_after: null,
      failing_since: null,
      failures_in_a_row: 0,
    });
  }
  expect((await health())?.interface).toBe(2);
});

test.each([
  ['a name in use', { full_name: 'Hamlet' }, /already in use/],
  ['an empty name', { full_name: ' ' }, /too short/],
  ['an owner who does not exist', { bot_owner_id: '999999' }, /no such user/],
  ['an interface that there is not', { service_interface: '3' }, /interface/],
  ['an address that is none', { service_payload_url: 'nowhere' }, /service_payload_url/],
  ['a private address', { service_payload_url: 'http://10.0.0.1/' }, /BELLHOP_WEBHOOK_ALLOW/],
  ['an address without a scheme', { service_payload_url: 'localhost:8080' }, /begins with https:/],
  ['an unknown channel', { default_sending_stream: 'nowhere' }, /does not exist/],
  ['configuration that is no text', { config_data: '{"a":1}' }, /config_data/],
])('an update with %s is rejected and changes nothing', async (_case, fields, message) => {
  const { hamlet } = chat.people;
  const bot_id = await newBot(hamlet);
  const { status, body } = await patch(hamlet, bot_id, { config_data: '{"x":"y"}', ...fields });
  expect({ status, result: body['result'] }).toEqual({ status: 400, result: 'error' });
  expect(body['msg']).toMatch(message);
  const { config_data, full_name } = await hamlet.client.bots.update({ bot_id });
  expect({ config_data, full_name }).toEqual({ config_data: {}, full_name: `bot-${made}` });
});

test('bots, guests and deactivated users cannot own bots; a plain bot has no payload URL', async () => {
  const { hamlet, polonius } = chat.people;
  const [bot_id, other] = [await newBot(hamlet, 1), await newBot(hamlet)];
  const give = (id: number) => patch(hamlet, bot_id, { bot_owner_id: String(id) });
  const message = (text: RegExp) => ({ code: 'BAD_REQUEST', msg: expect.stringMatching(text) });
  expect((await give(other)).body).toMatchObject(message(/bots can't own/));
  expect((await give(polonius.user.id)).body).toMatchObject(message(/guests can't own/));
  const yorick = await chat.addPerson('yorick');
  await sql`update realm_user set is_active = false where id = ${yorick.user.id}`.execute(
    chat.server.app.db.kysely,
  );
  expect((await give(yorick.user.id)).body).toMatchObject(message(/deactivated/));
  const hook = await patch(hamlet, bot_id, { service_payload_url: payload_url });
  expect(hook.body).toMatchObject(message(/not an outgoing webhook bot/));
});

test('people, system bots and bots of other users cannot be managed', async () => {
  const { hamlet, cordelia, iago, polonius } = chat.people;
  const bot_id = await newBot(hamlet);
  const system = await chat.server.app.db.kysely
    .selectFrom('realm_user')
    .select('id')
    .where('is_system_bot', '=', true)
    .executeTakeFirstOrThrow();
  for (const [person, id, msg] of [
    [iago, hamlet.user.id, 'No such bot'],
    [iago, system.id, 'No such bot'],
    [iago, 999_999, 'No such bot'],
    [cordelia, bot_id, 'Insufficient permission'],
    [polonius, bot_id, 'Not allowed for guest users'],
  ] as const)
    for (const route of [
      `PATCH /bots/${id}`,
      `DELETE /bots/${id}`,
      `POST /bots/${id}/api_key/regenerate`,
      `POST /bots/${id}/services/token/regenerate`,
    ])
      expect((await chat.ask(person, route)).body, route).toMatchObject({
        code: 'BAD_REQUEST',
        msg,
      });
});
