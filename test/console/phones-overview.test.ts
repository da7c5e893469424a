import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

test('the first page shows how a push travels, then the latest pushes to all phones, each a link to its trace', async () => {
  const { page } = await console.show(roles.guest, '/console/phones');
  await page.getByRole('heading', { name: 'No phones yet' }).waitFor();
  await page.getByRole('heading', { name: 'How a push travels' }).waitFor();
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page.getByRole('heading', { name: /^Android phone/ }).waitFor();
  await page.getByText('registered', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Send a test to all phones' }).click();
  const latest = page.getByRole('table', { name: 'Latest pushes' });
  await latest.getByRole('row').filter({ hasText: 'Test notification' }).first().waitFor();
  await page.getByText(/, to Android phone.*: arrived at the first attempt/).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('link', { name: 'Back to phones' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await latest.getByRole('link').first().click();
  await page
    .getByRole('region', { name: 'Push trace' })
    .getByText('arrived at the first attempt')
    .waitFor();
});
