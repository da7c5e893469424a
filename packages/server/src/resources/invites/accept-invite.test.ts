import { type Api, type AskOf, type ChannelId, type Role, roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

const PASSWORD = 'a long password';
const INVALID = 'This invitation is not valid: it has expired, or was revoked or used before.';
type Params = Partial<AskOf<Api['invites']['send']>>;
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
async function invited(by: Person, params: Params = {}) {
  const email = address();
  await by.client.invites.send({ invitee_emails: email, stream_ids: [], ...params });
  return { email, key: await keyFor(email) };
}
const accept = (key: string, fields = {}) =>
  chat.ask(null, 'POST /invites/accept', {
    key,
    full_name: `Laertes ${count}`,
    password: PASSWORD,
    ...fields,
  });
const logIn = (email: string) =>
  chat.people.hamlet.client.accounts.fetchApiKey({ username: email, password: PASSWORD });
const userOf = async (email: string) =>
  (await chat.people.iago.client.users.get({ user_id: email })).user;
const newChannel = async (by: Person, name: string, more = {}) => {
  await by.client.subscriptions.add({ subscriptions: [{ name }], ...more });
  return (await by.client.channels.id({ stream: name })).stream_id;
};
const subscribers = async (by: Person, stream_id: ChannelId) =>
  (await by.client.channels.subscribers({ stream_id })).subscribers;
/** The contents of the direct messages that a user can read. */
const directMessages = async (email: string, api_key: string) => {
  const { body } = await chat.ask({ ...chat.people.hamlet, email, api_key }, 'GET /messages', {
    anchor: 'newest',
    num_before: '20',
    num_after: '0',
    apply_markdown: 'false',
    narrow: '[{"operator":"is","operand":"dm"}]',
  });
  const messages = body['messages'] as { content: string; sender_full_name: string }[];
  return messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`);
};

describe('accepting an invitation', () => {
  test('creates the account with role, channels and messages that were promised', async () => {
    const { iago, hamlet } = chat.people;
    const secret = await newChannel(iago, 'secret', { invite_only: true });
    const byDefault = await newChannel(iago, 'everyone', { is_default_stream: true });
    const { group_id } = await iago.client.userGroups.create({
      name: 'fencers',
      description: '',
      members: [iago.user.id],
    });
    const queue = await listen(hamlet);
    const { email, key } = await invited(iago, {
      group_ids: [group_id],
      invite_as: roles.moderator,
      stream_ids: [secret],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'Meet us in **Elsinore**.',
    });
    const { status, body } = await accept(key, { full_name: '  Laertes of Paris ' });
    expect([status, body['email']]).toEqual([200, email]);
    const user = await userOf(email);
    expect(user).toMatchObject({ full_name: 'Laertes of Paris', role: roles.moderator });
    expect(body['user_id']).toBe(user.user_id);
    expect(await logIn(email)).toMatchObject({ api_key: body['api_key'] });
    for (const channel of [secret, byDefault])
      expect(await subscribers(iago, channel)).toContain(user.user_id);
    const seen = await queue.all();
    expect(seen.filter(({ type }) => type === 'realm_user')).toMatchObject([
      { op: 'add', person: { email } },
    ]);
    expect(seen).toContainEqual(
      expect.objectContaining({ op: 'add_members', group_id, user_ids: [user.user_id] }),
    );
    expect(await directMessages(email, String(body['api_key']))).toEqual([
      expect.stringMatching(/^Welcome Bot: Hello, and welcome!/),
      'Welcome Bot: Meet us in **Elsinore**.',
    ]);
    expect(await directMessages(iago.email, iago.api_key)).toContain(
      `Notification Bot: @_**Laertes of Paris|${user.user_id}** accepted your invitation and has joined.`,
    );
    await vi.waitFor(
      () =>
        expect(chat.mails).toContainEqual(
          expect.objectContaining({ to: email, subject: 'Your account at Test' }),
        ),
      15_000,
    );
  });

  test('works once, also for two at the same time', async () => {
    const { key } = await invited(chat.people.iago);
    const answers = await Promise.all([accept(key), accept(key)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await accept(key)).body).toMatchObject({ code: 'BAD_REQUEST', msg: INVALID });
  });

  test('ends the other invitations of the same address, and tells their inviters', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    const { email, key } = await invited(iago);
    await hamlet.client.invites.send({ invitee_emails: email.toUpperCase(), stream_ids: [] });
    const other = await keyFor(email.toUpperCase());
    const queues = await Promise.all([iago, hamlet, cordelia].map((one) => listen(one)));
    expect((await accept(key)).status).toBe(200);
    const told = await Promise.all(queues.map((queue) => queue.events('invites_changed')));
    expect(told.map((events) => events.length)).toEqual([1, 1, 0]);
    expect((await accept(other)).body['msg']).toBe(INVALID);
    const { invites } = await iago.client.invites.list({});
    expect(JSON.stringify(invites).toLowerCase()).not.toContain(`"${email}"`);
  });

  test('is refused after it expired, was revoked or was sent again', async () => {
    const { cordelia } = chat.people;
    const expired = await invited(cordelia, { invite_expires_in_minutes: 1 });
    now += 61;
    const revoked = await invited(cordelia);
    const replaced = await invited(cordelia);
    const { invites } = await cordelia.client.invites.list({});
    const idOf = (email: string) => {
      const found = invites.find((one) => !one.is_multiuse && one.email === email);
      if (!found) throw new Error('not listed');
      return { invite_id: found.id };
    };
    await cordelia.client.invites.revoke(idOf(revoked.email));
    await cordelia.client.invites.resend(idOf(replaced.email));
    for (const { key } of [expired, revoked, replaced])
      expect((await accept(key)).body).toMatchObject({ code: 'BAD_REQUEST', msg: INVALID });
    await vi.waitFor(
      async () => expect(await keyFor(replaced.email)).not.toBe(replaced.key),
      15_000,
    );
    expect((await accept(await keyFor(replaced.email))).status).toBe(200);
  });

  test('is refused after the inviter was deactivated or lost the right to give the role', async () => {
    const claudius = await chat.addPerson('claudius', roles.owner);
    const asOwner = await invited(claudius, { invite_as: roles.owner });
    const asMember = await invited(claudius);
    const { kysely } = chat.server.app.db;
    const change = (values: { role?: 400; is_active?: boolean }) =>
      kysely.updateTable('realm_user').set(values).where('id', '=', claudius.user.id).execute();
    await change({ role: roles.member });
    expect((await accept(asOwner.key)).body['msg']).toBe(INVALID);
    await change({ is_active: false });
    expect((await accept(asMember.key)).body['msg']).toBe(INVALID);
    await change({ is_active: true });
    expect((await accept(asMember.key)).status).toBe(200);
  });

  test('is refused to somebody who has an account meanwhile', async () => {
    const { key, email } = await invited(chat.people.iago);
    const { kysely } = chat.server.app.db;
    const { user } = await chat.addPerson('fortinbras');
    const change = (values: { delivery_email?: string; is_active?: boolean }) =>
      kysely.updateTable('realm_user').set(values).where('id', '=', user.id).execute();
    await change({ delivery_email: email });
    expect((await accept(key)).body['msg']).toBe(
      'You already have an account with this e-mail address: sign in.',
    );
    await change({ is_active: false });
    expect((await accept(key)).body['msg']).toBe(
      'Your account was deactivated: ask an administrator to reactivate it.',
    );
  });

  test.each([
    [{ password: 'short' }, 'The password is too weak.'],
    [{ full_name: ' ' }, 'Name too short!'],
    [{ full_name: 'a@b' }, 'Invalid characters in name!'],
    [{ key: 'x'.repeat(32) }, INVALID],
  ])('is refused with %j, and can be repeated', async (fields: Record<string, string>, msg) => {
    const { key } = await invited(chat.people.iago);
    expect((await accept(key, fields)).body).toMatchObject({ code: 'BAD_REQUEST', msg });
    expect((await accept(key)).status).toBe(200);
  });

  test('tells the inviter nothing with notify_referrer_on_join false; an empty welcome text sends only the greeting', async () => {
    const { iago } = chat.people;
    await resetRealmSettings(chat, { welcome_message_custom_text: 'From the realm.' });
    const before = await directMessages(iago.email, iago.api_key);
    const { email, key } = await invited(iago, {
      notify_referrer_on_join: false,
      welcome_message_custom_text: '',
    });
    const { body } = await accept(key);
    expect(await directMessages(iago.email, iago.api_key)).toEqual(before);
    expect(await directMessages(email, String(body['api_key']))).toHaveLength(1);
    const other = await invited(iago);
    const joined = await accept(other.key);
    expect(await directMessages(other.email, String(joined.body['api_key']))).toContain(
      'Welcome Bot: From the realm.',
    );
    await resetRealmSettings(chat, {});
  });

  test('is announced in the channel that the realm has set, and sends no welcome mail if the realm has switched it off', async () => {
    const { iago } = chat.people;
    const hall = await newChannel(iago, 'hall');
    await resetRealmSettings(chat, {
      signup_announcements_stream_id: hall,
      send_welcome_emails: false,
    });
    const { email, key } = await invited(iago);
    await accept(key, { full_name: 'Osric' });
    const { messages } = await iago.client.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'channel', operand: hall }],
    });
    const { user_id } = await userOf(email);
    expect(messages).toMatchObject([
      { subject: 'signups', content: `@_**Osric|${user_id}** has joined.` },
    ]);
    expect(chat.mails.filter(({ to }) => to === email)).toHaveLength(1);
    await resetRealmSettings(chat, {});
  });

  test('skips channels that were archived meanwhile', async () => {
    const { iago } = chat.people;
    const closed = await newChannel(iago, 'closed');
    const { key } = await invited(iago, { stream_ids: [closed] });
    const { kysely } = chat.server.app.db;
    await kysely
      .updateTable('channel')
      .set({ is_archived: true })
      .where('id', '=', closed)
      .execute();
    const { status, body } = await accept(key);
    expect(status).toBe(200);
    expect(await subscribers(iago, closed)).not.toContain(body['user_id']);
  });
});

describe('a reusable link', () => {
  const request = (key: string, email: string) =>
    chat.ask(null, 'POST /invites/request', { key, email });
  const newLink = async (params = {}) => {
    const { invite_link } = await chat.people.iago.client.invites.createLink(params);
    return invite_link.split('/').at(-1) ?? '';
  };

  test('lets several people join, each by a mail that confirms the address', async () => {
    const link = await newLink({ invite_as: roles.guest });
    for (const email of [address(), address()]) {
      expect((await request(link, email)).status).toBe(200);
      const { body } = await accept(await keyFor(email));
      expect(body).toMatchObject({ result: 'success', email });
      expect(await userOf(email)).toMatchObject({ role: roles.guest });
    }
    const { invites } = await chat.people.iago.client.invites.list({});
    expect(invites.filter(({ is_multiuse }) => is_multiuse)).toHaveLength(1);
  });

  test('at POST /invites/accept, and the link of a mail at POST /invites/request, is refused with the name of the right endpoint', async () => {
    expect(await accept(await newLink())).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining('POST /invites/request') },
    });
    const email = address();
    await chat.people.iago.client.invites.send({ invitee_emails: email, stream_ids: [] });
    expect(await request(await keyFor(email), address())).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining('POST /invites/accept') },
    });
  });

  test('tells only the owner of an address that it has an account', async () => {
    const link = await newLink();
    const { status, body } = await request(link, 'hamlet@chat.test');
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    await vi.waitFor(
      () =>
        expect(chat.mails.findLast(({ to }) => to === 'hamlet@chat.test')?.text).toContain(
          'has an account there already',
        ),
      15_000,
    );
  });

  test('a reusable link that is revoked or expires ends the invitations mailed through it', async () => {
    const { iago } = chat.people;
    const link = await newLink();
    const [first, second] = [address(), address()];
    await request(link, first);
    const { invites } = await iago.client.invites.list({});
    const row = invites.findLast(({ is_multiuse }) => is_multiuse);
    await iago.client.invites.revokeLink({ invite_id: row?.id ?? (0 as never) });
    expect((await accept(await keyFor(first))).body['msg']).toBe(INVALID);
    const brief = await newLink({ invite_expires_in_minutes: 1 });
    await request(brief, second);
    now += 61;
    expect((await accept(await keyFor(second))).body['msg']).toBe(INVALID);
    expect((await request(brief, second)).body['msg']).toBe(INVALID);
  });

  test('accepts no malformed address', async () => {
    expect((await request(await newLink(), 'a\tb@x.de')).body['msg']).toBe(
      'Enter a valid email address.',
    );
  });

  test('limits the mails that an IP address causes and that a receiver gets in a day', async () => {
    await using limited = await startTestChat({
      env: { BELLHOP_DAILY_MAILS_IP: '2' },
      now: () => now,
    });
    const { invite_link } = await limited.people.iago.client.invites.createLink({});
    const key = invite_link.split('/').at(-1) ?? '';
    const ask = (email: string) => limited.ask(null, 'POST /invites/request', { key, email });
    expect((await ask('a@x.de')).status).toBe(200);
    expect((await ask('b@x.de')).status).toBe(200);
    const { status, body } = await ask('c@x.de');
    expect([status, body['code']]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(body['retry-after']).toBeGreaterThan(0);
  });
});

test('an invitation is not sent again after its inviter lost the right to give the role', async () => {
  const { iago, desdemona } = chat.people;
  const { email } = await invited(iago, { invite_as: roles.moderator });
  const change = (role: Role) => desdemona.client.users.update({ user_id: iago.user.id, role });
  await change(roles.member);
  const { invites } = await desdemona.client.invites.list();
  const invite_id = invites.find((one) => !one.is_multiuse && one.email === email)?.id;
  const { body } = await chat.ask(desdemona, `POST /invites/${invite_id}/resend`);
  await change(roles.admin);
  expect(body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Iago may no longer invite people with this role: revoke the invitation and send your own.',
  });
});
