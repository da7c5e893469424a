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
let ownerId = 0;
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page } = await console.open(roles.member));
  max = console.sandbox.as(roles.member);
  owner = console.sandbox.as(roles.owner);
  ownerId = (await owner.users.me()).user_id;
  general =
    console.sandbox.sandbox.file.channels.find(({ name }) => name === 'general')?.stream_id ?? 0;
});
afterAll(() => console[Symbol.asyncDispose]());
/** Every test has a topic of its own. */
beforeEach(() => void (topic = `settings ${++topics}`));

const openTopic = () => goTo(page, `/console/chat/channel/${general}/${topic}`);
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const send = (by: Client, content: string, inTopic = topic) =>
  by.messages.send({
    type: 'channel',
    to: general,
    topic: inTopic,
    content,
    read_by_sender: true,
  });
const list = () => page.getByRole('navigation', { name: 'Conversations' });
const styleOf = (selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`,
  );
const dataOf = (name: string) =>
  page.evaluate<string | null>(`document.documentElement.getAttribute('data-${name}')`);
const change = (settings: Parameters<Client['settings']['update']>[0]) =>
  max.settings.update(settings);

test('theme, contrast and sizes follow a change made elsewhere, and the menu changes the theme for all clients', async () => {
  await send(max, 'to look at');
  await openTopic();
  await message('to look at').waitFor();
  await change({ color_scheme: 2, high_contrast_mode: true });
  await expect.poll(() => dataOf('theme')).toBe('dark');
  await expect.poll(() => dataOf('contrast')).toBe('high');
  await expectAccessible(page);
  await change({ web_font_size_px: 20, web_line_height_percent: 180 });
  await expect.poll(() => styleOf('.content', 'fontSize')).toBe('20px');
  await expect.poll(() => styleOf('.content', 'lineHeight')).toBe('36px');
  // A size that nobody could read is held at one in which it can be changed back.
  await change({ web_font_size_px: 1 });
  await expect.poll(() => styleOf('.content', 'fontSize')).toBe('10px');
  await page.getByRole('button', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Toggle dark theme' }).click();
  await expect.poll(() => dataOf('theme')).toBe('light');
  const scheme = async () =>
    (await max.queues.register({ fetch_event_types: ['user_settings'] })).user_settings
      ?.color_scheme;
  await expect.poll(scheme).toBe(3);
  await change({
    color_scheme: 1,
    high_contrast_mode: false,
    web_font_size_px: 16,
    web_line_height_percent: 140,
  });
  await expect.poll(() => dataOf('theme')).toBe(null);
});

test('times, emoji and the names of a reaction are shown as the settings say', async () => {
  const { id } = await send(max, 'look at <time:2026-01-02T15:04:00Z>');
  await max.reactions.add({ message_id: id, emoji_name: 'tada' });
  await openTopic();
  const time = message('look at').locator('header time');
  const moment = message('look at').locator('.content time');
  await change({ twenty_four_hour_time: false });
  await expect.poll(() => time.innerText()).toMatch(/^\d{1,2}:\d\d\s[AP]M$/);
  await expect.poll(() => moment.innerText()).toMatch(/[AP]M$/);
  await change({ twenty_four_hour_time: true });
  await expect.poll(() => time.innerText()).toMatch(/^\d\d:\d\d$/);
  await expect.poll(() => moment.innerText()).toMatch(/\d\d:\d\d$/);
  const reaction = message('look at').locator('.reaction');
  await expect.poll(() => reaction.innerText()).toMatch(/🎉\s*you/);
  await change({ display_emoji_reaction_users: false });
  await expect.poll(() => reaction.innerText()).toMatch(/🎉\s*1/);
  await change({ emojiset: 'text' });
  await expect.poll(() => reaction.innerText()).toMatch(/:tada:\s*1/);
  await change({ emojiset: 'vendor_a', display_emoji_reaction_users: true });
  await expect.poll(() => reaction.innerText()).toMatch(/🎉\s*you/);
});

test('messages in sight stay unread if the user wants to mark them, and who types is hidden on request', async () => {
  await change({ web_mark_read_on_scroll_policy: 3, receives_typing_notifications: false });
  const { id } = await send(owner, 'read me later');
  await openTopic();
  await message('read me later').waitFor();
  await owner.typing.send({
    op: 'start',
    type: 'channel',
    stream_id: general as never,
    topic,
  });
  // The event of a later message shows that the page had the time for both.
  await send(owner, 'the second');
  await message('the second').waitFor();
  expect(await page.getByText('is typing').count()).toBe(0);
  const flags = async () => (await max.messages.fetchOne({ message_id: id })).message.flags;
  expect(await flags()).not.toContain('read');
  await change({ web_mark_read_on_scroll_policy: 1, receives_typing_notifications: true });
  await page.reload();
  await expect.poll(flags).toContain('read');
});

test('Chat begins with the home view of the user: inbox, recent conversations or all messages', async () => {
  await send(owner, 'waits in the inbox');
  await goTo(page, '/console/chat');
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('link', { name: topic }).waitFor();
  await expectAccessible(page);
  await inbox.getByRole('button', { name: `Mark as read: ${topic}` }).click();
  await inbox.getByRole('link', { name: topic }).waitFor({ state: 'detached' });
  await change({ web_home_view: 'recent_topics' });
  const recent = page.getByRole('region', { name: 'Recent conversations' });
  await recent.getByRole('link', { name: `#general > ${topic}` }).waitFor();
  await expectAccessible(page);
  await send(owner, 'newer', `${topic} newer`);
  await expect.poll(() => recent.getByRole('link').first().innerText()).toContain(`${topic} newer`);
  await change({ web_home_view: 'all_messages' });
  await page.getByRole('heading', { name: 'All messages' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/chat');
  await change({ web_home_view: 'inbox' });
  await inbox.waitFor();
});

test('Escape leaves a conversation for the home view unless the user wants to stay', async () => {
  await send(max, 'stay here');
  await openTopic();
  await message('stay here').waitFor();
  await change({ web_escape_navigates_to_home_view: false });
  await expect
    .poll(async () => {
      // A press before the page has the setting leaves.
      await openTopic();
      await message('stay here').waitFor();
      await press(page, 'Escape');
      return page.url();
    })
    .toContain(`/channel/${general}/`);
  await change({ web_escape_navigates_to_home_view: true });
  await expect
    .poll(async () => {
      await press(page, 'Escape');
      return new URL(page.url()).pathname;
    })
    .toBe('/console/chat');
});

test('a channel opens at its newest topic, its feed, its topics or its newest unread topic', async () => {
  await send(owner, 'unread for now', `${topic} unread`);
  await send(max, 'the newest', `${topic} newest`);
  await goTo(page, '/console/chat/home');
  const channel = list()
    .getByRole('link', { name: /^general/ })
    .first();
  const opens = (path: string) =>
    expect
      .poll(() => decodeURIComponent(new URL(page.url()).pathname))
      .toBe(`/console/chat/${path}`);
  await channel.click();
  await opens(`channel/${general}/${topic} newest`);
  await list().getByRole('link', { name: 'All topics' }).click();
  await opens(`channel/${general}`);
  await change({ web_channel_default_view: 2 });
  await list().getByRole('link', { name: 'All topics' }).waitFor({ state: 'detached' });
  await goTo(page, '/console/chat/home');
  await channel.click();
  await opens(`channel/${general}`);
  await change({ web_channel_default_view: 3, web_mark_read_on_scroll_policy: 2 });
  await list().getByRole('link', { name: 'All topics' }).waitFor();
  await channel.click();
  await opens(`topics/${general}`);
  const shown = page.getByRole('region', { name: '#general' });
  await shown.getByRole('link', { name: `${topic} newest` }).waitFor();
  await expectAccessible(page);
  await owner.messages.send({
    type: 'channel',
    to: general,
    topic: `${topic} unread`,
    content: 'and one more',
  });
  await send(max, 'newer than the unread ones', `${topic} newest`);
  await change({ web_channel_default_view: 4 });
  await list()
    .getByRole('link', { name: /unread$/ })
    .first()
    .waitFor();
  await goTo(page, '/console/chat/home');
  await channel.click();
  await opens(`channel/${general}/${topic} unread`);
  await change({ web_channel_default_view: 1, web_mark_read_on_scroll_policy: 1 });
});

test('the list has folders, counts, statuses and pictures as the settings say', async () => {
  const { channel_folder_id } = await owner.channelFolders.create({ name: 'Work' });
  await owner.channels.update({ stream_id: general as never, folder_id: channel_folder_id });
  const { id } = await send(owner, 'starred');
  await max.messages.setFlag({ messages: [id], op: 'add', flag: 'starred' });
  await owner.userStatus.set({ status_text: 'In a meeting' });
  await goTo(page, '/console/chat/home');
  const folder = list().getByRole('heading', { name: 'Work' });
  await folder.waitFor();
  const starred = list().getByRole('link', { name: /^Starred/ });
  await expect.poll(() => starred.innerText()).toMatch(/^Starred\s+[1-9]/);
  const olivia = list().getByRole('link', { name: /^Olivia Owner/ });
  await expect.poll(() => olivia.innerText()).toContain('In a meeting');
  expect(await olivia.locator('.avatar').count()).toBe(1);
  await change({
    web_left_sidebar_show_channel_folders: false,
    starred_message_counts: false,
    user_list_style: 1,
    web_left_sidebar_unreads_count_summary: false,
    web_stream_unreads_count_display_policy: 3,
  });
  await folder.waitFor({ state: 'detached' });
  await expect.poll(() => starred.innerText()).toBe('Starred');
  await expect.poll(() => olivia.innerText()).not.toContain('In a meeting');
  expect(await olivia.locator('.avatar').count()).toBe(0);
  expect(
    await list()
      .getByRole('link', { name: /^All messages/ })
      .innerText(),
  ).toBe('All messages');
  expect(
    await list()
      .getByRole('link', { name: /^general/ })
      .innerText(),
  ).toBe('general');
  await change({
    web_left_sidebar_show_channel_folders: true,
    starred_message_counts: true,
    user_list_style: 3,
    web_left_sidebar_unreads_count_summary: true,
    web_stream_unreads_count_display_policy: 2,
  });
  await folder.waitFor();
});

test('the title counts what the setting says', async () => {
  await send(owner, 'one to count');
  await goTo(page, '/console/chat/home');
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) .+ · Bellhop sandbox$/);
  await change({ desktop_icon_count_display: 4 });
  await expect.poll(() => page.title()).toMatch(/^[^(].* · Bellhop sandbox$/);
  await owner.messages.send({ type: 'direct', to: [(await max.users.me()).user_id], content: '!' });
  await change({ desktop_icon_count_display: 3 });
  await expect.poll(() => page.title()).toMatch(/^\([1-9]\d*\) .+ · Bellhop sandbox$/);
  await change({ desktop_icon_count_display: 1 });
});

