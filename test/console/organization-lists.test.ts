import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  goTo as goToAddress,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let owner: Client;
let page: Page;
beforeAll(async () => {
  console = await startConsoleBrowser();
  owner = console.sandbox.as(roles.owner);
  ({ page } = await console.open(roles.owner, '/console/organization/folders'));
});
afterAll(() => console[Symbol.asyncDispose]());

const goTo = (path: string) => goToAddress(page, `/console/organization/${path}`);
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

test('an archived channel folder is taken back', async () => {
  await owner.channelFolders.create({ name: 'Attic' });
  await goTo('folders');
  await row('Attic').getByRole('link').click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await row('Attic').waitFor({ state: 'detached' });
  await page.getByLabel('Which folders').selectOption('Archived');
  await row('Attic').waitFor();
  await page.getByRole('button', { name: 'Unarchive' }).click();
  await page.getByLabel('Which folders').selectOption('Active');
  await row('Attic').waitFor();
});

test('a default channel group gets channels, another name, and is removed', async () => {
  await owner.channels.create({ name: 'workshop', subscribers: [] });
  await goTo('default-groups');
  await page.getByRole('button', { name: 'New group' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('builders');
  await dialog.getByLabel('Description').fill('Where things are made');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await row('builders').getByRole('link').click();
  await page.getByLabel('Add channel').selectOption('#workshop');
  await page.getByRole('button', { name: 'Remove #workshop' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('region', { name: 'builders' }).getByLabel('Name').fill('makers');
  await page.keyboard.press('Enter');
  await row('makers').getByRole('cell', { name: '1' }).waitFor();
  const panel = page.getByRole('region', { name: 'makers' });
  await panel.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No default channel groups').waitFor();
  // The answer, which may come after the event, leads back to the list.
  await expect.poll(() => page.url()).toMatch(/\/default-groups$/);
});

test('profile fields are added, reordered, changed with the values of people kept, and removed', async () => {
  await goTo('profile-fields');
  const dialog = page.getByRole('dialog');
  const add = async (name: string, fill: () => Promise<unknown>) => {
    await page.getByRole('button', { name: 'New field' }).click();
    await dialog.getByLabel('Name').fill(name);
    await fill();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await row(name).waitFor();
  };
  await add('Team', async () => {
    await dialog.getByLabel('Type').selectOption('List of options');
    await dialog.getByRole('textbox', { name: /^Options/ }).fill('Kitchen\nDesk');
  });
  await add('Blog', async () => {
    await dialog.getByLabel('Type').selectOption('External account');
    await dialog.getByRole('combobox', { name: /^External account type/ }).selectOption('Custom');
    await dialog
      .getByRole('textbox', { name: /^URL pattern/ })
      .fill('https://blog.example/%(username)s');
  });
  const fields = async () => (await owner.customProfileFields.list()).custom_fields;
  const [team] = await fields();
  await owner.customProfileFields.setOwn({ data: [{ id: team?.id as never, value: '1' }] });
  await row('Blog').getByRole('button', { name: 'Move up' }).click();
  await expect.poll(async () => (await fields()).map(({ name }) => name)).toEqual(['Blog', 'Team']);
  await page.getByRole('button', { name: 'Edit Team' }).click();
  await dialog.getByRole('textbox', { name: /^Options/ }).fill('Bar\nDesk');
  await dialog.getByLabel('Required').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  // The dialog is in the row, and has this word, too.
  await dialog.waitFor({ state: 'detached' });
  await row('Team').getByText('Required').waitFor();
  expect(JSON.parse((await fields())[1]?.field_data ?? '')).toEqual({
    '2': { text: 'Bar', order: '1' },
    '1': { text: 'Desk', order: '2' },
  });
  for (const name of ['Team', 'Blog']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
  }
  await page.getByText('No custom profile fields').waitFor();
});

test('an emoji is uploaded and deactivated, and the organization gets an icon', async () => {
  await goTo('emoji');
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } });
  const image = { name: 'bell.png', mimeType: 'image/png', buffer };
  await page.getByRole('button', { name: 'New emoji' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Image').setInputFiles(image);
  await dialog.getByLabel('Name').fill('bellhop_bell');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await row(':bellhop_bell:').waitFor();
  const width = () => page.evaluate<number>(`document.querySelector('.org-emoji').naturalWidth`);
  await expect.poll(width).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Deactivate :bellhop_bell:' }).click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('No custom emoji').waitFor();
  await page.getByLabel('Which emoji').selectOption('Deactivated');
  await row(':bellhop_bell:').waitFor();
  await expectAccessible(page);

  await goTo('realm');
  await page.locator('.org-image input').first().setInputFiles(image);
  await page.getByRole('img', { name: 'Icon' }).waitFor();
  await page.getByRole('button', { name: 'Remove Icon' }).click();
  await page.getByRole('img', { name: 'Icon' }).waitFor({ state: 'detached' });
});
