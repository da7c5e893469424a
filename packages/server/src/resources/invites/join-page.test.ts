import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
const keyFor = (email: string) =>
  vi.waitFor(() => {
    const mail = chat.mails.findLast(({ to }) => to === email);
    const key = /\/join\/(\w+)/.exec(mail?.text ?? '')?.[1];
    if (key === undefined) throw new Error(`No link for ${email}`);
    return key;
  }, 15_000);
async function invited() {
  const email = `ophelia${++count}@example.com`;
  await chat.people.iago.client.invites.send({ invitee_emails: email, stream_ids: [] });
  return { email, key: await keyFor(email) };
}
const open = (key: string) => fetch(`${chat.url}/join/${key}`);
const submit = (key: string, fields: Record<string, string>, headers = {}) =>
  fetch(`${chat.url}/join/${key}`, { method: 'POST', headers, body: new URLSearchParams(fields) });

describe('the page of an invitation', () => {
  test('asks for name and password and creates the account', async () => {
    const { email, key } = await invited();
    // A program that looks at links opens the page first.
    await open(key);
    const page = await open(key);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('<h1>Join Test</h1>');
    expect(html).toContain(`value="${email}"`);
    for (const name of ['full_name', 'password'])
      expect(html).toMatch(new RegExp(`<label for="${name}">[\\s\\S]*<input id="${name}"`));
    const done = await submit(key, { full_name: 'Ophelia', password: 'a long password' });
    const ready = await done.text();
    expect(done.status).toBe(200);
    expect(ready).toContain('Your account is ready');
    expect(ready).toContain('<a href="/">Go to Test</a>');
    const { user } = await chat.people.iago.client.users.get({ user_id: email });
    expect(user.full_name).toBe('Ophelia');
    const again = await open(key);
    expect([again.status, await again.text()]).toEqual([
      404,
      expect.stringContaining('This invitation is not valid'),
    ]);
  });

  test('shows the error, keeps the name and shows no password', async () => {
    const { key } = await invited();
    const response = await submit(key, { full_name: '"><script>', password: 'a secret <b>' });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html).toContain('role="alert">Invalid characters in name!');
    expect(html).toContain('value="&#34;&#62;&#60;script&#62;" aria-describedby="problem"');
    expect(html).not.toMatch(/<script|a secret/);
    expect(html).toContain('<title>Error: Join Test</title>');
  });

  test('takes no form of another site', async () => {
    const { email, key } = await invited();
    const fields = { full_name: 'Ophelia', password: 'a long password' };
    const response = await submit(key, fields, { 'sec-fetch-site': 'cross-site' });
    expect(response.status).toBe(403);
    await expect(chat.people.iago.client.users.get({ user_id: email })).rejects.toMatchObject({
      message: 'No such user',
    });
    const own = await submit(key, fields, { 'sec-fetch-site': 'same-origin' });
    expect(own.status).toBe(200);
  });

  test('of a reusable link asks for the address, and sends a mail', async () => {
    const { invite_link } = await chat.people.iago.client.invites.createLink({});
    const link = invite_link.split('/').at(-1) ?? '';
    expect(await (await open(link)).text()).toContain('type="email"');
    const wrong = await submit(link, { email: 'nobody' });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('Enter a valid email address.'),
    ]);
    const email = 'gertrude@example.com';
    expect(await (await submit(link, { email })).text()).toContain(`on its way to ${email}`);
    const key = await keyFor(email);
    const fields = { full_name: 'Gertrude', password: 'a long password' };
    expect((await submit(key, fields)).status).toBe(200);
  });

  test.each(['x', 'x'.repeat(32), '../api', '%00'])('does not exist at /join/%s', async (key) => {
    const { status } = await open(key);
    expect(status).toBe(404);
  });

  test('limits the guesses of an address, and logs no key', async () => {
    await using limited = await startTestChat({ env: { BELLHOP_RATE_LIMIT_IP: '10/60' } });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await fetch(`${limited.url}/join/${'x'.repeat(32)}`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    expect(limited.logged()).not.toContain('xxxx');
  });
});
