import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
let problems: string[];
let max: Client;
let owner: Client;
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page, problems } = await console.open(roles.member));
  max = console.sandbox.as(roles.member);
  owner = console.sandbox.as(roles.owner);
});
afterAll(() => console[Symbol.asyncDispose]());

/** Every test has a topic of its own. */
beforeEach(() => void (topic = `topic ${++topics}`));

const userOf = (role: number) => {
  const user = console.sandbox.sandbox.file.users.find((one) => one.role === role);
  if (!user) throw new Error(`no user with role ${role}`);
  return user;
};
const general = () => console.sandbox.sandbox.file.channels.find(({ name }) => name === 'general');
const toTopic = () => ({ type: 'channel' as const, to: general()?.stream_id ?? 0, topic });
const openTopic = () =>
  goTo(page, `/console/chat/channel/${general()?.stream_id}/${encodeURIComponent(topic)}`);
const dialog = (name: string) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const channelNames = async () =>
  (await max.subscriptions.list({})).subscriptions.map(({ name }) => name);
const choose = async (label: string) => {
  await button('Conversation menu').click();
  await button(label).click();
};

describe('channels', () => {
  test('a channel is created from the list, left, and joined again from the list of all', async () => {
    await button('Add channels').click();
    await button('Create channel').click();
    await dialog('New channel').getByLabel('Name').fill('tea room');
    await dialog('New channel').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '#tea room' }).waitFor();
    expect(await channelNames()).toContain('tea room');
    await choose('Leave channel');
    await page.getByRole('status').getByText('You left #tea room.').waitFor();
    await expect.poll(channelNames).not.toContain('tea room');
    await page.getByRole('navigation', { name: 'Conversations' }).getByText('tea room').waitFor({
      state: 'detached',
    });
    await button('Add channels').click();
    await button('Browse channels').click();
    const all = dialog('Browse channels');
    await all.getByLabel('Filter channels').fill('tea');
    await expect.poll(() => all.getByRole('listitem').count()).toBe(1);
    await expectAccessible(page);
    await all.getByRole('button', { name: 'Join #tea room' }).click();
    await all.getByRole('button', { name: 'Leave #tea room' }).waitFor();
    expect(await channelNames()).toContain('tea room');
    await page.keyboard.press('Escape');
  });

  test('a channel that one is not in has a button to join it', async () => {
    const subscribers = [userOf(roles.owner).user_id as never];
    const { id } = await owner.channels.create({ name: 'open kitchen', subscribers });
    await goTo(page, `/console/chat/channel/${id}`);
    await button('Join channel').click();
    await button('Join channel').waitFor({ state: 'detached' });
    expect(await channelNames()).toContain('open kitchen');
  });

  test('leaving a private channel is asked first, since one cannot join it again', async () => {
    const subscribers = [userOf(roles.owner).user_id, userOf(roles.member).user_id] as never[];
    const { id } = await owner.channels.create({ name: 'vault', subscribers, invite_only: true });
    await goTo(page, `/console/chat/channel/${id}`);
    // Else the page would mark as read what the user may not see any more.
    const isRead = async () => {
      const narrow = [{ operator: 'channel', operand: id, negated: false }];
      const { messages } = await max.messages.fetch({ anchor: 'newest', num_before: 5, narrow });
      return messages.length > 0 && messages.every(({ flags }) => flags.includes('read'));
    };
    await expect.poll(isRead).toBe(true);
    await choose('Leave channel');
    await dialog('Leave #vault?').getByText('somebody in it has to add you').waitFor();
    await dialog('Leave #vault?').getByRole('button', { name: 'Leave channel' }).click();
    await expect.poll(channelNames).not.toContain('vault');
  });

  test('a channel is pinned to the top and muted, a topic followed and muted', async () => {
    await owner.messages.send({ ...toTopic(), content: 'here' });
    await openTopic();
    await button('Conversation menu').click();
    await button('Leave channel').waitFor();
    // Escape closes the menu, and does not lead back.
    await page.keyboard.press('Escape');
    await button('Leave channel').waitFor({ state: 'hidden' });
    await message('here').waitFor();
    await choose('Pin channel to the top');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const first = async () =>
      (await list.locator('a[href*="/channel/"]').first().innerText()).trim();
    await expect.poll(first).toBe('general');
    await choose('Unpin channel');
    await choose('Follow topic');
    await list.getByRole('link', { name: new RegExp(`${topic} ?, followed`) }).waitFor();
    await choose('Mute topic');
    await list.locator('.muted-entry').filter({ hasText: topic }).waitFor();
    await choose('Unmute topic');
    await expect.poll(() => list.locator('.muted-entry').count()).toBe(0);
    await choose('Mute channel');
    await list.locator('.muted-entry').filter({ hasText: 'general' }).first().waitFor();
    // In a muted channel one topic can be shown.
    await choose('Unmute topic');
    await button('Conversation menu').click();
    await button('Mute topic').waitFor();
    await button('Unmute channel').click();
    await expect.poll(() => list.locator('.muted-entry').count()).toBe(0);
  });
});

