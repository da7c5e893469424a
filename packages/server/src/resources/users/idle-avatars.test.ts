import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** The names of the listed people whose record has no `avatar_url`. */
async function peopleWithoutAvatar(user_avatar_url_field_optional: boolean): Promise<string[]> {
  const { realm_users = [] } = await chat.people.hamlet.client.queues.register({
    fetch_event_types: ['realm_user'],
    client_gravatar: false,
    client_capabilities: { user_avatar_url_field_optional },
  });
  return realm_users.flatMap((user) => (user.avatar_url === undefined ? [user.full_name] : []));
}

test('POST /register omits avatar_url of people not connected for four weeks, with the capability', async () => {
  const { hamlet, iago } = chat.people;
  await hamlet.client.bots.create({ full_name: 'Idle bot', short_name: 'idle' });
  expect(await peopleWithoutAvatar(true)).toEqual([]);
  now += 29 * 86_400;
  await iago.client.presence.update({ status: 'active' });
  expect(await peopleWithoutAvatar(false)).toEqual([]);
  const omitted = await peopleWithoutAvatar(true);
  expect(omitted).toContain('Cordelia');
  expect(omitted).not.toContain('Iago');
  expect(omitted).not.toContain('Idle bot');
});
