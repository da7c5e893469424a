import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

const HTML = '<img src=x onerror=alert(1)>';
let directory: string;
let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outbox-'));
  const env = { BELLHOP_MAIL_OUTBOX: directory, BELLHOP_MAIL_OUTBOX_READABLE: 'true' };
  chat = await startTestChat({ env, now: () => now });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** The newest mail after an invitation. */
async function invite(email: string) {
  const { mails, invites } = chat.people.desdemona.client;
  await chat.people.desdemona.client.realms.update({ name: HTML });
  await invites.send({ invitee_emails: email, stream_ids: [] });
  const find = async () => (await mails.list()).mails.find(({ to }) => to === email);
  await expect.poll(find).toBeDefined();
  return (await mails.get({ mail_id: (await find())?.id ?? '' })).mail;
}

test('an owner reads the text of a mail, and its page for an hour, where nothing runs', async () => {
  const mail = await invite('ophelia@example.com');
  expect(mail.text).toContain(`${chat.realm.url}/join/`);
  const page = await fetch(chat.url + mail.html_path);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
  expect(await page.text()).not.toContain('<img');
  const forged = await fetch(chat.url + mail.html_path.slice(0, -8));
  expect(forged.status).toBe(404);
  now += 3600;
  expect((await fetch(chat.url + mail.html_path)).status).toBe(404);
});

test('the outbox is not open to administrators, nor on a server without the setting', async () => {
  await expect(chat.people.iago.client.mails.list()).rejects.toThrow();
  await using other = await startTestChat({ env: { BELLHOP_MAIL_OUTBOX: directory } });
  const { mails } = other.people.desdemona.client;
  expect(await mails.list()).toMatchObject({ is_kept: false, mails: [] });
  await expect(mails.get({ mail_id: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
