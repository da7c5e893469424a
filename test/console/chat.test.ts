import { type Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  nextFrame,
  press as pressKeys,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { makeOlder } from '../support/older-messages.ts';

let console: ConsoleBrowser;
let page: Page;
let max: Client;
let owner: Client;
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page } = await console.open(roles.member));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  max = console.sandbox.as(roles.member);
  owner = console.sandbox.as(roles.owner);
});
afterAll(() => console[Symbol.asyncDispose]());

/** Every test has a topic of its own. */
beforeEach(() => void (topic = `topic ${++topics}`));

const general = () => console.sandbox.sandbox.file.channels.find(({ name }) => name === 'general');
const toTopic = () => ({ type: 'channel' as const, to: general()?.stream_id ?? 0, topic });
const open = (where = topic) =>
  goTo(page, `/console/chat/channel/${general()?.stream_id}/${where}`);
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const composer = () => page.getByLabel(`Message #general > ${topic}`);

/** Presses a button of a message, which shows its buttons under the pointer. */
async function press(text: string, ...names: string[]) {
  await message(text).hover();
  for (const name of names) await page.getByRole('button', { name, exact: true }).click();
}

describe('a message', () => {
  test('from another user raises the unread count until it is in sight', async () => {
    const all = { anchor: 'oldest', num_before: 0, num_after: 100 } as const;
    await max.messages.setFlagInNarrow({ ...all, op: 'add', flag: 'read' });
    const channel = page.getByRole('link', { name: 'general', exact: false }).first();
    await expect.poll(() => channel.innerText()).toBe('general');
    await owner.messages.send({ ...toTopic(), content: 'look here' });
    await expect.poll(() => channel.innerText()).toMatch(/1\s+1 unread|1 unread/);
    await open();
    await message('look here').waitFor();
    await expect.poll(() => channel.innerText()).toBe('general');
  });

  test('at the start of a long topic is reached by scrolling up', async () => {
    const { id: first } = await owner.messages.send({ ...toTopic(), content: 'the very first' });
    const more = Array.from({ length: 110 }, () =>
      owner.messages.send({ ...toTopic(), content: 'one more' }),
    );
    const messages = [first, ...(await Promise.all(more)).map(({ id }) => id)];
    await max.messages.setFlag({ messages, op: 'add', flag: 'read' });
    await open();
    await message('one more').last().hover();
    const scrollUp = async () => {
      await page.mouse.wheel(0, -20_000);
      return page.getByText('the very first').isVisible();
    };
    await expect.poll(scrollUp).toBe(true);
  });

  test('gets a reaction, which is counted with that of another user and can be removed', async () => {
    const { id } = await owner.messages.send({ ...toTopic(), content: 'nice work' });
    await open();
    await message('nice work').waitFor();
    await press('nice work', 'Add reaction', 'tada');
    const reaction = message('nice work').getByRole('button', { name: 'tada: you' });
    await reaction.waitFor();
    // The page shows it before the server has stored it.
    const stored = async () => (await owner.messages.fetchOne({ message_id: id })).message;
    await expect.poll(async () => (await stored()).reactions).toHaveLength(1);
    await owner.reactions.add({ message_id: id, emoji_name: 'tada' });
    const joined = message('nice work').getByRole('button', { name: 'tada: you, Olivia' });
    await joined.click();
    await message('nice work').getByRole('button', { name: 'tada: Olivia Owner' }).waitFor();
    await expect.poll(async () => (await stored()).reactions).toHaveLength(1);
  });

  test('shows custom emoji in its text and reactions, and in picker and completion', async () => {
    const gif =
      'R0lGODlhAgACAIAAAExpcf8AACH5BAUAAAAALAAAAAACAAIAAAICjFMAIfkEBQAAAAAsAAAAAAIAAgCATGlxAAD/AgKMUwA7';
    const file = new File([Buffer.from(gif, 'base64')], 'blink.gif');
    await owner.realmEmoji.upload({ emoji_name: 'blink_blink' }, { file });
    await open();
    const option = page.getByRole('option', { name: 'blink_blink' });
    /** Types anew: suggestions do not change when the page hears of a new emoji after the typing. */
    const options = async () => {
      await composer().fill('');
      await composer().pressSequentially('look :blink');
      return option.count();
    };
    await expect.poll(options).toBe(1);
    await option.locator('img').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const shown = message('look').locator('.content img');
    const shows = (place: typeof shown, what: RegExp) =>
      expect
        .poll(() =>
          place.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc),
        )
        .toMatch(what);
    await shows(shown, /\/still\/\d+\.png$/);
    await press('look', 'Add reaction', 'blink_blink');
    const reaction = message('look').getByRole('button', { name: 'blink_blink: you' });
    await shows(reaction.locator('img'), /\/still\/\d+\.png$/);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const place of [shown, reaction.locator('img')]) await shows(place, /\/images\/\d+\.gif$/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await owner.realmEmoji.remove({ emoji_name: 'blink_blink' });
    await expect.poll(options).toBe(0);
    await shows(reaction.locator('img'), /\/still\//);
    await composer().fill('');
  });

  test('a message is edited in place, others see that it is being edited, and its history shows the change', async () => {
    await max.messages.send({ ...toTopic(), content: 'the first text' });
    await open();
    const { page: other } = await console.open(roles.owner, page.url());
    const theirs = other.getByRole('article').filter({ hasText: 'the first text' });
    await theirs.waitFor();
    await message('the first text').waitFor();
    await press('the first text', 'Edit');
    const field = page.getByLabel('Edit message');
    await expect.poll(() => field.inputValue()).toBe('the first text');
    await theirs.getByText('Max Member is editing this message').waitFor();
    await page.keyboard.press('Escape');
    await other.getByText('is editing').waitFor({ state: 'detached' });
    await press('the first text', 'Edit');
    await expect.poll(() => field.inputValue()).toBe('the first text');
    await other.getByText('is editing').waitFor();
    await field.fill('the second text');
    await page.keyboard.press('Enter');
    await message('the second text').getByText('edited').waitFor();
    await other.getByText('is editing').waitFor({ state: 'detached' });
    await other.context().close();
    await press('the second text', 'More actions', 'Edit history');
    const history = page.getByRole('dialog', { name: 'Edit history' });
    await history.locator('del').filter({ hasText: 'first' }).waitFor();
    await history.locator('ins').filter({ hasText: 'second' }).waitFor();
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'hidden' });
  });

  test('is starred, found among the starred ones, and loses its star', async () => {
    await max.messages.send({ ...toTopic(), content: 'remember me' });
    await open();
    await message('remember me').waitFor();
    await press('remember me', 'Star');
    await page.getByRole('link', { name: 'Starred' }).click();
    await message('remember me').waitFor();
    await press('remember me', 'Unstar');
    await expect
      .poll(
        async () =>
          (await max.queues.register({ fetch_event_types: ['starred_messages'] })).starred_messages,
      )
      .toEqual([]);
  });

  test('is deleted after a question, for everybody', async () => {
    const { id } = await max.messages.send({ ...toTopic(), content: 'a mistake' });
    await owner.messages.send({ ...toTopic(), content: 'stays' });
    await open();
    await message('a mistake').waitFor();
    await press('a mistake', 'More actions', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await message('a mistake').waitFor({ state: 'detached' });
    await expect(owner.messages.fetchOne({ message_id: id })).rejects.toThrow();
  });

  test('moves with its topic, and its topic is resolved', async () => {
    await max.messages.send({ ...toTopic(), content: 'wrong place' });
    await open();
    await message('wrong place').waitFor();
    await press('wrong place', 'More actions', 'Move');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Topic', { exact: true }).fill(`${topic} moved`);
    await dialog.getByLabel('Messages to move').selectOption('change_all');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('link', { name: `${topic} moved` }).click();
    await message('wrong place').waitFor();
    await press('wrong place', 'More actions', 'Resolve topic');
    await page.getByRole('link', { name: `✔ ${topic} moved` }).waitFor();
  });
});

