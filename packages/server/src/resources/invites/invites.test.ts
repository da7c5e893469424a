import { type Api, type AskOf, roles } from '@bellhop/protocol';
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

type Params = Partial<AskOf<Api['invites']['send']>>;
let count = 0;
const address = () => `ophelia${++count}@example.com`;
const send = (by: Person, params: Params = {}) =>
  by.client.invites.send({ invitee_emails: address(), stream_ids: [], ...params });
const refused = (by: Person, fields: Record<string, string>) =>
  chat.ask(by, 'POST /invites', { invitee_emails: address(), stream_ids: '[]', ...fields });
const listOf = async ({ client }: Person) => (await client.invites.list({})).invites;
const newestOf = async (by: Person) => {
  const newest = (await listOf(by)).at(-1);
  if (!newest) throw new Error('There is no invitation');
  return newest;
};
const mailTo = (email: string) =>
  vi.waitFor(() => {
    const mail = chat.mails.findLast(({ to }) => to === email);
    if (!mail) throw new Error(`No mail to ${email}`);
    return mail;
  }, 15_000);
const newChannel = async (by: Person, name: string, more = {}) => {
  await by.client.subscriptions.add({ subscriptions: [{ name }], ...more });
  return (await by.client.channels.id({ stream: name })).stream_id;
};

describe('an invitation by e-mail', () => {
  test('arrives as a mail with a link, and is listed until it is revoked', async () => {
    const { hamlet } = chat.people;
    const email = address();
    await send(hamlet, { invitee_emails: `"Ophelia, the fair" <${email}>` });
    const invite = await newestOf(hamlet);
    expect(invite).toEqual({
      id: expect.any(Number),
      email,
      invited_by_user_id: hamlet.user.id,
      invited: now,
      expiry_date: now + 14_400 * 60,
      invited_as: roles.member,
      is_multiuse: false,
      notify_referrer_on_join: true,
    });
    const mail = await mailTo(email);
    expect(mail).toMatchObject({ from_name: 'Test', subject: 'Hamlet invites you to Test' });
    expect(mail.text).toMatch(/http:\/\/chat\.test\/join\/\w{32}\n/);
    await hamlet.client.invites.revoke({ invite_id: invite.id });
    expect(await listOf(hamlet)).not.toContainEqual(invite);
    await expect(hamlet.client.invites.revoke({ invite_id: invite.id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'No such invitation',
    });
  });

  test.each([
    [null, null],
    [60, 3600],
  ])('with invite_expires_in_minutes %j expires after %j s', async (minutes, seconds) => {
    const { cordelia } = chat.people;
    await send(cordelia, { invite_expires_in_minutes: minutes });
    const { id, expiry_date } = await newestOf(cordelia);
    expect(expiry_date).toBe(seconds && now + seconds);
    now += 3601;
    const left = (await listOf(cordelia)).map((one) => one.id);
    expect(left.includes(id)).toBe(seconds === null);
  });

  test('sent again is valid for its whole time and has another link', async () => {
    const { cordelia } = chat.people;
    const email = address();
    await send(cordelia, { invitee_emails: email, invite_expires_in_minutes: 60 });
    const first = await mailTo(email);
    now += 600;
    const { id } = await newestOf(cordelia);
    await cordelia.client.invites.resend({ invite_id: id });
    expect(await newestOf(cordelia)).toMatchObject({ id, invited: now, expiry_date: now + 3600 });
    await vi.waitFor(
      () => expect(chat.mails.filter(({ to }) => to === email)).toHaveLength(2),
      15_000,
    );
    expect((await mailTo(email)).text).not.toBe(first.text);
  });

  test('is stored without its secret', async () => {
    const email = address();
    await send(chat.people.iago, { invitee_emails: email });
    const [, token = ''] = /join\/(\w+)/.exec((await mailTo(email)).text) ?? [];
    const { kysely } = chat.server.app.db;
    const rows = await kysely.selectFrom('invite').selectAll().execute();
    expect(token).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.find((row) => row.email === email)?.token_sealed).toBeNull();
  });
});

