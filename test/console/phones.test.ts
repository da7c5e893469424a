import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { newSecrets } from '@bellhop/cli/secrets';
import { createClient, createClientFor } from '@bellhop/client';
import { Device } from '@bellhop/device';
import {
  bouncerOperator,
  type PushVectors,
  roles,
  sandbox,
  SANDBOX_OPERATOR_PREFIX,
  SANDBOX_PREFIX,
} from '@bellhop/protocol';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, press, startConsoleBrowser } from '../support/console-browser.ts';
import { runProgram } from '../support/program.ts';
import { walkRecords } from '../support/walk-records.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

const userOf = (role: number) => {
  const user = console.sandbox.sandbox.file.users.find((one) => one.role === role);
  if (!user) throw new Error(`The sandbox has no user with role ${role}`);
  return user;
};
/** The sandbox's own operations, as programs use them. */
const sandboxAs = (role: number) => {
  const { email, api_key: apiKey } = userOf(role);
  const url = console.sandbox.sandbox.file.base_url;
  return createClientFor(sandbox, { url, prefix: SANDBOX_PREFIX, email, apiKey });
};
const showPhones = async (role: number, path = 'phones') => {
  const shown = await console.show(role, `/console/${path}`);
  await shown.page.getByRole('heading', { name: 'Simulated phones' }).waitFor();
  return shown;
};
const pushes = (page: Page) => page.getByRole('list', { name: 'Pushes' }).getByRole('article');
/** Sends a test notification. Returns its row when it is the newest of the list. */
async function sendTest(page: Page, send: () => Promise<void>) {
  const rows = pushes(page).getByRole('link');
  // The list has loaded.
  await rows.or(page.getByText('No pushes yet')).first().waitFor();
  const shown = () => rows.evaluateAll((links) => links.map((one) => one.getAttribute('data-row')));
  const known = await shown();
  await send();
  const isNew = async () => (await shown()).slice(0, 1).some((row) => !known.includes(row));
  await expect.poll(isNew).toBe(true);
  return pushes(page).first();
}
/** Sends a test notification and opens it. */
async function openTest(page: Page): Promise<void> {
  const send = () => page.getByRole('button', { name: 'Send a test' }).click();
  await (await sendTest(page, send)).getByRole('link').click();
}
const trace = (page: Page) => page.getByRole('region', { name: 'Push trace' });

