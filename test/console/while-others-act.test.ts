import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  nextFrame,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
let problems: string[];
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page, problems } = await console.open(roles.member));
});
afterAll(() => console[Symbol.asyncDispose]());

/** Every test has a topic of its own. */
beforeEach(async () => {
  topic = `topic ${++topics}`;
  await goTo(page, `/console/chat/channel/${channel()}/${topic}`);
});

const channel = () => console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
const channelName = () => console.sandbox.sandbox.file.channels[0]?.name ?? '';
const owner = () => console.sandbox.as(roles.owner).messages;
const max = () => console.sandbox.as(roles.member).messages;
const send = async (by: typeof owner, content: string) =>
  (await by().send({ type: 'channel', to: channel(), topic, content, read_by_sender: true })).id;
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const composer = (of = topic) => page.getByLabel(`Message #${channelName()} > ${of}`);
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('a topic that is moved while it is open', () => {
  test('is followed with the text of the message box, which goes to the new one', async () => {
    const message_id = await send(owner, 'in the wrong place');
    await message('in the wrong place').waitFor();
    await composer().fill('half a thought');
    await owner().edit({ message_id, topic: `${topic} moved`, propagate_mode: 'change_all' });
    await heading(`#${channelName()} > ${topic} moved`).waitFor();
    await message('in the wrong place').waitFor();
    const box = composer(`${topic} moved`);
    await expect.poll(() => box.inputValue()).toBe('half a thought');
    await expect.poll(() => box.evaluate('document.activeElement.dataset.composer')).toBe('true');
    await page.keyboard.press('Enter');
    await message('half a thought').waitFor();
    const narrow = [{ operator: 'topic', operand: topic, negated: false }];
    const { messages } = await max().fetch({ anchor: 'newest', num_before: 5, narrow });
    expect(messages.map(({ content }) => content).join()).not.toContain('half a thought');
    await page.getByRole('link', { name: 'Drafts and later' }).click();
    await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  });

  test('in part leaves the rest on the page, and shows what comes to it', async () => {
    await send(owner, 'stays here');
    const message_id = await send(owner, 'goes away');
    await message('goes away').waitFor();
    await owner().edit({ message_id, topic: `${topic} part`, propagate_mode: 'change_one' });
    await message('goes away').waitFor({ state: 'detached' });
    await message('stays here').waitFor();
    await owner().edit({ message_id, topic, propagate_mode: 'change_one' });
    await message('goes away').waitFor();
  });

  test('is resolved in the menu of a message, and stays on the page', async () => {
    await send(max, 'done with this');
    await message('done with this').hover();
    await message('done with this').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Resolve topic' }).click();
    await heading(`#${channelName()} > ✔ ${topic}`).waitFor();
    await message('done with this').waitFor();
  });
});

describe('a message that is being edited', () => {
  const field = () => page.getByLabel('Edit message');
  const edit = async (text: string) => {
    await message(text).click();
    await message(text).focus();
    await press(page, 'e');
    await expect.poll(() => field().inputValue()).toContain(text);
  };

  test('keeps what was written when it is scrolled out of sight, and in another conversation', async () => {
    for (let at = 0; at < 60; at++) await send(max, `line ${at}\n\nand more`);
    await page.reload();
    await message('line 59').waitFor();
    await edit('line 59');
    await page.keyboard.press('End');
    await field().fill('line 59, and words of mine');
    await page.mouse.move(800, 300);
    const scroll = async (by: number) => {
      await page.mouse.wheel(0, by);
      await nextFrame(page);
    };
    await expect
      .poll(async () => {
        await scroll(-2000);
        return field().count();
      })
      .toBe(0);
    await expect
      .poll(async () => {
        await scroll(2000);
        return field().count();
      })
      .toBe(1);
    expect(await field().inputValue()).toBe('line 59, and words of mine');
    await page.getByRole('link', { name: 'Mentions' }).click();
    await heading('Mentions').waitFor();
    await page.goBack();
    await expect.poll(() => field().inputValue()).toBe('line 59, and words of mine');
    await field().press('Enter');
    await message('line 59, and words of mine').getByText('edited', { exact: true }).waitFor();
    expect(await field().count()).toBe(0);
  });

  test('shows what it became when it was changed elsewhere, and is saved over that', async () => {
    const message_id = await send(max, 'the original');
    await edit('the original');
    await field().fill('written here');
    await max().edit({ message_id, content: 'written on the phone' });
    await field().press('Enter');
    const notice = page.getByRole('alert');
    await notice.getByText('written on the phone').waitFor();
    await notice.getByText('Save puts your text in its place.').waitFor();
    expect(await field().inputValue()).toBe('written here');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await message('written here').getByText('edited', { exact: true }).waitFor();
    expect((await max().fetchOne({ message_id })).raw_content).toBe('written here');
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  test('leaves its text in the message box when it is deleted', async () => {
    const message_id = await send(max, 'soon gone');
    await edit('soon gone');
    await field().fill('words worth keeping');
    await owner().remove({ message_id });
    await page.getByText('The message was deleted. Your text is in the message box.').waitFor();
    expect(await composer().inputValue()).toBe('words worth keeping');
    await composer().fill('');
  });
});
