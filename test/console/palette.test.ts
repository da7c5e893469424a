import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page } = await console.open(roles.member, '/console/api'));
});
afterAll(() => console[Symbol.asyncDispose]());

const field = () => page.getByRole('combobox', { name: 'Command palette' });
const type = async (words: string) => {
  await page.keyboard.press('Control+k');
  await field().fill(words);
};
const run = async (words: string) => {
  await type(words);
  await page.keyboard.press('Enter');
  await field().waitFor({ state: 'detached' });
};
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

test('the palette leads from every part to views, conversations, settings, bots and their actions', async () => {
  for (const [words, shown] of [
    ['mentions', 'Mentions'],
    ['your settings', 'Your settings'],
    ['new bot', 'New bot'],
    ['echo bot direct', 'Echo Bot'],
    ['user groups', 'User groups'],
    ['inbox', 'Inbox'],
  ] as const) {
    await goTo(page, '/console/api');
    await heading('Call this server from a program').waitFor();
    await run(words);
    await heading(shown).waitFor();
  }
  await goTo(page, '/console/api');
  await run('create channel');
  await page.getByRole('dialog', { name: 'New channel' }).waitFor();
  await page.keyboard.press('Escape');
  await run('keyboard shortcuts');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
});

test('the palette finds topics with something new by name, and searches messages for every other word', async () => {
  const to = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const place = { type: 'channel', to, topic: 'marmalade recipes' } as const;
  await console.sandbox
    .as(roles.owner)
    .messages.send({ ...place, content: 'oranges and kumquats' });
  await goTo(page, '/console/bots');
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      await type('marmalade');
      return page.getByRole('option', { name: 'marmalade recipes' }).count();
    })
    .toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '> marmalade recipes' }).waitFor();
  await type('from:oliv kumquats');
  await page.getByRole('option', { name: 'Search messages for “from:oliv kumquats”' }).click();
  await page.getByRole('article').filter({ hasText: 'oranges and kumquats' }).waitFor();
  await heading('from:olivia@bellhop.example kumquats').waitFor();
});
