import {
  displaySettingNames,
  notificationSettingNames,
  userSettingNames,
  userSettings,
} from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { asFields, otherValues } from './other-values.fixture.ts';

let chat: TestChat;
let person: Person;
beforeAll(async () => {
  chat = await startTestChat();
  person = await chat.addPerson('horatio', undefined, { password: 'old password' });
});
afterAll(() => chat[Symbol.asyncDispose]());

const settingsOf = async ({ client }: Person) =>
  (await client.queues.register({ fetch_event_types: ['user_settings'] })).user_settings;

describe('personal settings', () => {
  test('are stored, shown and sent to their user alone', async () => {
    const values = otherValues(userSettingNames);
    const own = await listen(person, { event_types: ['user_settings'] });
    const foreign = await listen(chat.people.cordelia, { event_types: ['user_settings'] });
    const { body } = await chat.ask(person, 'PATCH /settings', asFields(values));
    expect(body).toEqual({ result: 'success', msg: '' });
    expect(await settingsOf(person)).toMatchObject(values);
    const events = await own.all();
    expect(Object.fromEntries(events.map(({ property, value }) => [property, value]))).toEqual(
      values,
    );
    expect(await foreign.all()).toEqual([]);
  });

  test.each(userSettingNames)('refuse a value that %s does not allow', async (name) => {
    const bad = { timezone: 'Middle/Earth', default_language: 'not a language' };
    const value = name in bad ? bad[name as keyof typeof bad] : '-7';
    const { status, body } = await chat.ask(person, 'PATCH /settings', { [name]: value });
    expect([status, body]).toMatchObject([400, { code: 'BAD_REQUEST' }]);
  });

  test('the values of the table are allowed by its schemas', () => {
    for (const { schema, initial } of Object.values(userSettings))
      expect((schema as z.ZodType).safeParse(initial).success).toBe(true);
  });
});

describe('older clients', () => {
  const legacy = { event_types: ['update_display_settings', 'update_global_notifications'] };
  const values = { emojiset: 'text', enable_sounds: 'true', web_font_size_px: '15' };

  test('receive display and notification settings in their own events', async () => {
    const queue = await listen(person, legacy);
    await chat.ask(person, 'PATCH /settings', { ...values, default_language: 'de' });
    expect(await queue.all()).toMatchObject([
      {
        type: 'update_display_settings',
        setting_name: 'default_language',
        language_name: 'Deutsch',
      },
      { type: 'update_display_settings', setting_name: 'emojiset', setting: 'text' },
      {
        type: 'update_global_notifications',
        notification_name: 'enable_sounds',
        setting: true,
        user: expect.stringContaining('@chat.test'),
      },
    ]);
  });

  test('receive no older event if they read user_settings', async () => {
    const capable = { client_capabilities: { user_settings_object: true } };
    const queue = await listen(person, { ...legacy, ...capable });
    await chat.ask(person, 'PATCH /settings', { emojiset: 'vendor_b', enable_sounds: 'false' });
    expect(await queue.all()).toEqual([]);
  });

  test('may use the names of emoji sets of the public API', async () => {
    await chat.ask(person, 'PATCH /settings', { emojiset: 'google-blob' });
    expect(await settingsOf(person)).toMatchObject({ emojiset: 'vendor_a-blob' });
  });

  test('may use the newer name of a home view, and read that of the specification', async () => {
    const queue = await listen(person, { event_types: ['user_settings'] });
    await chat.ask(person, 'PATCH /settings', { web_home_view: 'inbox' });
    await chat.ask(person, 'PATCH /settings', { web_home_view: 'recent' });
    expect(await settingsOf(person)).toMatchObject({ web_home_view: 'recent_topics' });
    expect(await queue.all()).toMatchObject([{ value: 'inbox' }, { value: 'recent_topics' }]);
  });

  test.each(['/settings/display', '/settings/notifications'])(
    'change every setting by %s',
    async (path) => {
      const fields = { enter_sends: String(path.endsWith('display')), unknown: 'x' };
      const { body } = await chat.ask(person, `PATCH ${path}`, fields);
      expect(body).toMatchObject({ ignored_parameters_unsupported: ['unknown'] });
      expect(await settingsOf(person)).toMatchObject({ enter_sends: path.endsWith('display') });
    },
  );

  test('find every setting of the first API at the top level of the state', () => {
    expect([displaySettingNames.length, notificationSettingNames.length]).toEqual([14, 20]);
  });
});

test('a setting sent with its present value causes no event', async () => {
  await chat.ask(person, 'PATCH /settings', { twenty_four_hour_time: 'true' });
  const queue = await listen(person);
  await chat.ask(person, 'PATCH /settings', {
    twenty_four_hour_time: 'true',
    timezone: 'Asia/Tokyo',
  });
  expect(await queue.all()).toEqual([]);
});

test.each(['/settings', '/settings/display', '/settings/notifications'])(
  'PATCH %s for others is refused and changes nothing, and for nobody named is as usual',
  async (path) => {
    const one = await chat.addPerson(`settings${path.replaceAll('/', '-')}`);
    const { enter_sends: before } = (await settingsOf(one)) ?? {};
    const change = { enter_sends: String(!before) };
    const others = { ...change, target_users: '{"user_ids": [7]}' };
    expect((await chat.ask(one, `PATCH ${path}`, others)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'target_users: must be left out: nobody can change the settings of others',
    });
    expect(await settingsOf(one)).toMatchObject({ enter_sends: before });
    const { status } = await chat.ask(one, `PATCH ${path}`, { ...change, target_users: 'null' });
    expect(status).toBe(200);
    expect(await settingsOf(one)).toMatchObject({ enter_sends: !before });
  },
);

test('a bot cannot change settings', async () => {
  const { api_key } = await person.client.bots.create({ full_name: 'B', short_name: 'b' });
  const bot = { ...person, email: 'b-bot@chat.test', api_key };
  expect((await chat.ask(bot, 'PATCH /settings', { enter_sends: 'true' })).body).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('switching off the synchronization of drafts deletes the drafts without an event for each', async () => {
  const { hamlet, cordelia } = chat.people;
  const draft = { type: '' as const, to: [], topic: '', content: 'kept by the client' };
  for (const { client } of [hamlet, cordelia]) await client.drafts.add({ drafts: [draft] });
  const queue = await listen(hamlet, { event_types: ['drafts'] });
  await hamlet.client.settings.update({ enable_drafts_synchronization: false });
  await hamlet.client.settings.update({ enable_drafts_synchronization: true });
  expect((await hamlet.client.drafts.list({})).count).toBe(0);
  expect((await cordelia.client.drafts.list({})).count).toBe(1);
  expect(await queue.all()).toEqual([]);
});

test('settings changed on one node are in the next state of another node', async () => {
  const { url } = await chat.anotherNode();
  const { shiva } = chat.people;
  await shiva.client.queues.register({ fetch_event_types: ['user_settings'] });
  const { body } = await chat.ask(shiva, 'PATCH /settings', { color_scheme: '3' });
  expect(body).toMatchObject({ result: 'success' });
  const answer = await fetch(`${url}/api/v1/register`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${shiva.email}:${shiva.api_key}`)}` },
    body: new URLSearchParams({ fetch_event_types: '["user_settings"]' }),
  });
  expect(await answer.json()).toMatchObject({ user_settings: { color_scheme: 3 } });
});
