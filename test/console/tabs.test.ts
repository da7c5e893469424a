import { createClient } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  nextFrame,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

const channel = () => console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
const topicPath = (topic: string) => `/console/chat/channel/${channel()}/${topic}`;
const send = (topic: string, content: string) =>
  console.sandbox.as(roles.owner).messages.send({ type: 'channel', to: channel(), topic, content });

test('a message to the echo bot and its reply appear without reloading, in every tab once', async () => {
  const { page } = await console.show(roles.member, '/console/chat');
  await page.getByRole('link', { name: 'Echo Bot' }).click();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'Echo Bot' }).waitFor();
  await page.getByLabel('Message Echo Bot').fill('Is anybody *there*?');
  await page.keyboard.press('Enter');
  for (const tab of [page, second]) {
    const messages = tab.getByRole('log', { name: 'Messages' }).getByRole('article');
    await expect
      .poll(() => messages.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Max Member[^]*Is anybody there\?$/),
        expect.stringMatching(/Echo Bot[^]*Is anybody there\?$/),
      ]);
  }
  await second.close();
});

const busy = { result: 'error', code: 'SERVICE_UNAVAILABLE', msg: 'Try again' };

test('eight tabs opened at once, of which the server fails some at first, share one event queue, and another one leads when the first is closed', async () => {
  const { page: first, problems } = await console.open(roles.member);
  const context = first.context();
  let registrations = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/register')) registrations += 1;
  });
  await send('tabs', 'before');
  let tabs = 0;
  for (const path of ['console/session', 'messages?*']) {
    const asked = new Set<Page>();
    await context.route(`**/api/v1/${path}`, (route) => {
      const tab = route.request().frame().page();
      const isFirst = !asked.has(tab);
      asked.add(tab);
      return isFirst && tabs++ % 3 === 0
        ? route.fulfill({ status: 503, json: busy })
        : route.continue();
    });
  }
  const others: Page[] = [];
  context.on('page', (tab) => others.push(tab));
  const url = new URL(topicPath('tabs'), first.url()).href;
  await first.evaluate(`for (let at = 0; at < 7; at++) open(${JSON.stringify(url)})`);
  await expect.poll(() => others.length).toBe(7);
  for (const tab of others) await tab.getByRole('article').filter({ hasText: 'before' }).waitFor();
  await context.unrouteAll();
  expect(problems.filter((problem) => !problem.includes('503'))).toEqual([]);
  problems.length = 0;
  await send('tabs', 'to all of you');
  for (const tab of others)
    await tab.getByRole('article').filter({ hasText: 'to all of you' }).waitFor();
  expect(registrations).toBe(0);
  await first.close();
  await send('tabs', 'who leads now');
  for (const tab of others) {
    const message = tab.getByRole('article').filter({ hasText: 'who leads now' });
    await message.waitFor();
    expect(await message.count()).toBe(1);
  }
  expect(registrations).toBeLessThanOrEqual(1);
  await context.close();
});

test('a message that is sent between the answer with the messages and its arrival appears', async () => {
  const { page } = await console.show(roles.member, '/console/chat');
  const all = page.getByRole('link', { name: 'All messages' });
  const unread = async () =>
    Number.parseInt((await all.locator('.count').allInnerTexts())[0] ?? '0');
  // The page may not have told the server yet what was read in the test before.
  await console.sandbox.as(roles.member).messages.markAllAsRead();
  await expect.poll(unread).toBe(0);
  await send('slow', 'before');
  await expect.poll(unread).toBe(1);
  const isOfTopic = ({ href }: URL) =>
    href.includes('/api/v1/messages?') && decodeURIComponent(href).includes('"slow"');
  const answerLate = async (route: Route) => {
    const response = await route.fetch();
    await send('slow', 'meanwhile');
    // The page has the event before the answer.
    await expect.poll(unread).toBe(2);
    await route.fulfill({ response });
  };
  await page.route(isOfTopic, answerLate, { times: 1 });
  await goTo(page, topicPath('slow'));
  await page.getByRole('article').filter({ hasText: 'before' }).waitFor();
  await page.getByRole('article').filter({ hasText: 'meanwhile' }).waitFor();
});

test('a second account stands beside the first and sees the other side of the conversation', async () => {
  const { page } = await console.visit(console.sandbox.sandbox.signInLink);
  await page.getByRole('button', { name: 'Accounts' }).click();
  const [shown, other] = ['Olivia Owner', 'Max Member'];
  const max = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.member);
  await page.getByRole('button', { name: `Show side by side: ${other}` }).click();
  await page.getByText(`${other} is shown beside each conversation.`).waitFor();
  await page.getByRole('link', { name: other }).click();
  await expect.poll(() => page.url()).toContain(`direct/${max?.user_id}`);
  const own = page.getByRole('region', { name: other });
  const theirs = page.getByRole('region', { name: shown });
  await own.getByLabel(`Message ${other}`).fill('Can you see me?');
  await own.getByLabel(`Message ${other}`).press('Enter');
  await theirs.getByRole('article').filter({ hasText: 'Can you see me?' }).waitFor();
  await theirs.getByLabel(`Message ${shown}`).fill('I can');
  await own.getByText(`${other} is typing`).waitFor();
  await theirs.getByLabel(`Message ${shown}`).press('Enter');
  await own.getByRole('article').filter({ hasText: 'I can' }).waitFor();
  await page.context().close();
});

test('the page shows that a bot types, until its message comes', async () => {
  const { base_url, bots } = console.sandbox.sandbox.file;
  const [bot] = bots;
  if (!bot) throw new Error('The sandbox has no bot');
  const echo = createClient({ url: base_url, email: bot.email, apiKey: bot.api_key });
  const { page } = await console.show(roles.member, '/console/chat');
  const max = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.member);
  const to = [max?.user_id as never];
  await page.getByRole('link', { name: 'Echo Bot' }).click();
  await page.getByLabel('Message Echo Bot').waitFor();
  await nextFrame(page);
  await echo.typing.send({ type: 'direct', op: 'start', to });
  await page.getByText('Echo Bot is typing').waitFor();
  await echo.messages.send({ type: 'direct', to, content: 'here I am' });
  await page.getByText('Echo Bot is typing').waitFor({ state: 'detached' });
});

test('all messages of a view are marked as read by one button', async () => {
  const max = console.sandbox.as(roles.member);
  for (const topic of ['unread one', 'unread two']) await send(topic, 'not read yet');
  const { page } = await console.show(roles.member, '/console/chat');
  await page.getByRole('link', { name: 'Mentions' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('mark all');
  await page.keyboard.press('Enter');
  const unread = async () =>
    (await max.queues.register({ fetch_event_types: ['message', 'update_message_flags'] }))
      .unread_msgs?.count;
  await expect.poll(unread).toBe(0);
  await send('unread one', 'again');
  await goTo(page, `/console/chat/channel/${channel()}/unread%20two`);
  await page.getByRole('article').first().waitFor();
  expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
});
