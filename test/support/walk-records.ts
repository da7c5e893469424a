import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { nextFrame, press as pressOn } from './console-browser.ts';

export interface Walked {
  /** The name of the list, which has a row that failed and others, and is not filtered. */
  readonly list: string;
  /** A term that a button in a row filters by, as `status:failed`, and the word on the button. */
  readonly term: string;
  readonly word: string;
  /** A text of the command line that "Copy as curl" copies. */
  readonly curl: string;
  /** How many rows fail: the title of the page says so. Lists without failures have none. */
  readonly failed: number;
}

/**
 * Uses a list of records as its user does, by keyboard where there is a key. Clears the filter and the marks
 * at the end. Docs: `docs/internals/console.md`, "The 25 interactions".
 */
export async function walkRecords(page: Page, walked: Walked): Promise<void> {
  const { list, term, word, curl, failed } = walked;
  const rows = page.getByRole('list', { name: list, exact: true }).getByRole('article');
  const press = (...keys: readonly string[]) => pressOn(page, ...keys);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const focused = () => page.locator('[data-row]:focus').getAttribute('data-row');
  const inspector = page.getByRole('complementary');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  const all = await rows.count();

  // Focus, open, and back to the same row.
  await press('j', 'j');
  const second = await focused();
  await press('k');
  const first = await focused();
  expect(first).not.toBe(second);
  await press('j', 'Enter');
  await inspector.waitFor();
  await button('Copy as curl').click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(copied).toContain(curl);
  expect(await copied()).toMatch(/^curl -X/);
  await page.locator(`[data-row="${second}"][aria-current]`).waitFor();
  await press('Escape');
  await inspector.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe(second);

  // The next one that failed; two that are marked are compared.
  if (failed > 0) {
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${failed} failed · `));
    await press('n');
    await inspector.waitFor();
    await rows
      .filter({ has: page.locator('[aria-current]') })
      .filter({ hasText: word })
      .waitFor();
    await press('Escape');
    await inspector.waitFor({ state: 'detached' });
  }
  // The row that was open gets the focus back when the inspector is gone.
  await nextFrame(page);
  for (const at of [0, 1]) {
    await rows.nth(at).getByRole('link').first().focus();
    await press('x');
  }
  await expect.poll(() => rows.locator('input:checked').count()).toBe(2);
  await press('d');
  await inspector.getByRole('tabpanel').locator('ins, del').first().waitFor();
  expect(parameter('compare')?.split(',')).toHaveLength(2);
  await press('Escape');
  await inspector.waitFor({ state: 'detached' });
  await button('Clear marks').click();

  // A value filters; the filter is saved under a name, and chosen by it.
  await rows.getByRole('button', { name: word }).first().click();
  await expect.poll(() => parameter('q')).toBe(term);
  await expect.poll(() => rows.count()).toBeLessThan(all);
  const choose = async (item: string) => {
    await button('Saved views').click();
    await button(item).click();
  };
  await choose('Save filter');
  await page.getByRole('dialog').getByLabel('Name').fill('a view');
  await press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button('Clear filter').click();
  await expect.poll(() => rows.count()).toBe(all);
  await choose('a view');
  await expect.poll(() => parameter('q')).toBe(term);
  await choose('Remove a view');
  await press('/');
  await page.keyboard.type('before:1h after:1s');
  await page.getByText('No matches').waitFor();
  await button('Clear filter').last().click();
  await expect.poll(() => rows.count()).toBe(all);

  // Pause, and the keys of the page.
  await page.getByRole('main').focus();
  await press('Space');
  await page.getByRole('button', { name: /^Paused, last event \d+ (s|min|h) ago$/ }).waitFor();
  await press('Space');
  await press('Shift+?');
  const keys = page.getByRole('dialog');
  for (const label of ['Next row', 'Mark for comparison', 'Pause or resume'])
    await keys.getByText(label).waitFor();
  await press('Escape');
  await keys.waitFor({ state: 'detached' });
}
