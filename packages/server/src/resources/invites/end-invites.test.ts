import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { newEmailKey } from '../email-changes/new-email-key.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
const listOf = async ({ client }: Person) => (await client.invites.list({})).invites;

describe('the invitation of an address ends, and its inviter and administrators are told, when', () => {
  test.each<[string, (email: string) => Promise<unknown>]>([
    [
      'an administrator creates an account with it',
      (email) =>
        chat.people.desdemona.client.users.create({
          email: email.toUpperCase(),
          full_name: 'Ophelia',
          password: 'a long password',
        }),
    ],
    [
      'an owner gives it to a user',
      async (new_email) => {
        const { user } = await chat.addPerson('osric');
        await chat.people.desdemona.client.users.update({ user_id: user.id, new_email });
      },
    ],
    [
      'a user confirms it as their new address',
      async (email) => {
        await expect.poll(() => chat.mails.some(({ to }) => to === email)).toBe(true);
        const key = await newEmailKey(chat, await chat.addPerson('yorick'), email);
        await chat.people.hamlet.client.emailChanges.confirm({ key });
      },
    ],
  ])('%s', async (_when, take) => {
    const { iago, hamlet, cordelia } = chat.people;
    const email = `ophelia${(count += 1)}@example.com`;
    await hamlet.client.invites.send({ invitee_emails: email, stream_ids: [] });
    const invite_id = (await listOf(hamlet))[0]?.id ?? (0 as never);
    const queues = await Promise.all([iago, hamlet, cordelia].map((one) => listen(one)));
    await take(email);
    const told = await Promise.all(queues.map((queue) => queue.events('invites_changed')));
    expect(told.map((events) => events.length)).toEqual([1, 1, 0]);
    expect(await listOf(iago)).toEqual([]);
    await expect(hamlet.client.invites.resend({ invite_id })).rejects.toMatchObject({
      message: 'No such invitation',
    });
  });
});

test.each<[string, (by: Person) => Promise<unknown>]>([
  [
    'POST /invites',
    ({ client }) => client.invites.send({ invitee_emails: 'gertrude@example.com', stream_ids: [] }),
  ],
  ['POST /invites/multiuse', ({ client }) => client.invites.createLink({})],
])('%s by a user who is deactivated at the same time is refused', async (_route, invite) => {
  const { client } = chat.people.desdemona;
  const inviter = await chat.addPerson(`claudius${(count += 1)}`, roles.admin);
  const { id: user_id } = inviter.user;
  await commitTogether(chat, [
    () => client.users.deactivate({ user_id }),
    () => expect(invite(inviter)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' }),
  ]);
  await client.users.reactivate({ user_id });
  const invites = await listOf(chat.people.desdemona);
  expect(invites.filter((one) => one.invited_by_user_id === user_id)).toEqual([]);
});

test('a link that is revoked at the same time sends no mail', async () => {
  const { iago } = chat.people;
  const { invite_link } = await iago.client.invites.createLink({});
  const invite_id = (await listOf(iago))[0]?.id ?? (0 as never);
  const request = { key: invite_link.split('/').at(-1) ?? '', email: 'rosencrantz@example.com' };
  await commitTogether(chat, [
    () => iago.client.invites.revokeLink({ invite_id }),
    async () =>
      expect(await chat.ask(null, 'POST /invites/request', request)).toMatchObject({
        status: 400,
        body: { msg: expect.stringContaining('This invitation is not valid') },
      }),
  ]);
});
