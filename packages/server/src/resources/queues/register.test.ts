import { FEATURE_LEVEL, PUBLIC_FEATURE_LEVEL } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';
import { listen } from './listen.fixture.ts';

let chat: TestChat;

beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const register = (fields: Record<string, string>) =>
  chat.ask(chat.people.hamlet, 'POST /register', fields);

describe('the initial state has', () => {
  test('the intervals of the typing protocol', async () => {
    const { body } = await register({ fetch_event_types: '["realm"]' });
    expect(body).toMatchObject({
      server_typing_started_wait_period_milliseconds: expect.any(Number),
      server_typing_stopped_wait_period_milliseconds: expect.any(Number),
      server_typing_started_expiry_period_milliseconds: expect.any(Number),
    });
  });

  test('what clients of later feature levels of the public API read about the organization', async () => {
    const { body } = await register({
      fetch_event_types: '["realm","realm_user","user_settings"]',
    });
    expect(body).toMatchObject({
      realm_uuid: chat.realm.uuid,
      realm_owner_full_content_access: false,
      realm_send_channel_events_messages: true,
      user_settings: { web_inbox_show_channel_folders: true },
    });
    const stubs = (body['realm_users'] as { is_imported_stub: boolean }[]).map(
      ({ is_imported_stub }) => is_imported_stub,
    );
    expect(new Set(stubs)).toEqual(new Set([false]));
  });

  test('the limits of the names and descriptions of channels', async () => {
    const { body } = await register({ fetch_event_types: '["realm"]' });
    const { max_stream_name_length: name, max_stream_description_length: description } = body;
    const create = async (fields: Record<string, string>) => {
      const params = { name: 'at the limit', subscribers: '[]', ...fields };
      return (await chat.ask(chat.people.iago, 'POST /channels/create', params)).body['result'];
    };
    expect(await create({ name: 'x'.repeat(Number(name)) })).toBe('success');
    expect(await create({ name: 'y'.repeat(Number(name) + 1) })).toBe('error');
    expect(await create({ description: 'x'.repeat(Number(description)) })).toBe('success');
    const tooLong = 'x'.repeat(Number(description) + 1);
    expect(await create({ name: 'another', description: tooLong })).toBe('error');
  });

  test('the feature level and the version, also for a client that fetches nothing', async () => {
    const { body } = await register({ fetch_event_types: '[]' });
    expect(body).toMatchObject({
      svc_feature_level: FEATURE_LEVEL,
      svc_version: expect.stringMatching(/\d/),
      zulip_feature_level: PUBLIC_FEATURE_LEVEL,
    });
  });
});

describe('the initial state of the own account says that', () => {
  const ownState = async ({ client }: Person) => {
    const state = await client.queues.register({ fetch_event_types: ['realm_user'] });
    const names = Object.keys(state).filter((name) => name.startsWith('can_'));
    return names.filter((name) => state[name as keyof typeof state] === true);
  };

  test('a guest may create nothing and invite nobody, even in a group that the settings name', async () => {
    const { desdemona, polonius } = chat.people;
    const { group_id } = await desdemona.client.userGroups.create({
      name: 'builders',
      description: '',
      members: [polonius.user.id],
    });
    const { group_id: theirs } = await desdemona.client.userGroups.create({
      name: 'builders and members',
      description: '',
      members: [desdemona.user.id],
      subgroups: [group_id],
    });
    await desdemona.client.realms.update({
      can_create_public_channel_group: { new: theirs },
      can_create_private_channel_group: { new: theirs },
      can_invite_users_group: { new: theirs },
    });
    expect(await ownState(desdemona)).toContain('can_create_public_streams');
    expect(await ownState(polonius)).toEqual([]);
    await resetRealmSettings(chat, {});
  });

  test('web-public channels may be created only while the realm has spectators', async () => {
    const { desdemona } = chat.people;
    await resetRealmSettings(chat, {});
    expect(await ownState(desdemona)).not.toContain('can_create_web_public_streams');
    await resetRealmSettings(chat, { enable_spectator_access: true });
    expect(await ownState(desdemona)).toContain('can_create_web_public_streams');
    await resetRealmSettings(chat, {});
  });
});

