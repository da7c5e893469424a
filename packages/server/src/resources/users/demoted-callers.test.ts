import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { startTestChat, type TestChat, type TestResponse } from '../../test-chat.fixture.ts';

let chat: TestChat;
/** The ids of what the requests change, by the names in braces. */
let ids: Record<string, number>;
let owners = 0;
beforeAll(async () => {
  chat = await startTestChat();
  const { cordelia, desdemona } = chat.people;
  const gone = await chat.addPerson('gone');
  await desdemona.client.users.deactivate({ user_id: gone.user.id });
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'Verona' }] });
  const { stream_id } = await desdemona.client.channels.id({ stream: 'Verona' });
  const bot = await cordelia.client.bots.create({
    full_name: 'Bot',
    short_name: 'bot',
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/',
  });
  await desdemona.client.defaultChannelGroups.create({
    group_name: 'Plays',
    description: '',
    stream_names: ['Verona'],
  });
  const { realm_default_stream_groups } = await desdemona.client.queues.register({
    fetch_event_types: ['default_stream_groups'],
    event_types: [],
  });
  await desdemona.client.realmDomains.add({ domain: 'verona.test', allow_subdomains: false });
  ids = {
    user: cordelia.user.id,
    gone: gone.user.id,
    channel: stream_id,
    bot: bot.user_id,
    plays: realm_default_stream_groups?.[0]?.id ?? 0,
  };
});
afterAll(() => chat[Symbol.asyncDispose]());

const requests: readonly (readonly [route: string, fields: Record<string, string>])[] = [
  ['PATCH /users/{user}', { role: '100' }],
  ['PATCH /users/{user}', { full_name: 'Another name' }],
  ['DELETE /users/{user}', {}],
  ['POST /users/{gone}/reactivate', {}],
  ['POST /users', { email: 'x@chat.test', full_name: 'X', password: 'a long password' }],
  ['PATCH /realm', { name: 'Another realm' }],
  ['PATCH /realm', { message_retention_days: '30' }],
  ['PATCH /realm/user_settings_defaults', { enter_sends: 'true' }],
  ['POST /channels/create', { name: 'kept', subscribers: '[]', message_retention_days: '30' }],
  ['POST /users/me/subscriptions', { subscriptions: '[{"name":"x"}]', is_default_stream: 'true' }],
  ['PATCH /streams/{channel}', { description: 'Another description' }],
  ['PATCH /streams/{channel}', { is_archived: 'true' }],
  ['DELETE /streams/{channel}', {}],
  ['DELETE /users/me/subscriptions', { subscriptions: '["Verona"]', principals: '[{user}]' }],
  ['POST /default_streams', { stream_id: '{channel}' }],
  ['DELETE /default_streams', { stream_id: '{channel}' }],
  ['POST /channel_folders/create', { name: 'Folder', description: '' }],
  ['POST /default_stream_groups/create', { group_name: 'G', description: 'd', stream_names: '[]' }],
  ['PATCH /default_stream_groups/{plays}', { new_description: 'Another description' }],
  ['PATCH /default_stream_groups/{plays}/streams', { op: 'remove', stream_names: '["Verona"]' }],
  ['DELETE /default_stream_groups/{plays}', {}],
  ['POST /realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.test/{id}' }],
  [
    'POST /realm/playgrounds',
    { name: 'P', highlighter_language: 'C', url_template: 'https://x.test/{code}' },
  ],
  ['POST /realm/domains', { domain: 'x.test', allow_subdomains: 'false' }],
  ['PATCH /realm/domains/verona.test', { allow_subdomains: 'true' }],
  ['POST /realm/profile_fields', { name: 'Field', field_type: '1' }],
  ['PATCH /bots/{bot}', { full_name: 'Another bot' }],
  ['PATCH /users/{bot}', { role: '200' }],
  ['POST /bots/{bot}/api_key/regenerate', {}],
  ['POST /bots/{bot}/services/token/regenerate', {}],
  ['DELETE /bots/{bot}', {}],
];

test.each(requests)(
  '%s %j is refused to an owner who is demoted at the same time',
  async (route, fields) => {
    const owner = await chat.addPerson(`owner${(owners += 1)}`, roles.owner);
    const withIds = (text: string) =>
      text.replace(/\{(\w+)\}/, (whole, name: string) => String(ids[name] ?? whole));
    const values = Object.entries(fields).map(([name, value]) => [name, withIds(value)]);
    const responses: TestResponse[] = [];
    await commitTogether(chat, [
      () =>
        chat.people.desdemona.client.users.update({ user_id: owner.user.id, role: roles.member }),
      async () => responses.push(await chat.ask(owner, withIds(route), Object.fromEntries(values))),
    ]);
    expect(responses).toMatchObject([{ status: 400, body: { result: 'error' } }]);
  },
);
