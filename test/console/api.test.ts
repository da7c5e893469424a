import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  type ConsolePage,
  goTo,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let opened: ConsolePage;
let page: Page;
let max: Client;
beforeAll(async () => {
  console = await startConsoleBrowser();
  opened = await console.open(roles.member, '/console/api');
  ({ page } = opened);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  max = console.sandbox.as(roles.member);
});
afterAll(() => console[Symbol.asyncDispose]());

const open = (operation = '', query = '') => goTo(page, `/console/api/${operation}${query}`);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const answer = () => page.getByRole('region', { name: 'Answer' }).first();
const field = (name: string) =>
  page.getByRole('region', { name: 'Run it' }).locator(`[name="${name}"]`);
const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

test('every operation of the contract is in the list, and a search finds it by path and words', async () => {
  await open();
  const links = page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('link')
    .filter({ hasText: /^(GET|POST|PUT|PATCH|DELETE)/ });
  const { paths } = (await (
    await page.request.get(new URL('/api/openapi.json', page.url()).href)
  ).json()) as {
    paths: Record<string, object>;
  };
  const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
  await expect.poll(() => links.count()).toBe(count);
  await page.getByLabel('Find an operation').fill('post messages send');
  await expect.poll(() => links.count()).toBeLessThan(10);
  await page.getByRole('link', { name: 'POST Send a message', exact: true }).click();
  await page.getByRole('heading', { name: 'Send a message' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/api/messages.send');
  expect(new URL(page.url()).searchParams.get('q')).toBe('post messages send');
});

test('the first page says how a program calls the server, runs a call, and shows the API key for the password alone', async () => {
  const user = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.member);
  await open();
  const { origin } = new URL(page.url());
  await page.getByText(`${origin}/api/v1`, { exact: true }).waitFor();
  await page
    .getByText(user?.email ?? '', { exact: true })
    .first()
    .waitFor();
  await page.getByText(`curl -X GET '${origin}/api/v1/users/me'`).waitFor();
  await button('Run as Max Member').click();
  await answer()
    .getByRole('treeitem', { name: /^full_name: *"Max Member"/ })
    .waitFor();
  await button('Show API key').click();
  const dialog = page.getByRole('dialog', { name: 'Your API key' });
  await dialog.getByLabel('Your password').fill('not the password');
  await page.keyboard.press('Enter');
  await dialog.getByText('AUTHENTICATION_FAILED').waitFor();
  opened.problems.length = 0;
  expect(await dialog.getByText(user?.api_key ?? '').count()).toBe(0);
  await dialog.getByLabel('Your password').fill(user?.password ?? '');
  await page.keyboard.press('Enter');
  await dialog.getByText(user?.api_key ?? '').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Send a message' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('an operation shows parameters, limits, permissions, errors and events', async () => {
  await open('messages.send');
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await region('Parameters').getByText('at most 1,000,000 characters').waitFor();
  await region('Errors').getByText('STREAM_DOES_NOT_EXIST').waitFor();
  await region('Events').getByText('message', { exact: true }).waitFor();
  await page.getByText('Who can call it: all users').waitFor();
  await page.getByText('to post in the channel: channel.can_send_message_group').waitFor();
  expect(await region('Result').ariaSnapshot()).toMatchInlineSnapshot(`
    "- region "Result":
      - heading "Result" [level=3]
      - term:
        - code: id
        - text: integer
      - definition: at least 0
      - term:
        - code: automatic_new_visibility_policy
        - text: 2 or 3
      - definition"
  `);
});

test('an operation runs as the signed-in user and shows status, time and answer', async () => {
  await open('messages.send');
  await field('type').selectOption('direct');
  const { user_id } = await max.users.me();
  await field('to').fill(`[${user_id}]`);
  await field('content').fill('sent from the API page');
  await button('Run as Max Member').click();
  await answer().getByText('200 OK').waitFor();
  await answer()
    .getByRole('treeitem', { name: /^result: *"success"/ })
    .press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('json')).toMatch(/\$\.result$/);
  const { messages } = await max.messages.fetch({
    anchor: 'newest',
    num_before: 1,
    apply_markdown: false,
  });
  expect(messages[0]?.content).toBe('sent from the API page');
});

test('an error of the API is an answer, and a value that is no JSON is not sent', async () => {
  await open('messages.fetchOne');
  await field('message_id').fill('999999');
  await button('Run as Max Member').click();
  await answer().getByText('400 Bad Request').waitFor();
  await answer().getByText('"BAD_REQUEST"').waitFor();
  // The browser logs a status of 400 as an error.
  opened.problems.length = 0;
  await open('messages.fetch');
  await field('narrow').fill('[oops');
  await button('Run as Max Member').click();
  await page.getByText('narrow is not valid JSON.').waitFor();
});

test('a call that waits is stopped', async () => {
  const { queue_id, last_event_id } = await max.queues.register({ event_types: ['message'] });
  await open('queues.events');
  await field('queue_id').fill(queue_id ?? '');
  await field('last_event_id').fill(String(last_event_id));
  await button('Run as Max Member').click();
  await button('Stop').click();
  await page.getByText('Stopped.').waitFor();
});

test.for([
  ['Copy as JavaScript', process.execPath, ['--input-type=module', '-']],
  ['Copy as Python', 'python3', ['-']],
  ['Copy as curl', 'sh', ['-s']],
] as const)(
  '%s gives a program that makes the call, without the key',
  async ([label, command, args]) => {
    const user = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.member);
    await open('messages.render');
    const content = `it's "${label}" $HOME \\n`;
    await field('content').fill(content);
    await button(label).click();
    // The text comes into the clipboard some time after the click.
    await expect.poll(clipboard).toContain(label);
    const program = await clipboard();
    expect(program).toContain('BELLHOP_API_KEY');
    expect(program).not.toContain(user?.api_key);
    const env = {
      PATH: process.env['PATH'],
      BELLHOP_EMAIL: user?.email,
      BELLHOP_API_KEY: user?.api_key,
    };
    const child = spawn(command, args, { env });
    child.stdin.end(program);
    const [out, err] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(`${out}${err}`).toContain('success');
    expect(out).toContain(label);
    expect(out).toContain('$HOME');
  },
);

test('the API part is usable by keyboard alone', async () => {
  await open();
  await page.getByLabel('Find an operation').waitFor();
  await press(page, '/');
  await page.keyboard.type('users.me');
  await press(page, 'Escape', 'j', 'Enter');
  await page.getByRole('region', { name: 'Run it' }).waitFor();
  const focused = () => page.locator(':focus').innerText();
  for (let presses = 0; presses < 20 && !(await focused()).startsWith('Run as'); presses++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await answer().getByText('200 OK').waitFor();
});

test('axe finds nothing in an operation with its answer, wide and narrow', async () => {
  await open('users.me');
  await button('Run as Max Member').click();
  await answer().getByText('200 OK').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('link', { name: 'Back to operations' }).click();
  await page.getByLabel('Find an operation').waitFor();
});