test('unknown event types and fetch types are ignored', async () => {
  const { status, body } = await register({
    event_types: '["message","no_such_type"]',
    fetch_event_types: '["no_such_type"]',
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ result: 'success', queue_id: expect.any(String) });
});

test('a queue keeps no unknown event types and takes no long narrow: nodes have both in memory', async () => {
  const unknown = Array.from({ length: 900 }, (_, at) => `${at}`.padStart(100, 'x'));
  const event_types = JSON.stringify(['message', 'muted_topics', 'message', ...unknown]);
  const { body } = await register({ event_types });
  const { registration } = await chat.server.app.db.kysely
    .selectFrom('event_queue')
    .select('registration')
    .where('id', '=', String(body['queue_id']))
    .executeTakeFirstOrThrow();
  expect(registration.event_types).toEqual(['message', 'muted_topics']);
  const operand = 'x'.repeat(1000);
  const narrow = JSON.stringify(Array.from({ length: 10 }, () => ({ operator: 'topic', operand })));
  expect((await register({ narrow })).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'narrow is too long (limit: 10000 characters)',
  });
});

test('a queue with a narrow to a channel gets none of a channel whose name is the id of that one', async () => {
  const { iago, hamlet } = chat.people;
  const subscribers = [iago, hamlet];
  const id = await addChannel(chat, { name: 'Verona', subscribers });
  const namesake = await addChannel(chat, { name: `${id}`, subscribers });
  const operands = [id, `${id}`, `${namesake}`, ' verona '];
  const queues = await Promise.all(
    operands.map((operand) => listen(hamlet, { narrow: [{ operator: 'channel', operand }] })),
  );
  for (const stream_id of [id, namesake])
    await iago.client.messages.send({
      type: 'channel',
      to: [stream_id],
      topic: 'news',
      content: `in ${stream_id}`,
    });
  const heard = await Promise.all(
    queues.map(async ({ messages }) =>
      (await messages()).map(({ message }) => (message as { content: string }).content),
    ),
  );
  expect(heard).toEqual([[`in ${id}`], [`in ${namesake}`], [`in ${namesake}`], [`in ${id}`]]);
});

describe('a queue lives without a poll for as long as', () => {
  test.each([
    ['the usual ten minutes', {}, 600],
    ['the usual ten minutes, asked for by 0', { idle_queue_timeout: '0' }, 600],
    ['the client asks', { idle_queue_timeout: '3600' }, 3600],
    ['the client asks under the older name', { queue_lifespan_secs: '3600' }, 3600],
    ['a phone sleeps', { idle_queue_timeout: '"mobile"' }, 43_200],
    ['a phone sleeps, without quotes', { idle_queue_timeout: 'mobile' }, 43_200],
    ['seven days, if it asks for more', { idle_queue_timeout: '9000000' }, 604_800],
  ])('%s, and the answer says so', async (_which, fields, seconds) => {
    const { body } = await register({ ...fields, event_types: '["message"]' });
    expect(body).toMatchObject({ result: 'success', idle_queue_timeout_secs: seconds });
    const { lifespan_seconds } = await chat.server.app.db.kysely
      .selectFrom('event_queue')
      .select('lifespan_seconds')
      .where('id', '=', String(body['queue_id']))
      .executeTakeFirstOrThrow();
    expect(lifespan_seconds).toBe(seconds);
  });

  test.each([
    [{ idle_queue_timeout: '-1' }, 'BAD_REQUEST'],
    [{ idle_queue_timeout: '"desktop"' }, 'BAD_REQUEST'],
    [{ idle_queue_timeout: '60', queue_lifespan_secs: '60' }, 'REQUEST_CONFUSING_VAR'],
  ])('%o says nothing that can be meant', async (fields, code) => {
    expect((await register(fields)).body).toMatchObject({ result: 'error', code });
  });
});

test('client_gravatar and include_subscribers without a login are refused', async () => {
  await resetRealmSettings(chat, { enable_spectator_access: true });
  const without = (fields: Record<string, string>) => chat.ask(null, 'POST /register', fields);
  const { status, body: state } = await without({});
  expect([status, state['queue_id'], state['idle_queue_timeout_secs']]).toEqual([200, null, null]);
  for (const name of ['client_gravatar', 'include_subscribers']) {
    const { status, body } = await without({ [name]: 'true' });
    expect([status, body['result']], name).toEqual([400, 'error']);
  }
});
