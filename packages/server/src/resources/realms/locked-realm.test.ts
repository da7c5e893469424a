import { afterAll, beforeAll, expect, test } from 'vitest';

import * as realms from '../../model/realms/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { waitingForLocks } from '../../waiting-for-locks.fixture.ts';

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

type Ask = () => ReturnType<TestChat['ask']>;

/** Sends two requests that wait for the lock of the realm, the second one behind the first. */
async function oneAfterTheOther(first: Ask, second: Ask) {
  let asked: readonly ReturnType<Ask>[] = [];
  await chat.server.app.db.transaction(async (tx) => {
    await realms.lock(tx, chat.realm.id);
    asked = [first()];
    await expect.poll(() => waitingForLocks(chat)).toBe(1);
    asked = [...asked, second()];
    await expect.poll(() => waitingForLocks(chat)).toBe(2);
  });
  return Promise.all(asked);
}

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
    const answers = await oneAfterTheOther(
      () => permit(setting, hamlet, cordelia),
      () => chat.ask(hamlet, route, fields),
    );
    expect(answers.map(({ body }) => body['msg'])).toEqual(['', '']);
  },
);

test('a user who is deactivated at the same time creates no group', async () => {
  const leaver = await chat.addPerson('leaver');
  await permit('can_create_groups', leaver);
  const group = { name: 'left', description: '', members: '[]' };
  const [, created] = await oneAfterTheOther(
    () => chat.ask(chat.people.desdemona, `DELETE /users/${leaver.user.id}`),
    () => chat.ask(leaver, 'POST /user_groups/create', group),
  );
  expect(created?.body).toMatchObject({ code: 'USER_DEACTIVATED' });
});