describe('POST /invites', () => {
  test.each([
    [{ invitee_emails: ' ,\n' }, 'You must specify at least one email address.'],
    [{ stream_ids: '[9999]' }, 'Invalid channel ID 9999. No invites were sent.'],
    [{ group_ids: '[9999]' }, 'Invalid user group'],
  ])('is refused with %j', async (fields: Record<string, string>, msg) => {
    const { status, body } = await refused(chat.people.iago, fields);
    expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg }]);
  });

  test('is refused to guests, to bots and to those outside can_invite_users_group', async () => {
    const { iago, hamlet, polonius } = chat.people;
    const { api_key, user_id } = await hamlet.client.bots.create({
      full_name: 'Inviter',
      short_name: 'inviter',
    });
    const bot = { ...hamlet, api_key, email: 'inviter-bot@chat.test' };
    expect(user_id).toBeGreaterThan(0);
    expect((await refused(polonius, {})).body).toMatchObject({
      msg: 'Not allowed for guest users',
    });
    expect((await refused(bot, {})).body).toMatchObject({
      msg: 'This endpoint does not accept bot requests.',
    });
    await resetRealmSettings(chat, {}, { can_invite_users_group: 'role:administrators' });
    expect((await refused(hamlet, {})).body).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'Insufficient permission',
    });
    expect((await refused(iago, {})).status).toBe(200);
    await resetRealmSettings(chat, {});
  });

  test.each([
    ['iago', 100, 'Must be an organization owner'],
    ['shiva', 300, 'Must be an organization administrator'],
    ['hamlet', 200, 'Must be an organization administrator'],
    ['desdemona', 100, undefined],
    ['iago', 200, undefined],
    ['iago', 300, undefined],
    ['hamlet', 600, undefined],
  ] as const)('by %s with invite_as %i: %s', async (name, role, msg) => {
    const { body } = await refused(chat.people[name], { invite_as: String(role) });
    expect(body).toMatchObject(
      msg === undefined ? { result: 'success' } : { code: 'UNAUTHORIZED_PRINCIPAL', msg },
    );
  });

  test('accepts only channels to which the caller may add subscribers', async () => {
    const { iago, hamlet } = chat.people;
    const open = await newChannel(iago, 'open');
    const secret = await newChannel(iago, 'secret', { invite_only: true });
    const ask = async (stream_id: number) =>
      (await refused(hamlet, { stream_ids: `[${stream_id}]` })).body['msg'];
    expect(await ask(open)).toBe('');
    expect(await ask(secret)).toBe(`Invalid channel ID ${secret}. No invites were sent.`);
    await resetRealmSettings(chat, {}, { can_add_subscribers_group: 'role:administrators' });
    const refusal = 'You do not have permission to subscribe other users to channels.';
    expect(await ask(open)).toBe(refusal);
    const byDefault = await newChannel(iago, 'by default', { is_default_stream: true });
    expect(await ask(byDefault)).toBe(refusal);
    expect((await refused(hamlet, { include_realm_default_subscriptions: 'true' })).status).toBe(
      200,
    );
    await resetRealmSettings(chat, {});
  });

  test('accepts no system group', async () => {
    const { realm_user_groups = [] } = await chat.people.iago.client.queues.register({
      fetch_event_types: ['realm_user_groups'],
    });
    const group = realm_user_groups.find(({ name }) => name === 'role:owners');
    const { body } = await refused(chat.people.desdemona, { group_ids: `[${group?.id}]` });
    expect(body['msg']).toBe('Insufficient permission');
  });

  test('names only groups to which the inviter may add users', async () => {
    const { iago, hamlet } = chat.people;
    const { group_id } = await iago.client.userGroups.create({
      name: 'guards',
      description: '',
      members: [],
    });
    const fields = { group_ids: `[${group_id}]` };
    expect((await refused(hamlet, fields)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Insufficient permission',
    });
    expect((await refused(iago, fields)).status).toBe(200);
  });

  test('refuses all addresses if one is malformed', async () => {
    const email = address();
    const { status, body } = await refused(chat.people.iago, {
      invitee_emails: `${email}, nobody, .s@x, a@b\tc`,
    });
    expect([status, body]).toEqual([
      400,
      {
        result: 'error',
        code: 'INVITATION_FAILED',
        msg: expect.any(String),
        errors: [
          ['nobody', 'Enter a valid email address.', false],
          ['.s@x', 'Enter a valid email address.', false],
          ['a@b\tc', 'Enter a valid email address.', false],
        ],
        sent_invitations: false,
        daily_limit_reached: false,
        license_limit_reached: false,
      },
    ]);
    expect(JSON.stringify(await listOf(chat.people.iago))).not.toContain(email);
  });

  test('invites the others if some have accounts, and names deactivated ones', async () => {
    const { iago } = chat.people;
    const gone = await chat.addPerson('yorick');
    const { kysely } = chat.server.app.db;
    await kysely
      .updateTable('realm_user')
      .set({ is_active: false })
      .where('id', '=', gone.user.id)
      .execute();
    const email = address();
    const { body } = await refused(iago, {
      invitee_emails: `HAMLET@chat.test\n${email},yorick@chat.test`,
    });
    expect(body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [
        ['HAMLET@chat.test', 'Already has an account.', false],
        ['yorick@chat.test', 'Account has been deactivated.', true],
      ],
      sent_invitations: true,
    });
    expect(await newestOf(iago)).toMatchObject({ email });
    const none = await refused(iago, { invitee_emails: 'hamlet@chat.test' });
    expect(none.body).toMatchObject({ code: 'INVITATION_FAILED', sent_invitations: false });
  });

  test('keeps a welcome text only of administrators', async () => {
    const { iago, hamlet } = chat.people;
    const [byAdmin, byMember] = [address(), address()];
    for (const [by, invitee_emails] of [
      [iago, byAdmin],
      [hamlet, byMember],
    ] as const)
      await send(by, { invitee_emails, welcome_message_custom_text: 'Hail!' });
    const { kysely } = chat.server.app.db;
    const rows = await kysely.selectFrom('invite').select(['email', 'welcome_text']).execute();
    expect(rows).toContainEqual({ email: byAdmin, welcome_text: 'Hail!' });
    expect(rows).toContainEqual({ email: byMember, welcome_text: null });
    expect((await refused(iago, { welcome_message_custom_text: 'null' })).status).toBe(200);
    const { body } = await refused(iago, { welcome_message_custom_text: 'x'.repeat(8001) });
    expect(body).toMatchObject({ code: 'BAD_REQUEST', var_name: 'welcome_message_custom_text' });
  });

  test('tells administrators and the inviter, and nobody else', async () => {
    const { desdemona, iago, shiva, hamlet, cordelia } = chat.people;
    const queues = await Promise.all(
      [desdemona, iago, shiva, hamlet, cordelia].map((one) => listen(one)),
    );
    await send(hamlet);
    const told = await Promise.all(queues.map((queue) => queue.events('invites_changed')));
    expect(told.map((events) => events.length)).toEqual([1, 1, 0, 1, 0]);
  });
});