test('a phone is added with one click, and a test notification is followed over all five hops', async () => {
  const { page } = await showPhones(roles.owner);
  await page.getByRole('button', { name: 'Add Android phone' }).click();
  await page.getByText('registered', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  const screen = page.getByRole('region', { name: /^Screen of Android phone/ });
  await screen.getByText('Notifications work.').waitFor();
  await pushes(page).filter({ hasText: 'arrived' }).getByRole('link').click();
  await trace(page).getByText('arrived at the first attempt').waitFor();
  const hops = trace(page).getByRole('list', { name: 'Hops' }).getByRole('listitem');
  for (const hop of ['server', 'bouncer', 'link', 'provider', 'phone'])
    await hops.filter({ hasText: hop }).first().waitFor();
  const saved = page.waitForEvent('download');
  await trace(page).getByRole('button', { name: 'Save as test vector' }).click();
  const file = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as PushVectors;
  const { push_account_id, push_public_key, secret_key } = file;
  const [vector] = file.vectors;
  const key = { push_key: push_public_key ?? '', secret_key };
  const identity = { push_account_id: push_account_id ?? '', key };
  const phone = new Device({
    client: console.sandbox.as(roles.owner),
    token: { kind: 'fcm', token: 'of no phone' },
    bouncerPublicKey: console.sandbox.sandbox.file.bouncer_public_key,
    identity,
  });
  expect(vector?.payload).toMatchObject({ type: 'test' });
  expect(phone.receive(vector?.received ?? '')).toEqual(vector?.payload);
  await trace(page).getByRole('tab', { name: 'Plaintext' }).click();
  const line = trace(page).getByRole('treeitem', { name: /^realm_name: *"Bellhop sandbox"/ });
  await line.click();
  const opened = () => new URL(page.url()).searchParams.get('json');
  await expect.poll(opened).toBe('Plaintext$.realm_name');
  await page.reload();
  await line.and(page.locator('[aria-selected=true]')).waitFor();
  await trace(page).getByRole('tab', { name: 'Ciphertext' }).click();
  expect(await trace(page).getByRole('tabpanel').innerText()).toMatch(/[A-Za-z0-9+/]{60}/);
  await trace(page).getByRole('tab', { name: 'Facts' }).click();
  await trace(page)
    .getByText(/\d+ of 2900 bytes/)
    .waitFor();
  await trace(page)
    .getByText(/\d+ of 4096 bytes/)
    .first()
    .waitFor();
  await trace(page).getByRole('tab', { name: 'Hops' }).click();
  expect(await trace(page).getByRole('tablist').ariaSnapshot()).toMatchInlineSnapshot(`
    "- tablist "Push trace":
      - tab "Hops" [selected]
      - tab "Plaintext"
      - tab "Ciphertext"
      - tab "Facts""
  `);
});

test('a message is pushed to the phones of an idle user, and disappears from the screen when it is read', async () => {
  const { page } = await showPhones(roles.owner, 'phones/phone/iPhone');
  await page.getByText('Phone not found').waitFor();
  const max = await showPhones(roles.member, 'phones/phone/iPhone');
  const screen = max.page.getByRole('region', { name: 'Screen of iPhone' });
  await screen.getByText('No notifications').waitFor();
  const text = 'Lunch at 12:30?';
  const { id } = await console.sandbox
    .as(roles.owner)
    .messages.send({ type: 'direct', to: [userOf(roles.member).user_id as never], content: text });
  await screen.getByText(text).waitFor();
  await screen.getByText('Olivia Owner').click();
  await trace(max.page)
    .getByText(/pushed as a direct message/)
    .waitFor();
  await console.sandbox
    .as(roles.member)
    .messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
  await screen.getByText('No notifications').waitFor();
});

test('a fault for the shown phone, found by its words, makes the provider refuse, and the trace shows the retry', async () => {
  const { page } = await showPhones(roles.member, 'phones/phone/iPhone');
  await page.getByRole('button', { name: 'Provider faults' }).click();
  const dialog = page.getByRole('dialog');
  const find = dialog.getByRole('searchbox', { name: 'Search faults' });
  await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Search faults');
  expect(await dialog.getByRole('combobox', { name: 'Phone' }).inputValue()).toBe('iPhone');
  expect(await dialog.getByRole('combobox', { name: 'Provider' }).inputValue()).toBe('apns');
  expect(await dialog.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Provider is busy (the bouncer retries)',
    'Phone or token',
    'Sender credentials',
    'Request',
    'Connection',
    'Time',
    'Other responses',
  ]);
  await find.fill('429 phone');
  expect(await dialog.getByRole('group', { name: 'Fault' }).ariaSnapshot()).toMatchInlineSnapshot(`
    "- group "Fault":
      - text: Fault
      - searchbox "Search faults": 429 phone
      - group "Provider is busy (the bouncer retries)":
        - heading "Provider is busy (the bouncer retries)" [level=3]
        - 'radio "TooManyRequests 429: Too many notifications to one phone" [checked]'
        - code: TooManyRequests
        - text: "429: Too many notifications to one phone""
  `);
  await find.fill('nothing has these words');
  await dialog.getByText('No matching faults for this provider.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true);
  await find.fill('429 phone');
  await expectAccessible(page);
  await dialog.getByLabel('Retry-After').fill('1');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('429 TooManyRequests, Retry-After 1').waitFor();
  await page.keyboard.press('Escape');
  await openTest(page);
  const hops = trace(page).getByRole('list', { name: 'Hops' });
  await hops.getByText(/^attempt 1: 429 TooManyRequests/).waitFor();
  await hops.getByText(/^attempt 2: 200/).waitFor();
  await trace(page).getByText('arrived after 2 attempts').waitFor();
});

test('an offline phone gets the stored notifications once it is online again', async () => {
  const { page } = await showPhones(roles.member, 'phones/phone/Browser');
  await page.getByRole('button', { name: 'Take offline' }).click();
  await page.getByRole('link', { name: 'Browser offline' }).waitFor();
  await openTest(page);
  await trace(page).getByText('waits at the provider until the phone is online').waitFor();
  await page.getByRole('button', { name: 'Bring online' }).click();
  await trace(page).getByText('arrived at the first attempt').waitFor();
  await page.getByRole('tab', { name: 'Registration' }).click();
  const history = page.getByRole('list', { name: 'Registration' });
  for (const word of ['offline', 'online', 'installed'])
    await history.getByText(word, { exact: true }).first().waitFor();
});

test('new keys, removing the app and installing it again are in the history; a forgotten phone is gone', async () => {
  const { page, problems } = await showPhones(roles.admin);
  await page.getByRole('button', { name: 'Add iPhone' }).click();
  await page.getByRole('heading', { name: /^iPhone/ }).waitFor();
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  await page.getByRole('tab', { name: 'Registration' }).click();
  const history = page.getByRole('list', { name: 'Registration' });
  await choose('Rotate keys');
  await history.getByText('new key pair', { exact: true }).waitFor();
  // The new keys are registered too, before the app goes.
  await history
    .getByText(/^account /)
    .nth(1)
    .waitFor();
  await choose('Uninstall app');
  await history.getByText('app uninstalled').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  // The provider calls the token dead, and the server learns of it.
  await history.getByText('the device is gone, because its app was removed').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  expect(problems.splice(0).join()).toContain('400');
  await choose('Reinstall app');
  await history.getByText('new key pair and token').waitFor();
  await history
    .getByText(/^account /)
    .nth(2)
    .waitFor();
  await choose('Remove phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove phone' }).click();
  await page.getByText('No phones yet').waitFor();
  expect((await sandboxAs(roles.admin).phones.list()).phones).toEqual([]);
});