describe('people', () => {
  test('a conversation with several people begins with choosing them', async () => {
    await button('New conversation').click();
    const choice = dialog('New conversation');
    await choice.getByLabel('Find people').fill('olivia');
    await page.keyboard.press('Enter');
    await choice.getByRole('button', { name: /^Olivia Owner/ }).waitFor();
    await choice.getByLabel('Find people').fill('');
    await choice.getByRole('checkbox', { name: /^Gina Guest/ }).check();
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Start conversation' }).click();
    // The cursor stands in the message box.
    const field = page.getByLabel('Message Olivia Owner, Gina Guest');
    await expect.poll(() => field.evaluate('document.activeElement.dataset.composer')).toBe('true');
    await page.keyboard.type('Hello both');
    await page.keyboard.press('Enter');
    await message('Hello both').waitFor();
    await expect
      .poll(async () => {
        const narrow = [{ operator: 'is', operand: 'dm', negated: false }];
        const found = await owner.messages.fetch({ anchor: 'newest', num_before: 1, narrow });
        return found.messages[0]?.content;
      })
      .toContain('Hello both');
  });

  test('a press on a name or a mention shows who that is, and leads to a conversation', async () => {
    await owner.messages.send({ ...toTopic(), content: 'Ask @**Max Member** about it' });
    await openTopic();
    await message('about it').getByRole('button', { name: 'Olivia Owner' }).click();
    const card = dialog('Olivia Owner');
    await card.getByText('Owner', { exact: true }).waitFor();
    await card.getByText(userOf(roles.owner).email).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await message('about it').getByRole('button', { name: '@Max Member' }).focus();
    await page.keyboard.press('Enter');
    await dialog('Max Member').getByRole('button', { name: 'Notes to yourself' }).waitFor();
    await page.keyboard.press('Escape');
    await message('about it').getByRole('button', { name: 'Olivia Owner' }).click();
    await card.getByRole('button', { name: 'Send message' }).click();
    await page.getByLabel('Message Olivia Owner').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the messages of a muted person are hidden until one asks for them', async () => {
    const { user_id } = userOf(roles.moderator);
    const other = console.sandbox.as(roles.moderator);
    await other.messages.send({ ...toTopic(), content: 'noise noise' });
    await openTopic();
    await message('noise noise').getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByRole('dialog').getByText('Muted').waitFor();
    await page.keyboard.press('Escape');
    await message('noise noise').waitFor({ state: 'detached' });
    await button('Show message from a person you muted').click();
    await message('noise noise').waitFor();
    await max.mutedUsers.remove({ user_id: user_id as never });
    expect((await max.queues.register({ fetch_event_types: ['muted_users'] })).muted_users).toEqual(
      [],
    );
  });
});

describe('what is not there', () => {
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const composer = () => page.locator('[data-composer]');

  test('a channel or person that does not exist is named, without a message box', async () => {
    await goTo(page, '/console/chat/channel/999999');
    await page.getByText('This channel does not exist, or you may not see it.').waitFor();
    await goTo(page, '/console/chat/direct/999999');
    await page.getByText('This account does not exist, or you may not see it.').waitFor();
    expect(await composer().count()).toBe(0);
  });

  test('a channel that is archived while it is open takes no more messages', async () => {
    await max.subscriptions.add({ subscriptions: [{ name: 'old plans' }] });
    const { stream_id } = await max.channels.id({ stream: 'old plans' });
    await goTo(page, `/console/chat/channel/${stream_id}`);
    await composer().waitFor();
    await owner.channels.archive({ stream_id });
    await page.getByText('This channel is archived: nobody can write in it.').waitFor();
    await heading('#old plans').waitFor();
    expect(await composer().count()).toBe(0);
  });

  test('a search for a name that nobody has says what to write', async () => {
    await openTopic();
    await page.getByLabel('Search messages').fill('from:nobody');
    await page.keyboard.press('Enter');
    await heading('The search was not understood').waitFor();
    await page.getByText('“nobody” is no name of one person alone').waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
  });
});
