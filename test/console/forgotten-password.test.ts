import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

const personWith = (role: number) => {
  const person = console.sandbox.sandbox.file.users.find((one) => one.role === role);
  if (!person) throw new Error(`The sandbox has no user with role ${role}`);
  return person;
};

/** The link in the newest mail to an address. */
async function linkTo(email: string): Promise<string> {
  const { mails } = console.sandbox.as(roles.owner);
  const find = async () => (await mails.list()).mails.find(({ to }) => to === email);
  await expect.poll(find).toBeDefined();
  const { mail } = await mails.get({ mail_id: (await find())?.id ?? '' });
  return /\S+\/reset_password\/\w+/.exec(mail.text)?.[0] ?? '';
}

async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const conversations = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });

test('somebody who forgot the password gets a link from the sign-in page, chooses a new one, and is signed out elsewhere', async () => {
  const { email } = personWith(roles.member);
  const elsewhere = await console.open(roles.member);
  const { page, problems } = await console.visit('/console/');
  const forgot = page.getByRole('link', { name: 'Forgot your password?' });
  await forgot.waitFor();
  await expectAccessible(page);
  await forgot.click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText(`If ${email} has an account`).waitFor();

  await page.goto(await linkTo(email));
  await expectAccessible(page);
  const password = page.getByLabel('New password');
  await password.fill('password1');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('alert').getByText('The password is too weak.').waitFor();
  await password.fill('a new password 5');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You have a new password' }).waitFor();
  await page.getByRole('link').click();
  await signIn(page, email, 'a new password 5');
  await conversations(page).waitFor();
  await elsewhere.page.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  await elsewhere.page.getByText('You were signed out').waitFor();
  // The polls of the page that was signed out, and the form with the weak password.
  for (const [found, status] of [
    [elsewhere.problems, '401'],
    [problems, '400'],
  ] as const)
    expect(found.splice(0).filter((problem) => !problem.includes(status))).toEqual([]);
});

test('an administrator sends somebody a link, by a mail that the administrator does not see', async () => {
  const { email, user_id } = personWith(roles.moderator);
  const { page } = await console.open(roles.admin, `/console/organization/users/${user_id}`);
  await page.getByRole('button', { name: 'Send password link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('The link is on its way').waitFor();
  const visitor = await console.visit(await linkTo(email));
  await visitor.page.getByLabel('New password').fill('a new password 6');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByRole('heading', { name: 'You have a new password' }).waitFor();
});
