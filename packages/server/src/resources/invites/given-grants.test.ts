import { type Api, type AskOf, type ChannelId, roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { unsubscribe } from '../channels/channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const INVALID = 'This invitation is not valid: it has expired, or was revoked or used before.';
let count = 0;
const address = () => `laertes${++count}@example.com`;

const keyFor = (email: string) =>
  vi.waitFor(() => {
    const mail = chat.mails.findLast(({ to }) => to === email);
    const key = /\/join\/(\w+)/.exec(mail?.text ?? '')?.[1];
    if (key === undefined) throw new Error(`No link for ${email}`);
    return key;
  }, 15_000);

/** Invites somebody; returns their address and the key in their mail. */
async function invited(by: Person, params: Partial<AskOf<Api['invites']['send']>> = {}) {
  const email = address();
  await by.client.invites.send({ invitee_emails: email, stream_ids: [], ...params });
  return { email, key: await keyFor(email) };
}
const accept = (key: string) =>
  chat.ask(null, 'POST /invites/accept', {
    key,
    full_name: `Laertes ${count}`,
    password: 'a long password',
  });
const userOf = async (email: string) =>
  (await chat.people.iago.client.users.get({ user_id: email })).user;
const groupNamed = async (name: string) =>
  (
    await chat.server.app.db.kysely
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id;
const newChannel = async (by: Person, name: string, more = {}) => {
  await by.client.subscriptions.add({ subscriptions: [{ name }], ...more });
  return (await by.client.channels.id({ stream: name })).stream_id;
};
const subscribers = async (by: Person, stream_id: ChannelId) =>
  (await by.client.channels.subscribers({ stream_id })).subscribers;

describe('an invitation that is accepted', () => {
  test('is refused after its sender, or the creator of its link, may no longer invite anybody', async () => {
    const { hamlet, iago, desdemona } = chat.people;
    const { key } = await invited(hamlet);
    const { invite_link } = await iago.client.invites.createLink({ stream_ids: [] });
    const ofLink = /\/join\/(\w+)/.exec(invite_link)?.[1] ?? '';
    const email = address();
    await chat.ask(null, 'POST /invites/request', { key: ofLink, email });
    const asked = await keyFor(email);
    const nobody = await groupNamed('role:nobody');
    const { can_invite_users_group, create_multiuse_invite_group } = chat.realm.group_settings;
    const set = (settings: object) => desdemona.client.realms.update(settings as never);
    await set({
      can_invite_users_group: { new: nobody },
      create_multiuse_invite_group: { new: nobody },
    });
    for (const one of [key, asked]) expect((await accept(one)).body['msg']).toBe(INVALID);
    const again = { key: ofLink, email: address() };
    expect((await chat.ask(null, 'POST /invites/request', again)).body['msg']).toBe(INVALID);
    await set({
      can_invite_users_group: { new: can_invite_users_group },
      create_multiuse_invite_group: { new: create_multiuse_invite_group },
    });
    expect((await accept(key)).status).toBe(200);
    const { invites } = await iago.client.invites.list({});
    const links = invites.filter(({ is_multiuse }) => is_multiuse);
    for (const { id: invite_id } of links) await iago.client.invites.revokeLink({ invite_id });
  });

  test('gives no channel and no group to which its sender may no longer add people, and no text of theirs', async () => {
    const { iago, desdemona, hamlet } = chat.people;
    const claudius = await chat.addPerson('claudius two', roles.admin);
    const secret = await newChannel(claudius, 'claudius only', {
      invite_only: true,
      principals: [claudius.user.id, hamlet.user.id],
    });
    const open = await newChannel(iago, 'open to claudius');
    const { group_id } = await claudius.client.userGroups.create({
      name: 'conspirators',
      description: '',
      members: [claudius.user.id],
    });
    const grants = {
      stream_ids: [secret, open],
      group_ids: [group_id],
      welcome_message_custom_text: 'Welcome to the conspiracy.',
    };
    const granted = await invited(claudius, grants);
    const withheld = await invited(claudius, grants);
    await accept(granted.key);
    const first = (await userOf(granted.email)).user_id;
    expect(await subscribers(hamlet, secret)).toContain(first);
    await desdemona.client.users.update({ user_id: claudius.user.id, role: roles.member });
    await unsubscribe(chat, secret, claudius.user.id);
    const nobody = await groupNamed('role:nobody');
    await desdemona.client.userGroups.update({
      user_group_id: group_id,
      can_add_members_group: { new: nobody },
      can_manage_group: { new: nobody },
    } as never);
    const { body } = await accept(withheld.key);
    expect(body).toMatchObject({ result: 'success' });
    const { user_id } = await userOf(withheld.email);
    expect(await subscribers(hamlet, secret)).not.toContain(user_id);
    expect(await subscribers(iago, open)).toContain(user_id);
    const { members } = await iago.client.userGroups.members({ user_group_id: group_id });
    expect(members).toContain(first);
    expect(members).not.toContain(user_id);
    const joined = { ...claudius, email: withheld.email, api_key: String(body['api_key']) };
    const welcome = await chat.ask(joined, 'GET /messages', {
      anchor: 'newest',
      num_before: '20',
      num_after: '0',
    });
    expect(welcome.body['messages']).not.toEqual([]);
    expect(JSON.stringify(welcome.body)).not.toContain('conspiracy');
  });
});
