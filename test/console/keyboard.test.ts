import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  goTo,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
let max: Client;
let owner: Client;
let general = 0;
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page } = await console.open(roles.member));
  max = console.sandbox.as(roles.member);
  owner = console.sandbox.as(roles.owner);
  general =
    console.sandbox.sandbox.file.channels.find(({ name }) => name === 'general')?.stream_id ?? 0;
});
afterAll(() => console[Symbol.asyncDispose]());
/** Every test has a topic of its own. */
beforeEach(() => void (topic = `keys ${++topics}`));

const openTopic = () => goTo(page, `/console/chat/channel/${general}/${topic}`);
const openChannel = () => goTo(page, `/console/chat/channel/${general}`);
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const composer = () => page.getByLabel(composerLabel());
const focusedLabel = () =>
  page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')");
const composerLabel = () => `Message #general > ${topic}`;
const send = (by: Client, content: string, inTopic = topic) =>
  by.messages.send({
    type: 'channel',
    to: general,
    topic: inTopic,
    content,
    read_by_sender: true,
  });

test('Escape leaves the message box, and only the next one leaves the conversation', async () => {
  await openTopic();
  await composer().fill('half a thought');
  await composer().press('Escape');
  expect(await focusedLabel()).toBe(null);
  expect(await composer().inputValue()).toBe('half a thought');
  await page.getByRole('heading', { name: `#general > ${topic}` }).waitFor();
  await composer().fill('');
  await composer().press('Escape');
  await press(page, 'Escape');
  await composer().waitFor({ state: 'detached' });
});

test('Up in an empty message box edits the last own message, and the focus returns to the box', async () => {
  await send(max, 'my first');
  const { id } = await send(max, 'my second');
  await send(owner, 'not mine');
  await openTopic();
  await message('not mine').waitFor();
  await composer().fill('text');
  await composer().press('ArrowUp');
  await page.getByLabel('Edit message').waitFor({ state: 'detached' });
  await composer().fill('');
  await composer().press('ArrowUp');
  const field = page.getByLabel('Edit message');
  await expect.poll(() => field.inputValue()).toBe('my second');
  await field.fill('my second, corrected');
  await field.press('Enter');
  await message('my second, corrected').getByText('edited').waitFor();
  expect((await max.messages.fetchOne({ message_id: id })).raw_content).toBe(
    'my second, corrected',
  );
  await expect.poll(focusedLabel).toBe(composerLabel());
  await composer().press('ArrowUp');
  await expect.poll(() => field.inputValue()).toBe('my second, corrected');
  await field.press('Escape');
  await expect.poll(focusedLabel).toBe(composerLabel());
});

test('r in a channel replies to the message with the focus, and asks for the topic without one', async () => {
  await send(owner, `question of ${topic}`);
  await openChannel();
  await message(`question of ${topic}`).waitFor();
  await press(page, 'r');
  const field = page.getByLabel('Topic', { exact: true });
  expect(await focusedLabel()).toBe('Topic');
  await field.fill(`${topic} new`);
  await field.press('Enter');
  await page.keyboard.type('a new topic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `#general > ${topic} new` }).waitFor();
  await message('a new topic').waitFor();
  await openChannel();
  await message(`question of ${topic}`).focus();
  await press(page, 'r');
  expect(await field.inputValue()).toBe(topic);
  await page.keyboard.type(`answer of ${topic}`);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `#general > ${topic}`, exact: true }).waitFor();
  await message(`answer of ${topic}`).waitFor();
});

test('r in a list of several conversations goes to that of the message and into its message box', async () => {
  const { id } = await send(owner, 'answer me');
  await goTo(page, `/console/chat/all?near=${id}`);
  await message('answer me').focus();
  await press(page, 'r');
  await composer().waitFor();
  await expect.poll(focusedLabel).toBe(composerLabel());
});

test('Enter sends as the setting says, which is changed beside the button, also from elsewhere', async () => {
  await openTopic();
  await composer().fill('by Enter');
  await composer().press('Shift+Enter');
  expect(await composer().inputValue()).toBe('by Enter\n');
  await composer().press('Enter');
  await message('by Enter').waitFor();
  await page.getByRole('button', { name: 'Enter sends' }).click();
  await page.getByRole('button', { name: 'Ctrl Enter sends' }).waitFor();
  await expectAccessible(page);
  await composer().fill('by Ctrl');
  await composer().press('Enter');
  await composer().press('Enter');
  expect(await composer().inputValue()).toBe('by Ctrl\n\n');
  await composer().press('Control+Enter');
  await message('by Ctrl').waitFor();
  await max.settings.update({ enter_sends: true });
  await page.getByRole('button', { name: 'Enter sends', exact: true }).waitFor();
  await composer().fill('by Enter again');
  await composer().press('Enter');
  await message('by Enter again').waitFor();
});

test('the list of keys has those of the message box', async () => {
  await openTopic();
  await composer().press('Escape');
  await press(page, 'Shift+?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const label of ['Reply', 'Send', 'New line', 'Leave the message box'])
    await dialog.getByText(label, { exact: true }).waitFor();
  await dialog.getByText('Edit your last message, in an empty message box').waitFor();
  await page.keyboard.press('Escape');
});
