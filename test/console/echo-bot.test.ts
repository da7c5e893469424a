import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

test('a message to the echo bot and its reply appear without reloading, in every tab once', async () => {
  const { page } = await console.open(roles.member);
  await page.getByRole('link', { name: 'Echo Bot' }).click();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'Echo Bot' }).waitFor();
  await page.getByLabel('Message Echo Bot').fill('Is anybody *there*?');
  await page.keyboard.press('Enter');
  for (const tab of [page, second]) {
    const messages = tab.getByRole('log', { name: 'Messages' }).getByRole('article');
    await expect.poll(() => messages.count()).toBe(2);
    expect(await messages.allInnerTexts()).toEqual([
      expect.stringMatching(/Max Member[^]*Is anybody there\?$/),
      expect.stringMatching(/Echo Bot[^]*Is anybody there\?$/),
    ]);
  }
});
