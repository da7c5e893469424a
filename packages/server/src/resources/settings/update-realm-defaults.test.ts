import { initialUserSettings, realmDefaultNames } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { asFields, otherValues } from './other-values.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const ROUTE = 'PATCH /realm/user_settings_defaults';

const stateOf = ({ client }: Person) =>
  client.queues.register({ fetch_event_types: ['user_settings', 'realm_user_settings_defaults'] });

test('each default reaches new users and leaves existing ones as they are', async () => {
  const { iago, hamlet } = chat.people;
  const values = otherValues(realmDefaultNames);
  const queue = await listen(hamlet, { event_types: ['realm_user_settings_defaults'] });
  const { body } = await chat.ask(iago, ROUTE, asFields(values));
  expect(body).toEqual({ result: 'success', msg: '' });
  const { user_settings, realm_user_settings_defaults } = await stateOf(hamlet);
  expect(user_settings).toMatchObject(initialUserSettings);
  expect(realm_user_settings_defaults).toMatchObject(values);
  const added = await stateOf(await chat.addPerson('newcomer'));
  expect(added.user_settings).toMatchObject(values);
  const events = await queue.all();
  expect(Object.fromEntries(events.map(({ property, value }) => [property, value]))).toEqual(
    values,
  );
});

test('settings that have no default of the realm are reported as unsupported', async () => {
  const fields = { timezone: 'Asia/Tokyo', enable_login_emails: 'false', dense_mode: 'true' };
  const { body } = await chat.ask(chat.people.desdemona, ROUTE, fields);
  expect(body['ignored_parameters_unsupported']).toEqual(Object.keys(fields));
});

test.each(['shiva', 'hamlet', 'polonius'] as const)(
  '%s may not change the defaults: only administrators may',
  async (name) => {
    const { body } = await chat.ask(chat.people[name], ROUTE, { enter_sends: 'true' });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  },
);
