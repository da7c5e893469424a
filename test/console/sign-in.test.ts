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

/** Signs in by the form. */
async function signIn(page: Page, role: number): Promise<void> {
  const user = console.sandbox.sandbox.file.users.find((one) => one.role === role);
  await page.getByLabel('Email').fill(user?.email ?? '');
  await page.getByLabel('Password').fill(user?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const conversations = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });

test('the printed link signs in all users of the sandbox once, also in a tab that shows the console, and its key leaves the address', async () => {
  const { signInLink } = console.sandbox.sandbox;
  const { page } = await console.visit('/console/');
  await page.getByText('Open the link printed by npm start').waitFor();
  await signIn(page, roles.member);
  await conversations(page).waitFor();
  // A tab that gets this address loads no page: only its end is another one.
  await page.goto(signInLink);
  await page.getByText('Signed in as Olivia Owner and 3 others.').waitFor();
  expect(page.url()).not.toContain('key');
  await page.getByRole('banner').getByText('Olivia Owner').click();
  for (const name of ['Adam Administrator', 'Gina Guest', 'Max Member'])
    await page.getByRole('button', { name, exact: true }).waitFor();
  const again = await console.visit(signInLink);
  await again.page.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  await again.page.getByRole('status').getByText('This link worked once already').waitFor();
  expect(again.problems.splice(0).join()).toContain('401');
  await expectAccessible(again.page);
});

test('a browser whose last tab was closed is still signed in, and shows the account that it showed last', async () => {
  const { page } = await console.visit('/console/');
  await signIn(page, roles.guest);
  await conversations(page).waitFor();
  await page.getByRole('button', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Add account' }).click();
  await signIn(page, roles.moderator);
  await page.getByRole('status').getByText('Signed in as Mona Moderator.').waitFor();
  await page.getByRole('banner').getByText('Mona Moderator').waitFor();
  const url = page.url();
  const context = page.context();
  await page.close();
  const later = await context.newPage();
  await later.goto(url);
  await later.getByRole('banner').getByText('Mona Moderator').click();
  await later.getByRole('button', { name: 'Gina Guest', exact: true }).click();
  await later.getByRole('banner').getByText('Gina Guest').waitFor();
  // The cookie lasts as long as the session.
  const [cookie] = await context.cookies();
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

test('a wrong password is answered in the form; after the right one a link of a mail leads to its conversation, the page keeps no API key, and scripts do not reach its cookie', async () => {
  const { users, channels } = console.sandbox.sandbox.file;
  const id = channels[0]?.stream_id;
  const { page, problems } = await console.visit(`/#narrow/channel/${id}-x/topic/v2.2E4/near/7`);
  await page.getByLabel('Email').fill(users[0]?.email ?? '');
  await page.getByLabel('Password').fill('wrong password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('AUTHENTICATION_FAILED').waitFor();
  expect(problems.splice(0).join()).toContain('401');
  await page.getByLabel('Password').fill(users[0]?.password ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /> v2\.4$/ }).waitFor();
  expect(page.url()).toMatch(new RegExp(`/console/chat/channel/${id}/v2\\.4\\?near=7$`));
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).toContain('bellhop-console-key');
  for (const { api_key, password } of users) {
    expect(kept).not.toContain(api_key);
    expect(kept).not.toContain(password);
  }
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);
  expect(cookies[0]?.name).toBe(`bellhop-${new URL(page.url()).port}`);
  expect(kept).not.toContain(cookies[0]?.value);
});

test('a second tab is signed in without a password, and signing out reaches both', async () => {
  const { page, problems } = await console.open(roles.member);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await page.getByRole('button', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, second])
    await tab.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  // A poll may have been on its way.
  expect(problems.splice(0).filter((problem) => !problem.includes('401'))).toEqual([]);
});

test('a page that cannot load what reads events offers a reload', async () => {
  const { page, problems } = await console.open(roles.member);
  const code = '**/assets/apply-event-*.js';
  await page.route(code, (route) => route.abort());
  await page.reload();
  const reload = page.getByRole('button', { name: 'Disconnected: reload' });
  await reload.waitFor();
  await page.unroute(code);
  const live = page.getByRole('banner').getByText('Live');
  // The next event loads it as well, and takes the button away.
  await Promise.any([reload.click(), live.waitFor()]);
  await live.waitFor();
  expect(problems.splice(0).filter((problem) => !problem.includes('apply-event'))).toEqual([]);
});

test('a page whose session ended elsewhere says so at the next call, and shows after a new sign-in what was not sent', async () => {
  const { page, problems } = await console.open(roles.moderator);
  const mona = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.moderator);
  await page.getByRole('link', { name: 'Notes to yourself' }).click();
  const box = page.getByLabel('Message Notes to yourself');
  await box.fill('words that were not sent');
  const password = 'another password that is long 7';
  const { settings } = console.sandbox.as(roles.moderator);
  await settings.update({ old_password: mona?.password ?? '', new_password: password });
  await box.press('Enter');
  await page.getByText('You were signed out').waitFor();
  await page.getByLabel('Email').fill(mona?.email ?? '');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const unsent = page.getByRole('article').filter({ hasText: 'words that were not sent' });
  const retry = unsent.getByRole('button', { name: 'Retry' });
  await retry.click();
  await retry.waitFor({ state: 'detached' });
  await settings.update({ old_password: password, new_password: mona?.password ?? '' });
  expect(problems.splice(0).filter((problem) => !problem.includes('401'))).toEqual([]);
});