test('the menu of the account leads to the settings, which say what only other apps obey, also on a narrow screen', async () => {
  await page.getByRole('button', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Your settings' }).waitFor();
  await page.getByLabel('24-hour time').uncheck();
  const isStored = async () =>
    (await max.queues.register({ fetch_event_types: ['user_settings'] })).user_settings
      ?.twenty_four_hour_time;
  await expect.poll(isStored).toBe(false);
  const size = page.getByLabel('Font size of messages (px)');
  await size.fill('500');
  await size.press('Enter');
  expect(await page.evaluate('document.activeElement.validity.rangeOverflow')).toBe(true);
  const settings = async () =>
    (await max.queues.register({ fetch_event_types: ['user_settings'] })).user_settings;
  expect((await settings())?.web_font_size_px).toBe(16);
  await size.fill('18');
  await size.press('Enter');
  await expect.poll(async () => (await settings())?.web_font_size_px).toBe(18);
  const others = page.getByRole('region', { name: 'For other apps' });
  await others.getByText('This console and this server do nothing with these settings.').waitFor();
  await others.getByLabel('Notification sound').waitFor();
  expect(await others.getByLabel('Press Enter to send').count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await change({ web_font_size_px: 16 });
  await goTo(page, `/console/chat/direct/${ownerId}`);
  await page.getByRole('heading', { name: 'Olivia Owner' }).waitFor();
});

test('a new name is at once in the menu of the account and beside the messages on the page', async () => {
  await send(max, 'by whom is this');
  await openTopic();
  await message('Max Member').filter({ hasText: 'by whom is this' }).waitFor();
  await change({ full_name: 'Maxine Member' });
  await message('Maxine Member').filter({ hasText: 'by whom is this' }).waitFor();
  await page.getByRole('banner').getByText('Maxine Member').waitFor();
  await change({ full_name: 'Max Member' });
});