describe('limits of a day', () => {
  test.each([
    ['a user', { BELLHOP_DAILY_INVITES_USER: '3' }, [200, 400, 200]],
    ['a realm', { BELLHOP_DAILY_INVITES_REALM: '3' }, [200, 400, 400]],
  ])('of %s: no more invitations are sent than the limit', async (_of, env, expected) => {
    let time = now;
    await using limited = await startTestChat({ env, now: () => time });
    const { hamlet, cordelia } = limited.people;
    const ask = (by: Person, emails: string) =>
      limited.ask(by, 'POST /invites', { invitee_emails: emails, stream_ids: '[]' });
    const answers = [
      await ask(hamlet, 'a@x.de,b@x.de'),
      await ask(hamlet, 'c@x.de,d@x.de'),
      await ask(cordelia, 'c@x.de,d@x.de'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect(answers[1]?.body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [],
      sent_invitations: false,
      daily_limit_reached: true,
    });
    time += 86_400;
    expect((await ask(hamlet, 'c@x.de,d@x.de')).status).toBe(200);
  });

  test('an address that got five invitations gets no more', async () => {
    const { iago } = chat.people;
    const email = address();
    for (let sent = 0; sent < 5; sent++) await send(iago, { invitee_emails: email });
    const other = address();
    const { body } = await refused(iago, { invitee_emails: `${email},${other}` });
    expect(body).toMatchObject({
      errors: [[email, 'Too many invitations were sent to this address today.', false]],
      sent_invitations: true,
    });
    expect(await newestOf(iago)).toMatchObject({ email: other });
  });
});

describe('the invitations of others', () => {
  test('are listed for administrators, not for members', async () => {
    const { iago, hamlet, cordelia, polonius } = chat.people;
    await send(hamlet);
    const { id } = await newestOf(hamlet);
    expect((await listOf(iago)).map((one) => one.id)).toContain(id);
    expect((await listOf(cordelia)).map((one) => one.id)).not.toContain(id);
    await expect(listOf(polonius)).rejects.toMatchObject({
      message: 'Not allowed for guest users',
    });
  });

  test('are revoked and sent again by administrators; those of owners for owners by owners', async () => {
    const { desdemona, iago, hamlet, cordelia } = chat.people;
    await send(hamlet);
    const { id: invite_id } = await newestOf(hamlet);
    const unknown = { message: 'No such invitation' };
    await expect(cordelia.client.invites.revoke({ invite_id })).rejects.toMatchObject(unknown);
    await expect(cordelia.client.invites.resend({ invite_id })).rejects.toMatchObject(unknown);
    await iago.client.invites.resend({ invite_id });
    await iago.client.invites.revoke({ invite_id });
    await send(desdemona, { invite_as: roles.owner });
    const owner = { invite_id: (await newestOf(desdemona)).id };
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL' };
    await expect(iago.client.invites.revoke(owner)).rejects.toMatchObject(refusal);
    await expect(iago.client.invites.resend(owner)).rejects.toMatchObject(refusal);
    await desdemona.client.invites.revoke(owner);
  });
});

describe('a reusable link', () => {
  test('is created by those in create_multiuse_invite_group, listed with its address, and revoked', async () => {
    const { iago, hamlet } = chat.people;
    await expect(hamlet.client.invites.createLink({})).rejects.toMatchObject({
      message: 'Insufficient permission',
    });
    const { invite_link } = await iago.client.invites.createLink({
      invite_as: roles.guest,
      invite_expires_in_minutes: null,
    });
    expect(invite_link).toMatch(/^http:\/\/chat\.test\/join\/\w{32}$/);
    const link = await newestOf(iago);
    expect(link).toEqual({
      id: expect.any(Number),
      invited_by_user_id: iago.user.id,
      invited: now,
      expiry_date: null,
      invited_as: roles.guest,
      link_url: invite_link,
      is_multiuse: true,
    });
    const invite_id = link.id;
    await expect(iago.client.invites.revoke({ invite_id })).rejects.toMatchObject({
      message: 'No such invitation',
    });
    await iago.client.invites.revokeLink({ invite_id });
    expect(await listOf(iago)).not.toContainEqual(link);
  });
});

test('expired invitations are deleted after a month', async () => {
  const { cordelia } = chat.people;
  await send(cordelia, { invite_expires_in_minutes: 1 });
  const { id } = await newestOf(cordelia);
  const { kysely } = chat.server.app.db;
  const exists = async () =>
    (await kysely.selectFrom('invite').select('id').where('id', '=', id).execute()).length === 1;
  const { sweepInvites } = await import('./sweep-invites.ts');
  const sweep = () => sweepInvites.run({}, chat.server.app, {} as never);
  now += 29 * 86_400;
  await sweep();
  expect(await exists()).toBe(true);
  now += 2 * 86_400;
  await sweep();
  expect(await exists()).toBe(false);
});
