import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { startTestChat, type TestChat, type TestResponse } from '../../test-chat.fixture.ts';

let chat: TestChat;
/** The ids of what the requests change; names in braces in their routes. */
let ids: Record<string, number>;
let owners = 0;
beforeAll(async () => {
  chat = await startTestChat();
  const { cordelia, desdemona } = chat.people;
  const gone = await chat.addPerson('gone');
  await desdemona.client.users.deactivate({ user_id: gone.user.id });
  ids = { user: cordelia.user.id, gone: gone.user.id };
});
afterAll(() => chat[Symbol.asyncDispose]());

const requests: readonly (readonly [route: string, fields: Record<string, string>])[] = [
  ['PATCH /users/{user}', { role: '100' }],
  ['PATCH /users/{user}', { full_name: 'Another name' }],
  ['DELETE /users/{user}', {}],
  ['POST /users/{gone}/reactivate', {}],
  ['PATCH /realm', { name: 'Another realm' }],
  ['PATCH /realm', { message_retention_days: '30' }],
  ['PATCH /realm/user_settings_defaults', { enter_sends: 'true' }],
];

test.each(requests)(
  '%s %j is refused to an owner who is demoted at the same time',
  async (route, fields) => {
    const owner = await chat.addPerson(`owner${(owners += 1)}`, roles.owner);
    const path = route.replace(/\{(\w+)\}/, (_whole, name: string) => String(ids[name]));
    const responses: TestResponse[] = [];
    await commitTogether(chat, [
      () =>
        chat.people.desdemona.client.users.update({ user_id: owner.user.id, role: roles.member }),
      async () => responses.push(await chat.ask(owner, path, fields)),
    ]);
    expect(responses).toMatchObject([{ status: 400, body: { result: 'error' } }]);
  },
);
