import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { goTo, type ServerBrowser, startServerBrowser } from '../support/console-browser.ts';
import { type NewServer, startNewServer } from '../support/new-server.ts';

let server: NewServer;
let browser: ServerBrowser;
beforeAll(async () => {
  server = await startNewServer();
  browser = await startServerBrowser(server.url);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const SANDBOX = /sandbox|echo bot|npm start|bellhop try/i;
const textOf = (page: Page) => page.locator('body').innerText();

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a new server leads its owner by its first page through name, channel, invitations and bot, and speaks of no sandbox', async () => {
  expect(server.program.output()).toContain('Sign in at http://localhost/console/ to set it up');
  const { page } = await browser.visit('/console/');
  await page.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  expect(await textOf(page)).not.toMatch(SANDBOX);
  // The cursor stands in the first field.
  await page.keyboard.type(server.owner.email);
  expect(await page.getByLabel('Email').inputValue()).toBe(server.owner.email);
  await signInAs(page, server.owner.email, server.owner.password);
  const steps = page.getByRole('region', { name: 'Set up Bellhop' });
  await steps.getByLabel('Name of the organization').waitFor();
  expect(await textOf(page)).not.toMatch(SANDBOX);
  await expectAccessible(page);

  await steps.getByLabel('Name of the organization').fill('Lovelace & Co');
  await steps.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Set up Lovelace & Co' }).waitFor();
  await page.getByRole('heading', { name: /^Name your organization.*done$/ }).waitFor();

  const own = page.getByRole('region', { name: 'Set up Lovelace & Co' });
  await own.getByLabel('Name of the channel').fill('general');
  await own.getByRole('button', { name: 'Create' }).click();
  await own.getByRole('link', { name: 'Write a message in #general' }).waitFor();
  const { subscriptions = [] } = await server.client.queues.register({
    fetch_event_types: ['subscription'],
  });
  const general = subscriptions[0]?.stream_id;

  await own.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByText('This server sends no mails yet').waitFor();
  await dialog.getByLabel('Invite by').selectOption('link');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const made = page.getByRole('dialog', { name: 'Invitation link created' });
  const link = new URL(await made.locator('code').innerText());
  await made.getByRole('button', { name: 'Close' }).click();
  await own.getByRole('link', { name: '1 invitation not accepted yet' }).waitFor();

  const { page: joining } = await browser.visit(link.pathname);
  await joining.getByLabel('E-mail address').fill('ada@example.com');
  await joining.getByRole('button', { name: 'Send me a mail' }).click();
  const [path] = /\/join\/\w+/.exec(await server.mailTo('ada@example.com')) ?? [];
  await joining.goto(new URL(path ?? '', server.url).href);
  await joining.getByLabel('Full name').fill('Ada Lovelace');
  await joining.getByLabel('Password').fill('a long enough password 9');
  await joining.getByRole('button', { name: 'Create my account' }).click();
  await joining.getByText('Your account is ready. Sign in as ada@example.com').waitFor();
  await page.getByRole('heading', { name: /^Invite people.*done$/ }).waitFor();
  await joining.getByRole('link', { name: 'Go to Lovelace & Co' }).click();
  await joining.getByRole('heading', { name: 'Sign in to Lovelace & Co' }).waitFor();
  await signInAs(joining, 'ada@example.com', 'a long enough password 9');
  await joining.getByRole('heading', { name: 'Inbox' }).waitFor();
  await joining.getByRole('link', { name: '#general' }).waitFor();
  expect(await textOf(joining)).not.toMatch(new RegExp(`${SANDBOX.source}|Set up`, 'i'));

  await own.getByRole('link', { name: 'New bot' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Deploy Bot');
  // No server but a sandbox calls programs on its own machine.
  expect(await page.getByLabel('Payload URL').inputValue()).toBe('');
  await page.getByLabel('Payload URL').fill('https://bot.example.com/');
  await page.getByRole('button', { name: 'Create bot' }).click();
  await page.getByRole('heading', { name: 'Deploy Bot', exact: true }).waitFor();
  await goTo(page, '/console/chat');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  expect(await page.getByRole('link', { name: 'Set up' }).count()).toBe(0);
  await goTo(page, `/console/chat/channel/${general}`);
  await page.getByRole('heading', { name: '#general' }).waitFor();
});

test('no page of a server without a sandbox speaks of one or offers its outbox', async () => {
  const { page } = await browser.visit('/console/organization');
  await signInAs(page, server.owner.email, server.owner.password);
  const pages = page.getByRole('navigation', { name: 'Organization pages' });
  await pages.getByRole('link', { name: 'Invitations' }).waitFor();
  expect(await pages.getByRole('link', { name: 'Emails' }).count()).toBe(0);
  for (const path of ['chat', 'bots', 'phones', 'bouncer', 'organization', 'organization/mails']) {
    await goTo(page, `/console/${path}`);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    expect(await textOf(page), path).not.toMatch(SANDBOX);
  }
});

test('the steps are an entry of the list on a narrow screen, and stay hidden in a browser that hid them', async () => {
  await using another = await startNewServer();
  await using narrow = await startServerBrowser(another.url);
  const { page } = await narrow.visit('/console/', { viewport: { width: 390, height: 844 } });
  await signInAs(page, another.owner.email, another.owner.password);
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByLabel('Name of the organization').waitFor();
  const { scrollWidth } = await page.evaluate<{ scrollWidth: number }>(
    '({ scrollWidth: document.documentElement.scrollWidth })',
  );
  expect(scrollWidth).toBe(390);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to conversations' }).click();
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Mentions' }).waitFor();
  expect(await page.getByRole('link', { name: 'Set up' }).count()).toBe(0);
  // There is no phone to choose from: the page of pushes comes at once.
  await goTo(page, '/console/phones');
  await page.getByRole('heading', { name: 'Push notifications are off' }).waitFor();
});
