import type { Client } from '@bellhop/client';
import { roles, type UserId } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';
import { type ScriptedBot, startScriptedBot } from '../support/scripted-bot.ts';

let console: ConsoleBrowser;
let page: Page;
let problems: string[];
let max: Client;
let hook: ScriptedBot;
beforeAll(async () => {
  console = await startConsoleBrowser();
  hook = await startScriptedBot();
  ({ page, problems } = await console.open(roles.member, '/console/bots'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  max = console.sandbox.as(roles.member);
});
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

let bots = 0;
let bot_id: UserId;
let name = '';
/** Every test has a bot of its own. `hook` decides the answers of its endpoint. */
beforeEach(async () => {
  name = `Hooked ${++bots}`;
  const made = { full_name: name, short_name: `hooked-${bots}`, bot_type: 3 as const };
  ({ user_id: bot_id } = await max.bots.create({ ...made, payload_url: hook.url }));
  hook.answers('{}');
});

const open = (query = '', path = String(bot_id)) => goTo(page, `/console/bots/${path}${query}`);
const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

test('the form of a bot says at the field what is wrong with an address, and how it should be', async () => {
  await goTo(page, '/console/bots/new');
  await page.getByLabel('Name', { exact: true }).fill('Lost Bot');
  const address = page.getByLabel('Payload URL');
  await address.fill('example.com/hook');
  await button('Create bot').click();
  const words = () => address.evaluate('document.activeElement.validationMessage');
  await expect.poll(words).toContain('Enter the whole address, beginning with https://');
  await address.fill('ftp://example.com/hook');
  expect(await words()).toBe('');
  await button('Create bot').click();
  await page.locator('.field').filter({ has: address }).getByRole('alert').waitFor();
  expect(problems.splice(0).join()).toContain('400');
});

test('a bot is renamed, gets a new token, and is deactivated after a question', async () => {
  await open('?tab=setup');
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByLabel('Name').fill(`${name} renamed`);
  await settings.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: `${name} renamed` }).waitFor();
  await button('New token').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New token' }).click();
  const once = page.getByRole('region', { name: `Keys of ${name} renamed` });
  const token = await once.locator('code').innerText();
  await button('Copy Webhook token').click();
  await expect.poll(clipboard).toBe(token);
  await button('Deactivate').click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('deactivated', { exact: true }).waitFor();
  const left = (await max.bots.list()).bots.map(({ full_name }) => full_name);
  expect(left).not.toContain(`${name} renamed`);
});

test('the page of a bot tells step by step whether its endpoint is reached', async () => {
  await open('?tab=endpoint');
  await button('Check endpoint').click();
  const steps = page.getByRole('list', { name: 'Check steps' }).getByRole('listitem');
  await expect.poll(() => steps.count()).toBe(5);
  expect(await steps.filter({ hasText: 'Connection' }).innerText()).toMatch(/^ok/);
});
