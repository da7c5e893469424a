import {
  isOwnersSetting,
  realmGroupSettings,
  type RealmSettingName,
  realmSettingNames,
  realmSettings,
  type SystemGroup,
} from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { systemGroupIds } from '../../model/user-groups/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { resetRealmSettings } from './realm-settings.fixture.ts';

let chat: TestChat;
let groups: Awaited<ReturnType<typeof systemGroupIds>>;
let channels: Readonly<Record<'open' | 'private', number>>;
beforeAll(async () => {
  chat = await startTestChat();
  groups = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
  const { desdemona } = chat.people;
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'open' }] });
  await desdemona.client.subscriptions.add({
    subscriptions: [{ name: 'private' }],
    invite_only: true,
  });
  const idOf = async (stream: string) => (await desdemona.client.channels.id({ stream })).stream_id;
  channels = { open: await idOf('open'), private: await idOf('private') };
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => resetRealmSettings(chat, {}));

const change = async (person: Person, fields: Record<string, string>) =>
  (await chat.ask(person, 'PATCH /realm', fields)).body;
const stateOf = async ({ client }: Person): Promise<Record<string, unknown>> =>
  client.queues.register({ fetch_event_types: ['realm'] });

/** A value other than the initial one, in the form that a client sends and in that of the state. */
function otherValue(name: RealmSettingName): { sent: string; value: unknown } {
  const named: Partial<Record<RealmSettingName, { sent: string; value: unknown }>> = {
    name: { sent: ' Elsinore ', value: 'Elsinore' },
    default_language: { sent: 'da', value: 'da' },
    digest_weekday: { sent: '5', value: 5 },
    giphy_rating: { sent: '0', value: 0 },
    org_type: { sent: '35', value: 35 },
    jitsi_server_url: { sent: 'https://meet.example', value: 'https://meet.example' },
    message_edit_history_visibility_policy: { sent: 'moves', value: 'moves' },
    topics_policy: { sent: 'disable_empty_topic', value: 'disable_empty_topic' },
    moderation_request_channel_id: { sent: String(channels.private), value: channels.private },
    message_content_edit_limit_seconds: { sent: 'unlimited', value: null },
    message_content_delete_limit_seconds: { sent: '"unlimited"', value: null },
  };
  const { initial } = realmSettings[name];
  if (named[name]) return named[name];
  if (name.endsWith('_stream_id')) return { sent: String(channels.open), value: channels.open };
  if (typeof initial === 'boolean') return { sent: String(!initial), value: !initial };
  return typeof initial === 'string' ? { sent: 'other', value: 'other' } : { sent: '3', value: 3 };
}

// Only one value exists.
const changeable = realmSettingNames.filter((name) => name !== 'video_chat_provider');

test('each setting of the realm is stored, shown and sent to everybody', async () => {
  const { desdemona, polonius } = chat.people;
  const queue = await listen(polonius, { event_types: ['realm'] });
  const others = changeable.map((name) => [name, otherValue(name)] as const);
  const fields = Object.fromEntries(others.map(([name, { sent }]) => [name, sent]));
  expect(await change(desdemona, fields)).toEqual({ result: 'success', msg: '' });
  const values = Object.fromEntries(others.map(([name, { value }]) => [name, value]));
  const state = await stateOf(polonius);
  for (const [name, value] of Object.entries(values))
    expect(state[`realm_${name}`], name).toEqual(value);
  const events = await queue.all();
  const received = Object.assign(
    {},
    ...events.map((event) =>
      event['op'] === 'update'
        ? { [String(event['property'])]: event['value'] }
        : (event['data'] as object),
    ),
  ) as object;
  expect(received).toEqual({ ...values, mandatory_topics: true, gif_rating_policy: 0 });
  expect(events.filter(({ op }) => op === 'update_dict')).toHaveLength(1);
  await change(desdemona, { name: 'Test', description: '', waiting_period_threshold: '0' });
});

test('the rating of GIFs may be read and changed by its newer name', async () => {
  const { desdemona, polonius } = chat.people;
  const initial = await stateOf(polonius);
  expect(initial).toMatchObject({ realm_giphy_rating: 2, realm_gif_rating_policy: 2 });
  expect(initial['gif_rating_policy_options']).toEqual(initial['giphy_rating_options']);
  const queue = await listen(polonius, { event_types: ['realm'] });
  expect(await change(desdemona, { gif_rating_policy: '0' })).toEqual({
    result: 'success',
    msg: '',
  });
  expect(await stateOf(polonius)).toMatchObject({
    realm_giphy_rating: 0,
    realm_gif_rating_policy: 0,
  });
  expect(await queue.all()).toMatchObject([
    { op: 'update', property: 'giphy_rating', value: 0 },
    { op: 'update_dict', property: 'default', data: { gif_rating_policy: 0 } },
  ]);
});

const ownersSettings = [...realmSettingNames, ...realmGroupSettings].filter(isOwnersSetting);

describe('an administrator', () => {
  test.each(ownersSettings)('may not change %s, which is for owners', async (name) => {
    const isPermission = (realmGroupSettings as readonly string[]).includes(name);
    const sent = isPermission
      ? JSON.stringify({ new: groups['role:administrators'] })
      : otherValue(name as RealmSettingName).sent;
    expect(await change(chat.people.iago, { [name]: sent })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    });
  });

  test('may change every other setting', async () => {
    const others = changeable.filter(
      (name) => !isOwnersSetting(name) && name !== 'moderation_request_channel_id',
    );
    const fields = Object.fromEntries(others.map((name) => [name, otherValue(name).sent]));
    expect(await change(chat.people.iago, fields)).toMatchObject({ result: 'success' });
    await change(chat.people.iago, { name: 'Test', description: '' });
  });
});

