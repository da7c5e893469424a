import { createClient } from '@bellhop/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { imageOf } from '../../images/images.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;

/** Uploads a custom emoji as Hamlet. */
async function uploaded(): Promise<{ name: string; source_url: string }> {
  const { realmEmoji } = chat.people.hamlet.client;
  const name = `shown-${++count}`;
  const file = new File([new Uint8Array(await imageOf('png', 64, 64))], 'a.png');
  await realmEmoji.upload({ emoji_name: name }, { file });
  const { emoji } = await realmEmoji.list();
  const found = Object.values(emoji).find((one) => one.name === name);
  if (!found) throw new Error(`no emoji ${name}`);
  return found;
}

test('the description of the organization shows a custom emoji before a login', async () => {
  const { name, source_url } = await uploaded();
  await chat.people.desdemona.client.realms.update({ description: `We :${name}:` });
  const { body } = await chat.ask(null, 'GET /server_settings');
  expect(body['realm_description']).toContain(`src="${source_url}"`);
});

test('a text of a profile shows a custom emoji', async () => {
  const { name, source_url } = await uploaded();
  const { desdemona, hamlet } = chat.people;
  const { id } = await desdemona.client.customProfileFields.add({
    name: 'About',
    field_type: 2,
  });
  await hamlet.client.customProfileFields.setOwn({ data: [{ id, value: `:${name}:` }] });
  const { user } = await hamlet.client.users.get({
    user_id: hamlet.user.id,
    include_custom_profile_fields: true,
  });
  expect(user.profile_data?.[id]?.rendered_value).toContain(`src="${source_url}"`);
});

test('an emoji that one node stores is served and rendered by another node', async () => {
  const { hamlet, cordelia } = chat.people;
  const other = await chat.anotherNode();
  const client = createClient({
    url: other.url,
    email: cordelia.email,
    apiKey: cordelia.api_key,
  });
  const { name, source_url } = await uploaded();
  const response = await fetch(other.url + source_url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  const content = `:${name}:`;
  await expect
    .poll(async () => (await client.messages.render({ content })).rendered)
    .toContain(`src="${source_url}"`);
  await hamlet.client.realmEmoji.remove({ emoji_name: name });
  await expect
    .poll(async () => (await client.messages.render({ content })).rendered)
    .toBe(`<p>${content}</p>`);
});
