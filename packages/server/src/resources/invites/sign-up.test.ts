import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
const requireInvitations = (invite_required: boolean) =>
  chat.people.desdemona.client.realms.update({ invite_required });
beforeEach(() => requireInvitations(false));

const PASSWORD = 'a long password';
let count = 0;
const address = () => `reynaldo${++count}@example.com`;
const newestMail = (email: string) =>
  vi.waitFor(() => {
    const mail = chat.mails.findLast(({ to }) => to === email);
    if (!mail) throw new Error(`No mail to ${email}`);
    return mail.text;
  }, 15_000);
const keyFor = async (email: string) => /\/join\/(\w+)/.exec(await newestMail(email))?.[1] ?? '';
const request = (email: string) => chat.ask(null, 'POST /invites/request', { email });
const accept = (key: string) =>
  chat.ask(null, 'POST /invites/accept', {
    key,
    full_name: `Reynaldo ${count}`,
    password: PASSWORD,
  });

describe('in a realm that requires no invitations', () => {
  test('somebody asks for a mail and joins as a member, in the default channels', async () => {
    const { iago } = chat.people;
    await iago.client.subscriptions.add({
      subscriptions: [{ name: 'everyone' }],
      is_default_stream: true,
    });
    const { stream_id } = await iago.client.channels.id({ stream: 'everyone' });
    const email = address();
    expect(await request(email)).toMatchObject({ status: 200, body: { result: 'success' } });
    const { body } = await accept(await keyFor(email));
    expect(body).toMatchObject({ result: 'success', email });
    const { user } = await iago.client.users.get({ user_id: email });
    expect(user.role).toBe(roles.member);
    const { subscribers } = await iago.client.channels.subscribers({ stream_id });
    expect(subscribers).toContain(user.user_id);
  });

  test('the mail works once', async () => {
    const email = address();
    await request(email);
    const key = await keyFor(email);
    expect((await accept(key)).status).toBe(200);
    expect((await accept(key)).body['msg']).toContain('This invitation is not valid');
  });

  test('a request to join is in no list, cannot be revoked or sent again, and causes no invites_changed', async () => {
    const { iago } = chat.people;
    const queue = await listen(iago);
    const email = address();
    await request(email);
    const key = await keyFor(email);
    expect((await iago.client.invites.list({})).invites).toEqual([]);
    const { kysely } = chat.server.app.db;
    const { id } = await kysely
      .selectFrom('invite')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const refusal = { message: 'No such invitation' };
    await expect(iago.client.invites.revoke({ invite_id: id })).rejects.toMatchObject(refusal);
    await expect(iago.client.invites.resend({ invite_id: id })).rejects.toMatchObject(refusal);
    await accept(key);
    const types = (await queue.all()).map(({ type }) => type);
    expect(types).toContain('realm_user');
    expect(types).not.toContain('invites_changed');
  });

  test('somebody who joins without their invitation ends it, and its inviter and administrators are told', async () => {
    const { iago, hamlet } = chat.people;
    const email = address();
    await request(email);
    const key = await keyFor(email);
    await hamlet.client.invites.send({ invitee_emails: email, stream_ids: [] });
    const queues = [await listen(iago), await listen(hamlet)];
    expect((await accept(key)).status).toBe(200);
    for (const queue of queues) expect(await queue.events('invites_changed')).toHaveLength(1);
    expect((await hamlet.client.invites.list({})).invites).toEqual([]);
  });

  test('only the owner of an address learns that it has an account', async () => {
    const { status, body } = await request('hamlet@chat.test');
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await newestMail('hamlet@chat.test')).toContain('has an account there already');
  });

  test('an address that the realm does not accept is refused', async () => {
    const { desdemona } = chat.people;
    await desdemona.client.realms.update({ disallow_disposable_email_addresses: true });
    expect(await request('reynaldo@mailinator.com')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
  });

  test('the page asks for the address and sends the mail', async () => {
    for (const path of ['/register', '/register/']) {
      const page = await fetch(`${chat.url}${path}`);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<h1>Join Test</h1>'),
      ]);
    }
    const email = address();
    const sent = await fetch(`${chat.url}/register/`, {
      method: 'POST',
      body: new URLSearchParams({ email }),
    });
    expect(await sent.text()).toContain(`A mail is on its way to ${email}`);
    expect((await accept(await keyFor(email))).status).toBe(200);
  });

  test('the mails that an IP address causes in a day are limited', async () => {
    await using limited = await startTestChat({
      env: { BELLHOP_DAILY_MAILS_IP: '1' },
      now: () => 1_800_000_000,
    });
    await limited.people.desdemona.client.realms.update({ invite_required: false });
    const ask = () => limited.ask(null, 'POST /invites/request', { email: address() });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  });
});

describe('in a realm that requires invitations', () => {
  test('somebody without one is refused, by the API and by the page', async () => {
    await requireInvitations(true);
    expect(await request(address())).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'You need an invitation to join this organization.' },
    });
    const page = await fetch(`${chat.url}/register/`);
    expect([page.status, await page.text()]).toEqual([
      404,
      expect.stringContaining('You need an invitation to join Test.'),
    ]);
  });

  test('a mail that was sent before no longer lets anybody join', async () => {
    const email = address();
    await request(email);
    const key = await keyFor(email);
    await requireInvitations(true);
    expect((await accept(key)).body['msg']).toContain('This invitation is not valid');
    expect((await fetch(`${chat.url}/join/${key}`)).status).toBe(404);
  });
});
