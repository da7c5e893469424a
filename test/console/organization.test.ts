import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
let owner: Client;
beforeAll(async () => {
  console = await startConsoleBrowser();
  owner = console.sandbox.as(roles.owner);
  const { user_id } = await owner.users.me();
  await owner.channels.create({ name: 'design', subscribers: [user_id] });
  await owner.channels.create({ name: 'news', subscribers: [user_id], is_default_stream: true });
});
afterAll(() => console[Symbol.asyncDispose]());

const PASSWORD = 'a long enough password 9';

/** Opens a page of the organization in a browser profile of its own. */
async function openAs(role: number, path: string): Promise<Page> {
  const { page } = await console.open(role);
  await goTo(page, path);
  return page;
}
const goTo = (page: Page, path: string) =>
  page.goto(new URL(`/console/organization/${path}`, page.url()).href);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('an invitation becomes a mail in the outbox, an account and its channels', async () => {
  const admin = await openAs(roles.owner, 'invitations');
  await admin.getByRole('button', { name: 'Invite people' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('E-mail addresses').fill('nina@example.com');
  await dialog.getByLabel('#design').check();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await row(admin, 'nina@example.com').waitFor();

  const mails = admin;
  await goTo(mails, 'mails');
  await row(mails, 'nina@example.com').getByRole('link').click();
  const mail = mails.getByRole('region', { name: /invites you/ });
  const link = await mail.getByRole('link', { name: /\/join\// }).getAttribute('href');

  const { page } = await console.visit(link ?? '');
  await page.getByLabel('Full name').fill('Nina New');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByText('Your account is ready').waitFor();
  await page.goto(new URL('/console/', page.url()).href);
  await page.getByLabel('E-mail').fill('nina@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: 'design' }).waitFor();
  await conversations.getByRole('link', { name: 'news' }).waitFor();

  await goTo(admin, 'invitations');
  await admin.getByText('No open invitations').waitFor();
});

test('a guest sees the people and nothing to change', async () => {
  const page = await openAs(roles.guest, 'users');
  await row(page, 'Mona Moderator').getByRole('link').click();
  await page.getByRole('region', { name: 'Mona Moderator' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages of the organization' });
  expect(await pages.ariaSnapshot()).not.toMatch(/Invitations|Mails/);
  expect(await page.getByRole('button', { name: /Deactivate|Invite/ }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Role' }).count()).toBe(0);
  await goTo(page, 'mails');
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  expect(await page.getByRole('table', { name: 'Mails' }).count()).toBe(0);
});

describe('a user', () => {
  test('gets another role at once, and loses it by the keyboard alone', async () => {
    const { page } = await console.open(roles.owner);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await row(page, 'Mona Moderator').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Mona');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Mona Moderator' });
    await panel.getByLabel('Role').focus();
    await page.keyboard.press('ArrowUp');
    await panel.getByText('Saved').waitFor();
    await row(page, 'Mona Moderator').getByText('Administrator').waitFor();
    await panel.getByLabel('Role').focus();
    await page.keyboard.press('ArrowDown');
    await row(page, 'Mona Moderator').getByText('Moderator', { exact: true }).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Mona');
  });

  test('who is the only owner keeps the role, and the field says why', async () => {
    const { page, problems } = await console.open(roles.owner);
    await goTo(page, 'users');
    await row(page, 'Olivia Owner').getByRole('link').click();
    const panel = page.getByRole('region', { name: 'Olivia Owner' });
    await panel.getByLabel('Role').selectOption('Member');
    await panel.getByRole('alert').getByText(/owner/).waitFor();
    expect(await panel.getByLabel('Role').inputValue()).toBe(String(roles.owner));
    expect(problems.splice(0).join()).toContain('400');
  });

  test('is deactivated with a mail, and reactivated', async () => {
    const { user_id } = await owner.users.create({
      email: 'leaver@example.com',
      full_name: 'Lea Leaver',
      password: PASSWORD,
    });
    const page = await openAs(roles.owner, `users/${user_id}`);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Lea Leaver?' });
    await dialog.getByLabel('Tell them by e-mail').check();
    await dialog.getByLabel('What the mail adds').fill('Goodbye');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await row(page, 'Lea Leaver').waitFor({ state: 'detached' });
    const goodbye = async () => (await owner.mails.list()).mails[0]?.to;
    await expect.poll(goodbye).toBe('leaver@example.com');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await row(page, 'Lea Leaver').waitFor();
  });
});

test('a reusable link is shown to copy, and stops working when it is revoked', async () => {
  const page = await openAs(roles.owner, 'invitations');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('How').selectOption('link');
  await page.getByRole('button', { name: 'Create the link' }).click();
  const link = page.getByRole('dialog', { name: 'The link is ready' }).locator('code');
  const address = (await link.textContent()) ?? '';
  await page.keyboard.press('Escape');
  expect((await fetch(address)).status).toBe(200);
  await row(page, 'Reusable link').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row(page, 'Reusable link').waitFor({ state: 'detached' });
  expect((await fetch(address)).status).toBe(404);
});

const PATIENT_MS = 120_000;

test('axe finds nothing on the pages of people', { timeout: PATIENT_MS }, async () => {
  await owner.invites.send({ invitee_emails: 'axe@example.com', stream_ids: [] });
  const { user_id } = await owner.users.me();
  const page = await openAs(roles.owner, `users/${user_id}`);
  await page.getByRole('region', { name: 'Olivia Owner' }).waitFor();
  await expectAccessible(page);
  await goTo(page, 'invitations');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await expectAccessible(page);
  await goTo(page, 'mails');
  await row(page, 'axe@example.com').getByRole('link').click();
  await page.getByRole('link', { name: /\/join\// }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