describe('writing', () => {
  test('completes a person, and the message mentions them', async () => {
    await open();
    await composer().pressSequentially('Hello @oliv');
    await page.getByRole('option', { name: 'Olivia Owner' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await composer().inputValue()).toBe('Hello @**Olivia Owner** ');
    await page.keyboard.press('Enter');
    await message('@Olivia Owner').waitFor();
    expect(await composer().inputValue()).toBe('');
  });

  test('shows a preview of the Markdown', async () => {
    await open();
    await composer().fill('this is *important*');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.preview em').filter({ hasText: 'important' }).waitFor();
  });

  test('shows the other people a typing notice', async () => {
    const other = await console.open(roles.owner);
    const olivia = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.owner);
    await goTo(page, `/console/chat/direct/${olivia?.user_id}`);
    await other.page.getByRole('link', { name: 'Max Member' }).click();
    await other.page.getByLabel('Message Max Member').waitFor();
    await nextFrame(other.page);
    await page.getByLabel('Message Olivia Owner').pressSequentially('I am thi');
    await other.page.getByText('Max Member is typing').waitFor();
    await page.getByLabel('Message Olivia Owner').fill('');
    await other.page.getByText('Max Member is typing').waitFor({ state: 'detached' });
    // The page of Olivia has told that she is here, and tells when she has gone away from it.
    const user_id = olivia?.user_id ?? 0;
    await page.getByRole('link', { name: /Olivia Owner.*active now/ }).waitFor();
    expect(await max.presence.get({ user_id })).toMatchObject({
      presence: { aggregated: { status: 'active' } },
    });
    await other.page.clock.install();
    // From then on the page tells regularly whether she is there.
    const toldOf = (status: string) =>
      other.page.waitForRequest(
        (request) =>
          request.url().endsWith('/presence') && request.postData()?.includes(status) === true,
      );
    const active = toldOf('active');
    await other.page.reload();
    await active;
    await other.page.getByRole('link', { name: /Max Member.*active now/ }).waitFor();
    const idle = toldOf('idle');
    await other.page.clock.fastForward('06:00');
    await idle;
    await other.page.context().close();
  });

  test('leaves a draft, which is there after a reload and gone after sending', async () => {
    await open();
    await composer().fill('not finished');
    const own = async () => (await max.drafts.list()).drafts.filter((one) => one.topic === topic);
    await expect.poll(own).toMatchObject([{ content: 'not finished' }]);
    await page.reload();
    await expect.poll(() => composer().inputValue()).toBe('not finished');
    await composer().press('Enter');
    await message('not finished').waitFor();
    await expect.poll(own).toEqual([]);
  });

  test('takes a file, and the picture in the message is loaded with the session', async () => {
    await open();
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const file = { name: 'pixel.png', mimeType: 'image/png', buffer: pixel };
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => composer().inputValue()).toMatch(/^\[pixel\.png\]\(\/user_uploads\//);
    await composer().press('Enter');
    const picture = message('pixel.png').locator('img[src^="blob:"]');
    await picture.waitFor({ state: 'attached' });
  });
});

test('a search is in the address, finds by operator and words, and says when nothing matches', async () => {
  await owner.messages.send({ ...toTopic(), content: 'the quick brown fox' });
  await page.getByLabel('Search messages').fill(`channel:general topic:"${topic}" quick`);
  await page.keyboard.press('Enter');
  await message('brown fox').locator('.highlight').waitFor();
  expect(decodeURIComponent(page.url())).toContain('/console/chat/search/channel:general');
  await page.getByLabel('Search messages').fill('nowhere to be found');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No messages found' }).waitFor();
});

test('a view is saved under a name, found in list and palette, and removed again', async () => {
  const { email } = await owner.users.me();
  const text = `sender:${email} fox`;
  await goTo(page, `/console/chat/search/${encodeURIComponent(text)}`);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Foxes of Olivia');
  await page.keyboard.press('Enter');
  const saved = page.getByRole('link', { name: 'Foxes of Olivia' });
  await saved.waitFor();
  const { navigation_views } = await max.navigationViews.list({});
  const sender = email.replaceAll('.', '.2E').replace('@', '.40');
  const fragment = `narrow/sender/${sender}/search/fox`;
  expect(navigation_views).toEqual([{ fragment, name: 'Foxes of Olivia', is_pinned: true }]);
  await page.getByRole('link', { name: 'Mentions' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('foxes');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: text }).waitFor();
  await page.getByRole('button', { name: 'Remove saved view' }).click();
  await saved.waitFor({ state: 'detached' });
});

test('messages that come while the user reads above wait below, and the title and icon of the page count them', async () => {
  for (let at = 0; at < 40; at++)
    await max.messages.send({ ...toTopic(), content: `line ${at}`, read_by_sender: true });
  await makeOlder(page, /line 1?\d</);
  await open();
  await message('line 39').waitFor();
  const { id } = await owner.messages.send({ ...toTopic(), content: 'seen at once' });
  await message('seen at once').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /new$/ }).count()).toBe(0);
  await page.getByRole('log').evaluate('document.querySelector("[role=log]").scrollTop = 0');
  await nextFrame(page);
  await expect
    .poll(async () => (await max.messages.fetchOne({ message_id: id })).message.flags)
    .toContain('read');
  await owner.messages.send({ ...toTopic(), content: 'down below' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) .+ · Bellhop sandbox$/);
  const icon = () => page.locator('link[rel=icon]').getAttribute('href');
  expect(await icon()).toContain('icon-waiting');
  await page.getByRole('button', { name: '1 new' }).click();
  await expect.poll(() => page.getByRole('button', { name: '1 new' }).count()).toBe(0);
  const step = async (key: string, text: RegExp) => {
    await pressKeys(page, key);
    await expect.poll(() => focusedText()).toMatch(text);
  };
  await step('[', /line (20|0)\b/);
  await step('[', /line 0\b/);
  expect(page.url()).toContain('?near=');
  await step(']', /line 20\b/);
  await step(']', /down below/);
  await page.unrouteAll({ behavior: 'wait' });
});

