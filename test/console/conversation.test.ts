import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, goTo, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
let problems: string[];
let max: Client;
let topics = 0;
let topic = '';
beforeAll(async () => {
  console = await startConsoleBrowser();
  ({ page, problems } = await console.open(roles.member));
  max = console.sandbox.as(roles.member);
});
afterAll(() => console[Symbol.asyncDispose]());

/** Every test has a topic of its own. */
beforeEach(async () => {
  topic = `topic ${++topics}`;
  const { stream_id } = await max.channels.id({ stream: 'general' });
  await goTo(page, `/console/chat/channel/${stream_id}/${topic}`);
});

const message = (text: string) => page.getByRole('article').filter({ hasText: text });
const composer = () => page.getByLabel(`Message #general > ${topic}`);

test('a name that has no room shows the rest under the pointer', async () => {
  const to = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const long = 'a topic whose name is longer than the list is wide';
  await max.messages.send({ type: 'channel', to, topic: long, content: 'hello' });
  await goTo(page, `/console/chat/channel/${to}/${long}`);
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const titleOf = async (name: string) => {
    const text = list.getByRole('link', { name }).locator('.clip');
    await text.hover();
    return (await text.getAttribute('title')) ?? '';
  };
  expect(await titleOf(long)).toContain(long);
  expect(await titleOf('Mentions')).toBe('');
});

test('a conversation has the roles and names of the snapshot', async () => {
  const to = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const content = 'Look at **this** :tada:';
  const place = { type: 'channel', to, topic: 'snapshot' } as const;
  const { id } = await max.messages.send({ ...place, content, read_by_sender: true });
  await max.reactions.add({ message_id: id, emoji_name: 'tada' });
  await goTo(page, `/console/chat/channel/${to}/snapshot`);
  await page.getByRole('button', { name: 'tada: you' }).waitFor();
  await page.getByRole('button', { name: 'Conversation menu' }).waitFor();
  await page.getByRole('button', { name: 'Send later' }).waitFor();
  const snapshot = await page.getByRole('region', { name: '> snapshot' }).ariaSnapshot();
  expect(snapshot.replaceAll(/\d{1,2}:\d\d\s[AP]M/g, 'HH:MM')).toMatchInlineSnapshot(`
    "- region "#bots > snapshot":
      - heading "#bots > snapshot" [level=2]
      - text: Talk to **@Echo Bot** here
      - button "Save view"
      - button "Conversation menu"
      - log "Messages":
        - article "Max Member":
          - button "Max Member"
          - time: HH:MM
          - paragraph:
            - text: Look at
            - strong: this
            - img "tada": 🎉
          - 'button "tada: you" [pressed]'
      - status
      - status
      - 'textbox "Message #bots > snapshot"'
      - button "Attach files"
      - button "Preview" [disabled]
      - button "Saved snippets"
      - button "Send later" [disabled]
      - button "Enter sends"
      - button "Send" [disabled]"
  `);
});

