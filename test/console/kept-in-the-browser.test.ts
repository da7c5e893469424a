import { readFile } from 'node:fs/promises';

import type { Client } from '@bellhop/client';
import { roles, type UserId, type WebhookPayload } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';
import { type ScriptedBot, startScriptedBot } from '../support/scripted-bot.ts';

let console: ConsoleBrowser;
let page: Page;
let problems: string[];
let max: Client;
let hook: ScriptedBot;
let bot_id: UserId;
beforeAll(async () => {
  [console, hook] = await Promise.all([startConsoleBrowser(), startScriptedBot()]);
  hook.answers('{}');
  ({ page, problems } = await console.open(roles.member, '/console/bots'));
  max = console.sandbox.as(roles.member);
  const made = { full_name: 'Hooked', short_name: 'hooked', bot_type: 3 as const };
  ({ user_id: bot_id } = await max.bots.create({ ...made, payload_url: hook.url }));
});
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

const open = (query = '', path = String(bot_id)) => goTo(page, `/console/bots/${path}${query}`);
const row = (text: string) =>
  page.getByRole('list', { name: 'Deliveries' }).getByRole('article').filter({ hasText: text });
const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const inspector = () => page.getByRole('region', { name: 'Delivery' });

test('a payload is pinned and sent to another bot, and saved as a file that bellhop bot receive reads', async () => {
  const content = 'pin me';
  await max.messages.send({ type: 'direct', to: [bot_id], content });
  await open();
  await page.getByRole('link', { name: /^Delivery to/ }).click();
  const choose = async (action: string) => {
    await inspector().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  await choose('Pin payload');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('a greeting');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Pin payload' }).click();
  const download = page.waitForEvent('download');
  await choose('Save as fixture');
  const fixture = await readFile(await (await download).path(), 'utf8');
  const { message, token } = JSON.parse(fixture) as WebhookPayload;
  expect(message.content).toBe(content);
  expect(token).toBe('[redacted]');

  const other = { full_name: 'Other', short_name: 'other', bot_type: 3 as const };
  const { user_id } = await max.bots.create({ ...other, payload_url: hook.url });
  await page.reload();
  await open('', String(user_id));
  await button('Send a test').first().click();
  await dialog.getByLabel('Pinned payload').selectOption('a greeting');
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  await row('test').filter({ hasText: 'delivered' }).waitFor();
  expect(hook.received.at(-1)?.body).toContain(content);
  await button('Send a test').first().click();
  await dialog.getByLabel('Pinned payload').selectOption('a greeting');
  await dialog.getByRole('button', { name: 'Unpin a greeting' }).click();
  await dialog.getByLabel('Pinned payload').waitFor({ state: 'detached' });
});

/** Opens a delivery in a page that has opened no menu yet. Returns the button of the delivery's menu. */
async function freshMenu() {
  await max.messages.send({ type: 'direct', to: [bot_id], content: 'open the menu' });
  await open();
  await page
    .getByRole('link', { name: /^Delivery to/ })
    .first()
    .click();
  await page.reload();
  const more = inspector().getByRole('button', { name: 'More actions' });
  await more.waitFor();
  return more;
}

test('a menu shows itself when it is beside its button, not before', async () => {
  const more = await freshMenu();
  const { promise: loading, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await loading;
    await route.continue();
  });
  await more.click();
  await inspector().getByRole('button', { name: 'More actions', expanded: true }).waitFor();
  expect(await button('Save as fixture').isVisible()).toBe(false);
  load();
  await button('Save as fixture').waitFor();
  const [item, above] = [await button('Pin payload').boundingBox(), await more.boundingBox()];
  expect(item?.y).toBeGreaterThan(above?.y ?? Number.NaN);
  const focused = page.locator('.popover :focus');
  await expect.poll(() => focused.count()).toBe(1);
  await page.unroute('**/*.js');
  await page.keyboard.press('Escape');
  await button('Save as fixture').waitFor({ state: 'hidden' });
});

test('a menu shows itself also if the code that places it cannot be loaded', async () => {
  const more = await freshMenu();
  await page.route('**/*.js', (route) => route.abort());
  await more.click();
  await button('Save as fixture').waitFor();
  await page.unroute('**/*.js');
  problems.length = 0;
});