const focusedText = () => page.evaluate('document.activeElement.innerText');

test('Enter opens the conversation of a message, Escape leads back to it', async () => {
  const { id } = await max.messages.send({ ...toTopic(), content: 'open me' });
  await goTo(page, `/console/chat/all?near=${id}`);
  await expect.poll(() => focusedText()).toContain('open me');
  await pressKeys(page, 'Enter');
  await page.getByRole('heading', { name: `#general > ${topic}` }).waitFor();
  await expect.poll(() => focusedText()).toContain('open me');
  await pressKeys(page, 'Escape');
  await page.getByRole('heading', { name: 'All messages' }).waitFor();
  await expect.poll(() => focusedText()).toContain('open me');
});

test('a conversation is used by keyboard alone', async () => {
  await max.messages.send({ ...toTopic(), content: 'one' });
  await max.messages.send({ ...toTopic(), content: 'two' });
  await open();
  await message('two').waitFor();
  await pressKeys(page, 'k', 'k');
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('one');
  await page.keyboard.press('s');
  await expect
    .poll(
      async () =>
        (await max.queues.register({ fetch_event_types: ['starred_messages'] })).starred_messages,
    )
    .toHaveLength(1);
  await page.keyboard.press('r');
  await page.keyboard.type('three');
  await page.keyboard.press('Enter');
  await message('three').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('Shift+?');
  await page
    .getByRole('dialog', { name: 'Keyboard shortcuts' })
    .getByText('Star message')
    .waitFor();
  // Both keys before the browser reports that the dialog was closed.
  await page.evaluate(`document.querySelector('dialog').close();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true }))`);
  await page.getByRole('combobox', { name: 'Command palette' }).fill('echo');
  await page.keyboard.press('Enter');
  await page.getByLabel('Message Echo Bot').waitFor();
});
