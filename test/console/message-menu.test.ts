import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';

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

const userId = (role: number) =>
  console.sandbox.sandbox.file.users.find((one) => one.role === role)?.user_id ?? 0;
const general = () =>
  console.sandbox.sandbox.file.channels.find(({ name }) => name === 'general')?.stream_id ?? 0;
const toTopic = () => ({ type: 'channel' as const, to: general(), topic });
const open = (where = topic) =>
  goTo(page, `/console/chat/channel/${general()}/${encodeURIComponent(where)}`);
const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const dialog = (name: string) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const composer = () => page.getByLabel(`Message #general > ${topic}`);
const told = (text: string) => page.getByRole('status').getByText(text, { exact: true });

/** Chooses an entry of the menu of a message. */
async function choose(text: string, entry: string) {
  await message(text).waitFor();
  await message(text).hover();
  await button('More actions').click();
  await button(entry).click();
}

describe('the menu of a message', () => {
  test('quotes it in its conversation, also from another list', async () => {
    await owner.messages.send({ ...toTopic(), content: '@**Max Member** tea or *coffee*?' });
    await goTo(page, '/console/chat/mentions');
    await choose('tea or coffee', 'Quote');
    await expect.poll(() => composer().inputValue()).toContain('```quote\n@**Max Member** tea');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await composer().pressSequentially('Tea.');
    await composer().press('Enter');
    const answer = message('Tea.');
    await answer.locator('blockquote em').filter({ hasText: 'coffee' }).waitFor();
    await answer.getByRole('button', { name: 'Olivia Owner' }).waitFor();
    await answer.getByRole('link', { name: 'said' }).click();
    await expect.poll(() => page.url()).toMatch(/near=\d+/);
  });

  test('forwards it with a comment', async () => {
    await owner.messages.send({ ...toTopic(), content: 'the plan' });
    await open();
    await choose('the plan', 'Forward');
    const forward = dialog('Forward message');
    await forward.locator('select').selectOption('Mona Moderator');
    await forward.getByLabel('Comment').fill('Have a look');
    await expectAccessible(page);
    await forward.getByRole('button', { name: 'Forward' }).click();
    await told('Forwarded to Mona Moderator.').waitFor();
    await button('Show').click();
    const copy = page.getByRole('log').getByRole('article').filter({ hasText: 'Have a look' });
    await copy.locator('blockquote').filter({ hasText: 'the plan' }).waitFor();
  });

  test('copies its text as Markdown, and its link', async () => {
    const { id } = await owner.messages.send({ ...toTopic(), content: 'copy **this**' });
    await open();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await choose('copy this', 'Copy text');
    await expect.poll(copied).toBe('copy **this**');
    await choose('copy this', 'Copy link to message');
    await expect.poll(copied).toMatch(new RegExp(`/console/chat/.*near=${id}$`));
  });

  test('says who has read it, and who that is', async () => {
    const { id } = await max.messages.send({ ...toTopic(), content: 'read me' });
    await owner.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    await open();
    await choose('read me', 'Read by');
    await dialog('Read by 1').getByRole('button', { name: 'Olivia Owner' }).click();
    await dialog('Olivia Owner').getByRole('button', { name: 'Send message' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('reminds of it, and the list of reminders has it until it is deleted', async () => {
    await owner.messages.send({ ...toTopic(), content: 'pay the baker' });
    await open();
    await choose('pay the baker', 'Remind me');
    await dialog('Remind me').getByLabel('When').selectOption('Tomorrow at 9:00');
    await dialog('Remind me').getByLabel('Note to yourself').fill('in cash');
    await dialog('Remind me').getByRole('button', { name: 'Remind me' }).click();
    await told('Reminder set.').waitFor();
    // It covers no button of the message box.
    const toast = await told('Reminder set.').locator('xpath=..').boundingBox();
    const files = await button('Attach files').boundingBox();
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThanOrEqual(files?.x ?? 0);
    const [reminder] = (await max.reminders.list({})).reminders;
    expect(new Date((reminder?.scheduled_delivery_timestamp ?? 0) * 1000).getHours()).toBe(9);
    await button('Show').click();
    const later = page.getByRole('article', { name: 'Reminder' });
    await later.getByText('in cash').waitFor();
    expect(await later.innerText()).not.toContain('**');
    await expectAccessible(page);
    await button('Delete reminder').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No reminders' }).waitFor();
    expect((await max.reminders.list({})).reminders).toEqual([]);
  });
});

describe('writing', () => {
  test('a message without a topic says where it will go, and a channel can refuse it', async () => {
    await goTo(page, `/console/chat/channel/${general()}`);
    await page.getByLabel('Message #general > general chat').waitFor();
    await page.getByLabel('Topic', { exact: true }).fill(topic);
    await composer().waitFor();
    const { id } = await owner.channels.create({
      name: 'strict',
      subscribers: [userId(roles.owner), userId(roles.member)] as never[],
      topics_policy: 'disable_empty_topic',
    });
    await goTo(page, `/console/chat/channel/${id}`);
    await page.getByPlaceholder('Topic (required here)').waitFor();
    const field = page.getByLabel('Message #strict');
    await field.fill('no topic');
    await field.press('Enter');
    await page.getByRole('alert').getByText('Write a topic above').waitFor();
    await page.getByLabel('Topic', { exact: true }).fill('rules');
    await field.press('Enter');
    await message('no topic').waitFor();
  });

  test('a draft goes along to another topic, is in the list of drafts, and is deleted there', async () => {
    await goTo(page, `/console/chat/channel/${general()}`);
    await page.getByLabel('Message #general > general chat').fill('half a thought');
    const own = async () =>
      (await max.drafts.list()).drafts.filter(({ content }) => content === 'half a thought');
    await expect.poll(own).toHaveLength(1);
    await page.getByLabel('Topic', { exact: true }).fill(topic);
    await expect.poll(own).toMatchObject([{ topic }]);
    await page.getByRole('link', { name: 'Drafts and later' }).click();
    const draft = page.getByRole('article', { name: `#general > ${topic}` });
    await draft.getByText('half a thought').waitFor();
    await expectAccessible(page);
    await draft.getByRole('link').click();
    await expect.poll(() => composer().inputValue()).toBe('half a thought');
    await page.goBack();
    await draft.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await draft.waitFor({ state: 'detached' });
    await expect.poll(own).toEqual([]);
  });

  test('a message is sent later, changed before, and can be taken back', async () => {
    await open();
    await composer().fill('good morning');
    await button('Send later').click();
    await dialog('Send later').getByLabel('Send').selectOption('Date and time…');
    await dialog('Send later')
      .getByRole('textbox', { name: 'Date and time' })
      .fill('2020-01-01T09:00');
    await dialog('Send later').getByRole('button', { name: 'Schedule' }).click();
    await dialog('Send later').getByText('Choose a time in the future.').waitFor();
    await dialog('Send later').getByLabel('Send').selectOption('In 1 hour');
    await dialog('Send later').getByRole('button', { name: 'Schedule' }).click();
    await told('Message scheduled.').waitFor();
    expect(await composer().inputValue()).toBe('');
    await button('Show').click();
    const row = page.getByRole('article', { name: `#general > ${topic}` });
    await row.getByText('good morning').waitFor();
    await button('Edit scheduled message').click();
    const edit = dialog('Edit scheduled message');
    await edit.getByRole('textbox', { name: /^Message/ }).fill('good evening');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row.getByText('good evening').waitFor();
    const stored = async () => (await max.scheduledMessages.list({})).scheduled_messages;
    expect(await stored()).toMatchObject([{ content: 'good evening', topic }]);
    await button('Delete scheduled message').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No scheduled messages' }).waitFor();
    expect(await stored()).toEqual([]);
  });

  test('a text is saved as a snippet and put into another message', async () => {
    await open();
    await composer().fill('Thank you for your report.');
    await button('Saved snippets').click();
    await button('Save this text as a snippet').click();
    await dialog('New snippet').getByLabel('Title').fill('Thanks');
    await dialog('New snippet').getByRole('button', { name: 'Save' }).click();
    await told('Snippet saved.').waitFor();
    await composer().fill('');
    await button('Saved snippets').click();
    await button('Thanks').click();
    await expect.poll(() => composer().inputValue()).toBe('Thank you for your report.');
    await composer().fill('');
    await goTo(page, '/console/chat/later/snippets');
    await button('Edit snippet').click();
    await dialog('Edit snippet').getByLabel('Title').fill('Many thanks');
    await dialog('Edit snippet').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'Many thanks' }).waitFor();
    await button('Delete snippet').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No snippets' }).waitFor();
  });
});

test('a press on a button of a bot in Mentions shows that it was answered, and where', async () => {
  const widget_content = JSON.stringify({
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'Deploy?',
      choices: [
        { type: 'multiple_choice', short_name: 'yes', long_name: '', reply: 'deploy yes' },
        { type: 'multiple_choice', short_name: 'no', long_name: '', reply: 'deploy no' },
      ],
    },
  });
  const content = '@**Max Member** Deploy?';
  await owner.messages.send({ ...toTopic(), content, widget_content });
  await goTo(page, '/console/chat/mentions');
  const asked = message('Deploy?').last();
  await asked.getByRole('button', { name: 'yes' }).click();
  await asked.getByText('You answered “deploy yes”.').waitFor();
  expect(await asked.getByRole('button', { name: 'yes' }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  await asked.getByRole('link', { name: 'Show the conversation' }).click();
  await page.getByRole('article', { name: 'Max Member' }).getByText('deploy yes').waitFor();
});

test('a search takes from: with a name, and offers its operators', async () => {
  await owner.messages.send({ ...toTopic(), content: 'marmalade from Olivia' });
  await max.messages.send({ ...toTopic(), content: 'marmalade from Max' });
  const field = page.getByLabel('Search messages');
  await field.fill('from:olivia marmalade');
  await field.press('Enter');
  await message('from Olivia').waitFor();
  expect(await message('from Max').count()).toBe(0);
  await field.fill('is:st');
  await page.locator('datalist option[value="is:starred"]').waitFor({ state: 'attached' });
});

test('the palette has what one can do in Chat, also with the conversation on the page', async () => {
  await max.messages.send({ ...toTopic(), content: 'follow this' });
  await open();
  await message('follow this').waitFor();
  const run = async (words: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command palette' }).fill(words);
    await page.keyboard.press('Enter');
  };
  await run('follow topic');
  await page.getByRole('link', { name: new RegExp(`${topic} ?, followed`) }).waitFor();
  await run('create channel');
  await dialog('New channel').waitFor();
  await page.keyboard.press('Escape');
  await run('scheduled');
  await page.getByRole('heading', { name: 'No scheduled messages' }).waitFor();
});

test('where no conversation is chosen, those with unread messages are offered', async () => {
  const { id } = await owner.messages.send({ ...toTopic(), content: 'not read yet' });
  await goTo(page, '/console/chat');
  const unread = page.getByRole('region', { name: 'Inbox' });
  await unread.getByRole('link', { name: new RegExp(`^${topic}`) }).click();
  await message('not read yet').waitFor();
  await expect
    .poll(async () => (await max.messages.fetchOne({ message_id: id })).message.flags)
    .toContain('read');
});

test('an emoji with several names is offered once', async () => {
  await max.messages.send({ ...toTopic(), content: 'nice work' });
  await open();
  await message('nice work').hover();
  await message('nice work').getByRole('button', { name: 'Add reaction' }).click();
  await page.getByLabel('Search emoji').fill('thumbs');
  const grid = page.locator('.emoji-grid:visible button');
  await grid.filter({ hasText: '👍' }).waitFor();
  const offered = await grid.allInnerTexts();
  expect(offered).toEqual([...new Set(offered)]);
  await page.keyboard.press('Escape');
});
