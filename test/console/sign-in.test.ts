import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

test('the printed link signs in all users of the sandbox once, and its key leaves the address', async () => {
  const { signInLink } = console.sandbox.sandbox;
  const { page } = await console.visit(signInLink);
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  expect(page.url()).not.toContain('key');
  await page.getByRole('banner').getByText('Olivia Owner').click();
  for (const name of ['Adam Administrator', 'Gina Guest'])
    await page.getByRole('button', { name, exact: true }).waitFor();
  const again = await console.visit(signInLink);
  await again.page.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  expect(again.problems.splice(0).join()).toContain('401');
  await expectAccessible(again.page);
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
