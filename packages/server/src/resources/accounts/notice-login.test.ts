import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

const PASSWORD = 'a long password 7';
let chat: TestChat;
let now = Math.floor(Date.now() / 1000) + 3600;
beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_BEHIND_PROXY: 'true' }, now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
const newPerson = () => chat.addPerson(`traveller${++count}`, undefined, { password: PASSWORD });

async function logIn(
  username: string,
  { program = 'ZulipMobile/1', address = '198.51.100.7' } = {},
) {
  const response = await fetch(`${chat.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'user-agent': program },
    body: new URLSearchParams({ username, password: PASSWORD }),
  });
  expect(response.status).toBe(200);
}
const mailsTo = (email: string) => chat.mails.filter(({ to }) => to === email);
/** Waits until this many mails have arrived and all jobs are done. */
const expectMails = async (email: string, expected: number) => {
  const { kysely } = chat.server.app.db;
  await vi.waitFor(async () => {
    expect(mailsTo(email).length).toBeGreaterThanOrEqual(expected);
    const { rows } = await sql`select from job where state in ('queued', 'running')
      and name = 'send_mail'`.execute(kysely);
    expect(rows).toEqual([]);
  }, 15_000);
  expect(mailsTo(email)).toHaveLength(expected);
};

describe('a login with a password', () => {
  test('from a new program or network sends a mail, from a known one does not', async () => {
    const { email } = await newPerson();
    await logIn(email);
    await expectMails(email, 1);
    const [mail] = mailsTo(email);
    expect(mail?.subject).toBe('New sign-in to Test');
    expect(mail?.text).toContain('Program: ZulipMobile\n');
    expect(mail?.text).toContain('198.51.100.7');
    await logIn(email);
    await expectMails(email, 1);
    await logIn(email, { address: '203.0.113.9' });
    await logIn(email, { program: 'ZulipPython/0.9 (Linux)' });
    await expectMails(email, 3);
  });

  test('sends at most five mails a day', async () => {
    const { email } = await newPerson();
    for (let net = 0; net < 7; net++) await logIn(email, { address: `203.0.113.${net}` });
    await expectMails(email, 5);
    now += 86_400;
    await logIn(email, { address: '203.0.113.99' });
    await expectMails(email, 6);
  });

  test('sends no mail with enable_login_emails off', async () => {
    const { email, user } = await newPerson();
    await chat.server.app.db.kysely
      .updateTable('realm_user')
      .set({ settings: JSON.stringify({ enable_login_emails: false }) })
      .where('id', '=', user.id)
      .execute();
    await logIn(email);
    await expectMails(email, 0);
  });

  test('sends no mail in the first minute of an account', async () => {
    const later = now;
    now = Math.floor(Date.now() / 1000);
    const { email } = await newPerson();
    await logIn(email);
    now = later;
    await expectMails(email, 0);
  });

  test('keeps the newest 50 devices of a user', async () => {
    const { email, user } = await newPerson();
    for (let net = 0; net < 52; net++) {
      now += 1;
      await logIn(email, { address: `192.0.2.${net}` });
    }
    const { rows } = await sql<object>`select from known_login where user_id = ${user.id}`.execute(
      chat.server.app.db.kysely,
    );
    expect(rows).toHaveLength(50);
  });
});
