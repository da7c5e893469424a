import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { waitingForLocks } from '../bots/webhooks.fixture.ts';
import * as realms from './queries.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Gives a permission of the realm to these people alone. */
const permit = (setting: string, ...people: Person[]) =>
  chat.ask(chat.people.desdemona, 'PATCH /realm', {
    [setting]: JSON.stringify({
      new: { direct_members: people.map(({ user }) => user.id), direct_subgroups: [] },
    }),
  });

test.each([
  ['can_create_public_channel_group', 'POST /channels/create', { name: 'one', subscribers: '[]' }],
  [
    'can_create_public_channel_group',
    'POST /users/me/subscriptions',
    { subscriptions: '[{"name":"two"}]' },
  ],
  ['can_create_groups', 'POST /user_groups/create', { name: 'g', description: '', members: '[]' }],
  ['can_invite_users_group', 'POST /invites', { invitee_emails: 'a@chat.test', stream_ids: '[]' }],
  ['create_multiuse_invite_group', 'POST /invites/multiuse', { stream_ids: '[]' }],
  ['can_create_bots_group', 'POST /bots', { full_name: 'Bot', short_name: 'bot' }],
])(
  'a user keeps %s while it is given to others too, for %s that waits for the change',
  async (setting, route, fields) => {
    const { hamlet, cordelia } = chat.people;
    await permit(setting, hamlet);
    let answers: Promise<Awaited<ReturnType<TestChat['ask']>>[]> | undefined;
    await chat.server.app.db.transaction(async (tx) => {
      await realms.lock(tx, chat.realm.id);
      const change = permit(setting, hamlet, cordelia);
      await expect.poll(() => waitingForLocks(chat)).toBe(1);
      answers = Promise.all([change, chat.ask(hamlet, route, fields)]);
      await expect.poll(() => waitingForLocks(chat)).toBe(2);
    });
    expect((await answers)?.map(({ body }) => body['msg'])).toEqual(['', '']);
  },
);