test.each(['shiva', 'hamlet', 'polonius'] as const)('%s may not change the realm', async (name) => {
  expect(await change(chat.people[name], { digest_weekday: '2' })).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});

describe('a permission of the realm', () => {
  const allowed: Readonly<Record<string, SystemGroup>> = {
    can_access_all_users_group: 'role:members',
    can_set_delete_message_policy_group: 'role:administrators',
  };

  test.each(realmGroupSettings)('%s is stored, shown and sent', async (name) => {
    const { desdemona, cordelia } = chat.people;
    const queue = await listen(cordelia, { event_types: ['realm'] });
    const group = groups[allowed[name] ?? 'role:moderators'];
    expect(await change(desdemona, { [name]: JSON.stringify({ new: group }) })).toEqual({
      result: 'success',
      msg: '',
    });
    expect((await stateOf(cordelia))[`realm_${name}`]).toBe(group);
    expect(await queue.all()).toMatchObject([
      { op: 'update_dict', property: 'default', data: { [name]: group } },
    ]);
  });

  test.each(realmGroupSettings)('%s cannot be the group of the internet', async (name) => {
    const update = JSON.stringify({ new: groups['role:internet'] });
    expect(await change(chat.people.desdemona, { [name]: update })).toMatchObject({
      result: 'error',
    });
  });

  test('is refused with a stale old value and changes with the right one', async () => {
    const { desdemona, hamlet } = chat.people;
    const value = { direct_members: [hamlet.user.id], direct_subgroups: [groups['role:owners']] };
    const update = (old: unknown) =>
      change(desdemona, { can_create_bots_group: JSON.stringify({ new: value, old }) });
    expect(await update(groups['role:owners'])).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      field_name: 'old',
    });
    expect(await update(groups['role:members'])).toMatchObject({ result: 'success' });
    expect((await stateOf(hamlet))['realm_can_create_bots_group']).toEqual(value);
    const create = (person: Person) =>
      chat.ask(person, 'POST /bots', { full_name: 'B', short_name: 'b' });
    expect((await create(hamlet)).status).toBe(200);
    expect((await create(chat.people.cordelia)).status).toBe(400);
  });

  test('to see all users ends the event queues of guests only', async () => {
    const { desdemona, polonius, hamlet } = chat.people;
    const queues = [await listen(polonius), await listen(hamlet)] as const;
    const update = JSON.stringify({ new: groups['role:members'] });
    await change(desdemona, { can_access_all_users_group: update });
    await expect(queues[0].all()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await queues[1].events('realm')).toHaveLength(1);
  });
});

describe('a value of the realm', () => {
  test.each([
    ['name', '   '],
    ['name', 'x'.repeat(41)],
    ['default_language', 'no language'],
    ['jitsi_server_url', 'javascript:alert(1)'],
    ['message_content_edit_limit_seconds', '0'],
    ['message_retention_days', '-1'],
    ['message_retention_days', 'sometimes'],
    ['topics_policy', 'empty_topic_only'],
    ['new_stream_announcements_stream_id', '987654'],
    ['waiting_period_threshold', '-1'],
    ['org_type', '7'],
    ['authentication_methods', '{"Email": false}'],
    ['authentication_methods', '{"Email": true, "LDAP": true}'],
  ])('%s is refused as %j', async (name, sent) => {
    expect(await change(chat.people.desdemona, { [name]: sent })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('authentication_methods is accepted from owners if e-mail stays enabled', async () => {
    const authentication_methods = '{"Email": true, "LDAP": false}';
    const { desdemona, iago } = chat.people;
    expect(await change(desdemona, { authentication_methods })).toMatchObject({
      result: 'success',
    });
    expect(await change(iago, { authentication_methods })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });

  test('moderation_request_channel_id is refused for a public channel', async () => {
    const sent = String(channels.open);
    expect(
      await change(chat.people.desdemona, { moderation_request_channel_id: sent }),
    ).toMatchObject({ msg: 'Moderation request channel must be private.' });
  });

  test('sent unchanged causes no event', async () => {
    const { desdemona } = chat.people;
    const queue = await listen(desdemona, { event_types: ['realm'] });
    const update = JSON.stringify({ new: groups['role:members'] });
    await change(desdemona, { digest_weekday: '1', can_create_bots_group: update });
    expect(await queue.all()).toEqual([]);
  });
});

test('changed settings of the realm are in effect at once, on every node', async () => {
  const { desdemona, hamlet } = chat.people;
  const { url } = await chat.anotherNode();
  const rename = async (full_name: string) => {
    const answer = await fetch(`${url}/api/v1/settings`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${btoa(`${hamlet.email}:${hamlet.api_key}`)}` },
      body: new URLSearchParams({ full_name }),
    });
    return answer.status;
  };
  expect(await rename('Prince')).toBe(200);
  await change(desdemona, { name_changes_disabled: 'true' });
  await expect.poll(() => rename(`P${Math.random()}`)).toBe(400);
});