test('the page names the setting that stops the pushes of an account, and switches it on', async () => {
  const { page } = await showPhones(roles.member, 'phones/phone/Android%20phone');
  const { email, api_key: apiKey } = userOf(roles.member);
  const member = createClient({ url: console.sandbox.sandbox.file.base_url, email, apiKey });
  await member.settings.update({ enable_offline_push_notifications: false });
  await page.getByText(/^Push notifications for messages are turned off/).waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect
    .poll(() => page.getByText(/^Push notifications for messages are turned off/).count())
    .toBe(0);
});

test('the Phones part is usable by keyboard alone', async () => {
  const { page } = await showPhones(roles.member);
  await page.getByRole('link', { name: /^Android phone/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Android phone' }).waitFor();
  const send = () => press(page, 't');
  // The fault is for the second one.
  await (await sendTest(page, send)).getByText('arrived').waitFor();
  await sandboxAs(roles.member).faults.add({ provider: 'fcm', kind: '400', times: 1 });
  await (await sendTest(page, send)).getByText('rejected').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await walkRecords(page, {
    list: 'Pushes',
    term: 'status:failed',
    word: 'rejected',
    failed: 1,
    curl: '-u "$BELLHOP_EMAIL:$BELLHOP_API_KEY"',
  });
  await press(page, 'j', 'Enter');
  await trace(page).waitFor();
  await press(page, '[');
  await expect.poll(() => page.url()).toContain('asof=');
  await press(page, 'Escape');
  await expect.poll(() => trace(page).count()).toBe(0);
  const newest = await pushes(page).first().getByRole('link').getAttribute('data-row');
  await expect.poll(() => page.evaluate('document.activeElement.dataset.row')).toBe(newest);
  await press(page, 'Escape');
  await page.getByRole('heading', { name: 'Pushes', exact: true }).waitFor();
});

test('focus that moves on while a dialog closes stays there', async () => {
  const { page } = await showPhones(roles.member);
  await page.getByRole('link', { name: /^Android phone/ }).click();
  await pushes(page).first().waitFor();
  await press(page, 'Shift+?');
  await page.getByRole('dialog').waitFor();
  // Esc closes a dialog before the page hears of it; a key may come between.
  const focusRow = "document.querySelector('[data-row]').focus()";
  await page.evaluate(`document.querySelector('dialog').close(); ${focusRow}`);
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('[data-row]:focus').count()).toBe(1);
});

test('axe finds nothing in Phones, light and dark, wide and narrow', async () => {
  const { page } = await showPhones(roles.owner);
  await page.getByRole('link', { name: /^Android phone/ }).click();
  await pushes(page).first().getByRole('link').click();
  await trace(page)
    .getByText(/arrived/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Close push' }).click();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('another page on this machine can neither see the phones nor drive them', async () => {
  const { page } = await showPhones(roles.member);
  const { base_url } = console.sandbox.sandbox.file;
  const [cookie] = await page.context().cookies();
  const key = await page.evaluate<string>(`localStorage.getItem('bellhop-console-key')`);
  const halves = { cookie: `${cookie?.name}=${cookie?.value}`, 'bellhop-console': key };
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const path = method === 'GET' ? 'phones' : 'faults';
    const answer = await fetch(`${base_url}${SANDBOX_PREFIX}/${path}`, { method, headers });
    const { code } = (await answer.json()) as { code?: string };
    return code ?? answer.status;
  };
  expect(await ask(halves)).toBe(200);
  expect(await ask({ cookie: halves.cookie })).toBe('UNAUTHORIZED');
  expect(await ask({ 'bellhop-console': key })).toBe('UNAUTHORIZED');
  const foreign = [
    { origin: 'http://localhost:9999' },
    { origin: 'https://example.com' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const header of foreign)
    for (const method of ['GET', 'DELETE'])
      expect(await ask({ ...halves, ...header } as Record<string, string>, method)).toBe(
        'CSRF_FAILED',
      );
});

describe('on an ordinary server', () => {
  const ends = new AsyncDisposableStack();
  let chat: TestChat;
  beforeAll(async () => {
    const { bouncer_url, base_url: url } = console.sandbox.sandbox.file;
    const { email, api_key: apiKey } = userOf(roles.owner);
    const operator = { url, prefix: SANDBOX_OPERATOR_PREFIX, email, apiKey };
    const { token } = await createClientFor(bouncerOperator, operator).access.invite();
    const env = {
      ...(parseEnv(newSecrets('org')) as Record<string, string>),
      BELLHOP_BOUNCER_URL: bouncer_url,
      BELLHOP_BOUNCER_REGISTRATION_TOKEN: token ?? '',
    };
    chat = ends.use(await startTestChat({ env }));
  });
  afterAll(() => ends.disposeAsync());

  test('the page teaches how a device is registered, shows it live, and follows a test to the bouncer', async () => {
    const password = 'a long enough password 9';
    const olivia = await chat.addPerson('olivia', roles.owner, { password });
    const { page } = await console.visit(`${chat.url}/console/phones`);
    await page.getByLabel('Email').fill(olivia.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    const command = await page.locator('.command code').innerText();
    const box = await page.locator('.command').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(1440);
    expect(await page.getByRole('button', { name: /^Add an/ }).count()).toBe(0);

    const { bouncer_public_key, simulator } = console.sandbox.sandbox.file;
    const { control_url, control_token } = simulator;
    const [, , ...words] = command.replace('KEY', bouncer_public_key).split(' ');
    const added = await runProgram([...words, '--simulator', control_url], {
      BELLHOP_API_KEY: olivia.api_key,
      BELLHOP_SIMULATOR_TOKEN: control_token,
      BELLHOP_DATA_DIR: join(console.sandbox.dataDir, 'device'),
    });
    expect(added).toMatchObject({ code: 0 });
    await page.getByRole('link', { name: /^Device \d+ registered/ }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await pushes(page).filter({ hasText: 'at provider' }).getByRole('link').click();
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    const hops = trace(page).getByRole('list', { name: 'Hops' });
    for (const reason of [
      'received for device',
      'real providers do not report this',
      'another app',
    ])
      await hops.getByText(reason).waitFor();
    await page.getByRole('tab', { name: 'Plaintext' }).click();
    await page.getByText('Only the device can decrypt this').waitFor();
    await page.context().close();
  });
});