test('axe finds nothing in Chat with the menu of a message, in the palette and on a narrow screen', async () => {
  const owner = console.sandbox.as(roles.owner);
  const channel = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const place = { type: 'channel', to: channel, topic: 'look' } as const;
  for (const content of ['Hello @**Max Member** :tada:', '/poll Tea?\nYes\nNo', '> a quote'])
    await owner.messages.send({ ...place, content });
  await goTo(page, `/console/chat/channel/${channel}`);
  await page.getByRole('button', { name: 'Yes 0 votes' }).waitFor();
  await message('a quote').hover();
  await page.getByRole('button', { name: 'More actions' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

describe('an unsent message', () => {
  const SEND = '**/api/v1/messages';
  const note = (text: string) => message(text).getByText('sending', { exact: true });
  const stored = async (text: string) => {
    const narrow = [{ operator: 'topic', operand: topic, negated: false }];
    const { messages } = await max.messages.fetch({ anchor: 'newest', num_before: 20, narrow });
    return messages.filter(({ content }) => content.includes(text)).length;
  };
  const write = async (text: string) => {
    await composer().fill(text);
    await composer().press('Enter');
  };

  test('shows at once, survives a change of view, and appears once when it is sent', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(SEND, async (route) => {
      await held.promise;
      await route.continue();
    });
    await write('on its way');
    await write('right behind it');
    await note('on its way').waitFor();
    expect(await composer().inputValue()).toBe('');
    await page.getByRole('link', { name: 'Mentions' }).click();
    await page.getByRole('heading', { name: 'Mentions' }).waitFor();
    await page.goBack();
    await note('on its way').waitFor();
    held.resolve();
    await page.getByText('sending', { exact: true }).first().waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('article').allInnerTexts())
      .toEqual([expect.stringMatching(/on its way$/), expect.stringMatching(/right behind it$/)]);
    await page.unroute(SEND);
  });

  test('a message that failed stays with its reason, also after a reload, until Retry or Discard', async () => {
    await page.route(SEND, (route) => route.abort());
    await write('no way out');
    await write('never mind');
    await message('never mind').getByText('Not sent. No answer').waitFor();
    await expect.poll(() => page.title()).toMatch(/^2 failed/);
    const icon = page.locator('link[rel=icon]');
    await expect.poll(() => icon.getAttribute('href')).toContain('icon-failed');
    await page.reload();
    await message('no way out').getByText('Not sent. No answer').waitFor();
    await page.unroute(SEND);
    await message('never mind').getByRole('button', { name: 'Discard' }).click();
    await message('never mind').waitFor({ state: 'detached' });
    await message('no way out').getByRole('button', { name: 'Retry' }).click();
    await message('no way out')
      .getByRole('button', { name: 'Retry' })
      .waitFor({ state: 'detached' });
    await expect.poll(() => stored('no way out')).toBe(1);
    expect(await message('no way out').count()).toBe(1);
    expect(await stored('never mind')).toBe(0);
    // Anything else in the storage of the tab, as an older version of the console left it, is dropped.
    await page.evaluate(`for (const key of Object.keys(sessionStorage).filter((one) => /unsent/.test(one)))
      sessionStorage.setItem(key, '[{"to":"general","content":1}]')`);
    await page.reload();
    await composer().waitFor();
    expect(await page.getByText('Not sent.').count()).toBe(0);
    expect(problems.splice(0).join()).toContain('ERR_FAILED');
  });

  test.each([
    'its event comes',
    'the event queue is lost as well',
    'the event queue is lost before the answer',
  ])('with a lost answer is shown once when %s', async (what) => {
    const arrived = () => message('did it arrive?').and(page.locator('[data-message]'));
    const lost = Promise.withResolvers<void>();
    const lose = async (route: Route) => {
      const queue_id = new URLSearchParams(route.request().postData() ?? '').get('queue_id') ?? '';
      if (what.includes('lost')) await max.queues.remove({ queue_id });
      await route.fetch();
      if (what.includes('before')) await arrived().waitFor();
      await route.abort();
      lost.resolve();
    };
    await page.route(SEND, lose);
    await write('did it arrive?');
    await lost.promise;
    expect(await stored('did it arrive?')).toBe(1);
    await arrived().waitFor();
    await expect.poll(() => message('did it arrive?').count()).toBe(1);
    await message('did it arrive?').getByText('Not sent.').waitFor({ state: 'detached' });
    await page.unroute(SEND);
    await expect.poll(() => problems.join()).toContain('ERR_FAILED');
    problems.splice(0);
  });
});

describe('a widget', () => {
  const send = (params: { content: string; widget_content?: string }) =>
    console.sandbox
      .as(roles.owner)
      .messages.send({ type: 'channel', to: 'general', topic, ...params });

  test('a poll counts votes of everybody', async () => {
    const { id } = await send({ content: '/poll Tea?\nYes\nNo' });
    await page.getByRole('button', { name: 'Yes 0 votes' }).click();
    await page.getByRole('button', { name: 'Yes 1 votes' }).waitFor();
    const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
    const { submessages } = console.sandbox.as(roles.owner);
    await submessages.add({ message_id: id, msg_type: 'widget', content });
    await page.getByRole('button', { name: 'Yes 2 votes' }).waitFor();
  });

  test('the buttons of a bot send their reply', async () => {
    const choices = [
      { type: 'multiple_choice', short_name: 'A', long_name: 'Ship it', reply: 'ship' },
    ];
    const extra_data = { type: 'choices', heading: 'Deploy?', choices };
    const widget_content = JSON.stringify({ widget_type: 'zform', extra_data });
    const { id } = await send({ content: 'Deploy?\n\n1. Ship it', widget_content });
    await page.getByRole('button', { name: 'A Ship it' }).click();
    await page.getByRole('article', { name: 'Max Member' }).filter({ hasText: 'ship' }).waitFor();
    // The text numbers what the buttons name: one of them shows.
    expect(await page.getByText('Ship it').count()).toBe(1);
    const { messages } = console.sandbox.as(roles.owner);
    await messages.edit({ message_id: id, content: 'Deploy? Max has shipped it.' });
    await page.getByText('Max has shipped it').waitFor();
    expect(await page.getByRole('button', { name: 'A Ship it' }).count()).toBe(0);
  });
});

test('the composer counts the characters of a long message, and sends none above the limit', async () => {
  const counter = page.getByText(/^[\d,]+ of 10,000 characters$/);
  await composer().fill('x'.repeat(8000));
  expect(await counter.count()).toBe(0);
  await composer().fill('\u{1f600}'.repeat(10_000));
  await counter.filter({ hasText: /^10,000/ }).waitFor();
  const send = page.getByRole('button', { name: 'Send', exact: true });
  expect(await send.isEnabled()).toBe(true);
  await composer().press('y');
  await counter.filter({ hasText: /^10,001/ }).waitFor();
  expect(await send.isDisabled()).toBe(true);
  await composer().press('Enter');
  expect(await message('y').count()).toBe(0);
  await composer().fill('');
});

test('the page says that the server is away, and afterwards shows each message once', async () => {
  const { user_id } = await max.users.me();
  const owner = console.sandbox.as(roles.owner);
  const toMax = { type: 'direct' as const, to: [user_id] };
  await owner.messages.send({ ...toMax, content: 'before' });
  await page.getByRole('link', { name: 'Olivia Owner' }).click();
  await page.getByRole('article').filter({ hasText: 'before' }).waitFor();
  await console.sandbox.restart(async () => {
    await page.getByText('Reconnecting').waitFor();
    await page.getByLabel('Message Olivia Owner').fill('meanwhile');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Not sent. No answer').waitFor();
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
  await owner.messages.send({ ...toMax, content: 'after' });
  await page.getByRole('article').filter({ hasText: 'after' }).waitFor();
  expect(await page.getByRole('article').count()).toBe(3);
  expect(problems.splice(0).join()).toMatch(/ERR_CONNECTION_REFUSED|ERR_/);
});
