import type { Client } from '@bellhop/client';
import { freePorts } from '@bellhop/http/testing';
import { roles, type UserId } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  startConsoleBrowser,
  startServerBrowser,
} from '../support/console-browser.ts';
import { followSnippets, type ShownSnippet } from '../support/follow-snippets.ts';
import { startNewServer } from '../support/new-server.ts';

let console: ConsoleBrowser;
let page: Page;
let max: Client;
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page } = await console.open(roles.member, '/console/bots'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  max = console.sandbox.as(roles.member);
});
afterAll(() => console[Symbol.asyncDispose]());

const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const rows = () => page.getByRole('list', { name: 'Deliveries' }).getByRole('article');
const row = (text: string) => rows().filter({ hasText: text });
const inspector = () => page.getByRole('region', { name: 'Delivery' });
const clipboard = (on: Page) => on.evaluate('navigator.clipboard.readText()') as Promise<string>;

/** The programs of the open bot in a language, as their copy buttons give them. */
async function shownSnippets(language: string, on: Page = page): Promise<ShownSnippet[]> {
  const programs = on.getByRole('region', { name: 'Programs' });
  await programs.getByRole('tab', { name: language }).click();
  const blocks = programs.getByRole('figure');
  await blocks.first().waitFor();
  const snippets: ShownSnippet[] = [];
  for (const block of await blocks.all()) {
    const label = await block.locator('figcaption').innerText();
    await on.evaluate('navigator.clipboard.writeText("")');
    await block.getByRole('button').click();
    await expect.poll(() => clipboard(on)).not.toBe('');
    snippets.push({ label, text: await clipboard(on) });
  }
  return snippets;
}

test('a bot is created, its own program runs as a process, and its delivery appears', async () => {
  const [port] = await freePorts(1);
  await goTo(page, '/console/bots');
  await page.getByRole('link', { name: 'New bot' }).first().click();
  const nameField = page.getByLabel('Name', { exact: true });
  await expect.poll(() => nameField.evaluate((field) => field.matches(':focus'))).toBe(true);
  await page.keyboard.type('Greeter Bot');
  await page.getByLabel('Payload URL').fill(`http://127.0.0.1:${port}/`);
  await button('Create bot').click();
  const keys = page.getByRole('region', { name: 'Keys of Greeter Bot' });
  await keys.waitFor();
  const { bots: own } = await max.bots.list();
  const { api_key = '' } = own.find(({ full_name }) => full_name === 'Greeter Bot') ?? {};
  await keys.getByText(api_key).waitFor();
  await expect.poll(() => keys.locator('code').count()).toBe(2);
  await button('Done').click();
  expect(await page.getByText(api_key).count()).toBe(0);
  const snippets = await shownSnippets('TypeScript');
  expect(snippets.find(({ label }) => label === '.env')?.text).toContain(
    `BOT_API_KEY=${api_key}\n`,
  );
  await using running = await followSnippets(snippets);
  await expect.poll(running.output, { timeout: 60_000 }).toContain('listens on');
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  const { members } = await max.users.list();
  const to = members.filter(({ full_name }) => full_name === 'Greeter Bot');
  const ids = to.map(({ user_id }) => user_id);
  await max.messages.send({ type: 'direct', to: ids, content: 'ping' });
  await row('delivered').filter({ hasText: 'replied' }).waitFor();
  expect(running.output()).not.toContain('npm warn');
  await rows().getByRole('link').click();
  await inspector().getByText('The reply was sent.').waitFor();
  await inspector().getByRole('link', { name: 'Show reply' }).click();
  await page.getByRole('article').filter({ hasText: 'pong' }).waitFor();
});

test('the program of a bot in Python, as shown, answers', async () => {
  const [port] = await freePorts(1);
  const { user_id: bot_id } = await max.bots.create({
    full_name: 'Polly',
    short_name: 'polly',
    bot_type: 3,
    payload_url: `http://127.0.0.1:${port}/`,
  });
  await goTo(page, `/console/bots/${bot_id}?tab=setup`);
  await using _running = await followSnippets(await shownSnippets('Python'));
  await max.messages.send({ type: 'direct', to: [bot_id], content: 'a parrot' });
  const verdict = async () => (await max.botDeliveries.list({ bot_id })).deliveries[0]?.verdict;
  await expect.poll(verdict, { timeout: 40_000 }).toBe('replied');
});

test.each(['TypeScript', 'curl', 'Python'])(
  'the program of a bot without a webhook in %s, as shown, sends a message',
  async (language) => {
    const made = { full_name: `Sender ${language}`, short_name: language.toLowerCase() };
    const { user_id } = await max.bots.create({ ...made, bot_type: 1 });
    await goTo(page, `/console/bots/${user_id}?tab=setup`);
    await using ran = await followSnippets(await shownSnippets(language));
    await expect.poll(ran.output).toMatch(/success/);
    const { messages } = await max.messages.fetch({ anchor: 'newest', num_before: 1 });
    expect(messages[0]).toMatchObject({ sender_id: user_id, content: '<p>Hello!</p>' });
  },
);

test('the programs that a fresh server shows answer there', async () => {
  const [port, ...ports] = await freePorts(3);
  await using server = await startNewServer({
    BELLHOP_PORT: String(port),
    BELLHOP_EXTERNAL_URL: `http://localhost:${port}`,
    BELLHOP_WEBHOOK_ALLOW: '127.0.0.0/8',
  });
  await using browser = await startServerBrowser(`http://localhost:${port}`);
  const { page: own } = await browser.visit('/console/bots');
  await own.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await own.getByLabel('Email').fill(server.owner.email);
  await own.getByLabel('Password').fill(server.owner.password);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('link', { name: 'New bot' }).first().waitFor();
  for (const [at, language] of ['TypeScript', 'Python'].entries()) {
    const bot_id = await makeBot(server.client, language, ports[at]);
    await goTo(own, `/console/bots/${bot_id}?tab=setup`);
    await using running = await followSnippets(await shownSnippets(language, own));
    // A retry of the server would take longer; the program in Python prints nothing and starts at once.
    if (language === 'TypeScript')
      await expect.poll(running.output, { timeout: 60_000 }).toContain('listens on');
    await server.client.messages.send({ type: 'direct', to: [bot_id], content: 'ping' });
    const verdict = async () =>
      (await server.client.botDeliveries.list({ bot_id })).deliveries[0]?.verdict;
    await expect.poll(verdict, { timeout: 60_000 }).toBe('replied');
  }
  const sender = await makeBot(server.client, 'curl');
  await goTo(own, `/console/bots/${sender}?tab=setup`);
  await using ran = await followSnippets(await shownSnippets('curl', own));
  await expect.poll(ran.output).toMatch(/success/);
  const { messages } = await server.client.messages.fetch({ anchor: 'newest', num_before: 1 });
  expect(messages[0]).toMatchObject({ sender_id: sender, content: '<p>Hello!</p>' });
});

/** A bot with an outgoing webhook at a port of this machine, or without one. */
async function makeBot(client: Client, language: string, port?: number): Promise<UserId> {
  const made = { full_name: `${language} Bot`, short_name: language.toLowerCase() };
  const { user_id } = await client.bots.create(
    port === undefined
      ? { ...made, bot_type: 1 }
      : { ...made, bot_type: 3, payload_url: `http://127.0.0.1:${port}/` },
  );
  return user_id;
}
