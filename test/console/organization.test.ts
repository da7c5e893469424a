import type { Client } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  goTo as goToAddress,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let owner: Client;
beforeAll(async () => {
  console = await startConsoleBrowser();
  owner = console.sandbox.as(roles.owner);
  const { user_id } = await owner.users.me();
  await owner.channels.create({ name: 'design', subscribers: [user_id] });
  await owner.channels.create({ name: 'news', subscribers: [user_id], is_default_stream: true });
});
afterAll(() => console[Symbol.asyncDispose]());

const PASSWORD = 'a long enough password 9';

/** Shows a page of the organization to the user with this role. */
const showTo = async (role: number, path: string) =>
  (await console.show(role, `/console/organization/${path}`)).page;
const goTo = (page: Page, path: string) => goToAddress(page, `/console/organization/${path}`);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('an invitation becomes a mail in the outbox, an account and its channels', async () => {
  const admin = await showTo(roles.owner, 'invitations');
  await admin.getByRole('button', { name: 'Invite people' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('Email addresses').fill('nina@example.com');
  await dialog.getByLabel('#design').check();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await row(admin, 'nina@example.com').waitFor();

  await goTo(admin, 'mails');
  await row(admin, 'nina@example.com').getByRole('link').click();
  const mail = admin.getByRole('region', { name: /invites you/ });
  const link = await mail.getByRole('link', { name: /\/join\// }).getAttribute('href');

  const { page } = await console.visit(link ?? '');
  await page.getByLabel('Full name').fill('Nina New');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByText('Your account is ready').waitFor();
  await page.goto(new URL('/console/', page.url()).href);
  await page.getByLabel('Email').fill('nina@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: 'design' }).waitFor();
  await conversations.getByRole('link', { name: 'news' }).waitFor();

  await goTo(admin, 'invitations');
  await admin.getByText('No pending invitations').waitFor();
});

test('the form says at the field which of several addresses is wrong, with its buttons in sight', async () => {
  const { page: admin, problems } = await console.show(
    roles.owner,
    '/console/organization/invitations',
  );
  await admin.getByRole('button', { name: 'Invite people' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite people' });
  const send = await dialog.getByRole('button', { name: 'Send' }).boundingBox();
  expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThan(900);
  const field = dialog.getByLabel('Email addresses');
  await field.fill('wrong@, olivia');
  await dialog.getByRole('button', { name: 'Send' }).click();
  const problem = dialog
    .locator('.field')
    .filter({ has: admin.getByLabel('Email addresses') })
    .getByRole('alert');
  await problem.getByText('wrong@: Enter a valid email address.').waitFor();
  await problem.getByText('olivia: Enter a valid email address.').waitFor();
  expect(await field.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(problems.splice(0).join()).toContain('400');
  await admin.keyboard.press('Escape');
});

test('a guest sees the people, and no controls to change them', async () => {
  const page = await showTo(roles.guest, 'users');
  await row(page, 'Mona Moderator').getByRole('link').click();
  await page.getByRole('region', { name: 'Mona Moderator' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Organization pages' });
  expect(await pages.ariaSnapshot()).not.toMatch(/Invitations|Mails/);
  expect(await page.getByRole('button', { name: /Deactivate|Invite/ }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Role' }).count()).toBe(0);
  await goTo(page, 'mails');
  await page.reload();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  expect(await page.getByRole('table', { name: 'Emails' }).count()).toBe(0);
});

test('a user gets another role at once, and loses it by the keyboard alone', async () => {
  const { page } = await console.show(roles.owner, '/console/chat/all');
  await page.getByRole('heading', { name: 'All messages' }).waitFor();
  await press(page, 'g', 'o');
  await row(page, 'Mona Moderator').waitFor();
  await press(page, '/');
  await page.keyboard.type('Mona');
  await press(page, 'Tab', 'Tab', 'Enter');
  const panel = page.getByRole('region', { name: 'Mona Moderator' });
  await panel.getByLabel('Role').focus();
  await page.keyboard.press('ArrowUp');
  await panel.getByText('Saved').waitFor();
  await row(page, 'Mona Moderator').getByText('Administrator').waitFor();
  await panel.getByLabel('Role').focus();
  await page.keyboard.press('ArrowDown');
  await row(page, 'Mona Moderator').getByText('Moderator', { exact: true }).waitFor();
  await page.locator('main').focus();
  await press(page, 'Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('Mona');
});

test('the only owner keeps the role, and the field says why', async () => {
  const { page, problems } = await console.show(roles.owner, '/console/organization/users');
  await row(page, 'Olivia Owner').getByRole('link').click();
  const panel = page.getByRole('region', { name: 'Olivia Owner' });
  await panel.getByLabel('Role').selectOption('Member');
  await panel.getByRole('alert').getByText(/owner/).waitFor();
  expect(await panel.getByLabel('Role').inputValue()).toBe(String(roles.owner));
  expect(problems.splice(0).join()).toContain('400');
});

test('a user is deactivated with a mail, and reactivated', async () => {
  const { user_id } = await owner.users.create({
    email: 'leaver@example.com',
    full_name: 'Lea Leaver',
    password: PASSWORD,
  });
  const page = await showTo(roles.owner, `users/${user_id}`);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Lea Leaver?' });
  await dialog.getByLabel('Notify them by email').check();
  await dialog.getByLabel('Comment to include in the email').fill('Goodbye');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await row(page, 'Lea Leaver').waitFor({ state: 'detached' });
  const goodbye = async () => (await owner.mails.list()).mails[0]?.to;
  await expect.poll(goodbye).toBe('leaver@example.com');
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await row(page, 'Lea Leaver').waitFor();
});

test('a reusable link is shown to copy, and stops working when it is revoked', async () => {
  const page = await showTo(roles.owner, 'invitations');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('Invite by').selectOption('link');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('dialog', { name: 'Invitation link created' }).locator('code');
  const address = (await link.textContent()) ?? '';
  await page.keyboard.press('Escape');
  expect((await fetch(address)).status).toBe(200);
  await row(page, 'Reusable link').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row(page, 'Reusable link').waitFor({ state: 'detached' });
  expect((await fetch(address)).status).toBe(404);
});

test('axe finds nothing on the pages of people', async () => {
  await owner.invites.send({ invitee_emails: 'axe@example.com', stream_ids: [] });
  const { user_id } = await owner.users.me();
  const page = await showTo(roles.owner, `users/${user_id}`);
  await page.getByRole('region', { name: 'Olivia Owner' }).waitFor();
  await expectAccessible(page);
  await goTo(page, 'invitations');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await expectAccessible(page);
  await goTo(page, 'mails');
  await row(page, 'axe@example.com').getByRole('link').click();
  await page.getByRole('link', { name: /\/join\// }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a new group gets members, a subgroup and a permission to join, and a user with that permission joins', async () => {
  const page = await showTo(roles.owner, 'groups');
  await page.getByRole('button', { name: 'New group' }).click();
  const dialog = page.getByRole('dialog', { name: 'New group' });
  await dialog.getByLabel('Name').fill('on-call');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const panel = page.getByRole('region', { name: 'on-call' });
  await panel.getByLabel('Add member', { exact: true }).selectOption('Mona Moderator');
  await panel.getByRole('button', { name: 'Remove Mona Moderator' }).waitFor();
  await panel.getByLabel('Add subgroup', { exact: true }).selectOption('Administrators');
  await panel.getByText('and 1 through subgroups').waitFor();
  const max = await showTo(roles.member, 'groups');
  await row(max, 'on-call').getByRole('link').click();
  await max.getByRole('region', { name: 'on-call' }).getByText('Who can join this group').waitFor();
  expect(await max.getByRole('button', { name: 'Join' }).count()).toBe(0);

  await panel.getByRole('button', { name: 'Change: Who can join this group' }).click();
  const change = page.getByRole('dialog', { name: 'Who can join this group' });
  await change.getByLabel('Who').selectOption('Specific groups and people');
  await change.getByLabel('Max Member').check();
  await change.getByRole('button', { name: 'Save' }).click();
  await max.getByRole('button', { name: 'Join' }).click();
  await panel.getByRole('button', { name: 'Remove Max Member' }).waitFor();
  await max.getByRole('button', { name: 'Leave' }).waitFor();
});

test('a permission of the organization decides which controls a member sees', async () => {
  const max = await showTo(roles.member, 'channels');
  await max.getByRole('button', { name: 'New channel' }).waitFor();
  const page = await showTo(roles.owner, 'realm');
  await page.getByLabel('Search settings').fill('channels');
  for (const what of ['public', 'private']) {
    await page.getByRole('button', { name: `Change: Who can create ${what} channels` }).click();
    const dialog = page.getByRole('dialog', { name: `Who can create ${what} channels` });
    await dialog.getByLabel('Who').selectOption('Administrators');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await max.getByRole('button', { name: 'New channel' }).waitFor({ state: 'detached' });
  expect(await max.getByRole('navigation').last().ariaSnapshot()).not.toMatch(/Defaults/);
});

test('a channel is created in a folder, changed, filled and archived', async () => {
  const page = await showTo(roles.owner, 'folders');
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Products');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await row(page, 'Products').waitFor();
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'New channel' });
  await dialog.getByLabel('Name').fill('bellhop');
  await dialog.getByLabel('Folder').selectOption('Products');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const panel = page.getByRole('region', { name: '#bellhop' });
  await panel.getByLabel('Add subscriber', { exact: true }).selectOption('Max Member');
  await panel.getByRole('button', { name: 'Remove Max Member' }).waitFor();
  await panel.getByLabel('Default channel for new users').check();
  await row(page, 'bellhop').getByText('default').waitFor();
  await panel.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await panel.getByRole('button', { name: 'Unarchive' }).click();
  await row(page, 'bellhop').getByText('Products').waitFor();
});

test('a linkifier is tried while the user types, is added, and makes a link of a message', async () => {
  const page = await showTo(roles.owner, 'linkifiers/new');
  await page.getByRole('textbox', { name: /^Pattern/ }).fill('BUG-(');
  await page.getByRole('textbox', { name: /^URL template/ }).fill('https://bugs.example.com/{id}');
  const result = page.getByRole('status', { name: 'Result' });
  await result.getByText('Invalid regular expression').waitFor();
  await page.getByRole('textbox', { name: /^Pattern/ }).fill('BUG-(?P<id>[0-9]+)');
  await page.getByLabel('Test text').fill('Mended by BUG-7 today');
  const link = result.getByRole('link', { name: 'BUG-7' });
  expect(await link.getAttribute('href')).toBe('https://bugs.example.com/7');
  await page.getByRole('button', { name: 'Add' }).click();
  await row(page, 'BUG-(?P<id>').waitFor();
  // The answer, which may come after the event, leads to the new linkifier.
  await expect.poll(() => page.url()).toMatch(/\/linkifiers\/\d+$/);
  const channel = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const content = 'It is BUG-12 again';
  await owner.messages.send({ type: 'channel', to: channel, topic: 'linkifiers', content });
  await goToAddress(page, `/console/chat/channel/${channel}/linkifiers`);
  const sent = page.getByRole('article').getByRole('link', { name: 'BUG-12' });
  expect(await sent.getAttribute('href')).toBe('https://bugs.example.com/12');
});

test('settings are saved one by one, in the defaults and for oneself', async () => {
  const page = await showTo(roles.owner, 'defaults');
  const theme = page.getByLabel('Theme');
  await theme.selectOption('Dark');
  await page.getByText('Saved', { exact: true }).waitFor();
  const { realm_user_settings_defaults: defaults } = await owner.queues.register({
    fetch_event_types: ['realm_user_settings_defaults'],
  });
  expect(defaults?.color_scheme).toBe(2);
  await goTo(page, 'settings');
  await expect.poll(() => theme.inputValue()).toBe('1');
  await page.getByLabel('Press Enter to send').uncheck();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByLabel('Search settings').fill('time zone');
  await page.getByLabel('Time zone', { exact: true }).fill('Europe/Berlin');
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  const { user_settings } = await owner.queues.register({ fetch_event_types: ['user_settings'] });
  expect(user_settings).toMatchObject({ enter_sends: false, timezone: 'Europe/Berlin' });
});

test('axe finds nothing in settings, linkifiers, channels and profile fields', async () => {
  for (const [path, heading] of [
    ['realm', 'Organization settings'],
    ['linkifiers/new', 'New linkifier'],
    ['channels/1', '#general'],
  ] as const) {
    const page = await showTo(roles.owner, path);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await expectAccessible(page);
  }
  const page = await showTo(roles.owner, 'profile-fields');
  await page.getByRole('button', { name: 'New field' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('the navigation of the organization lists its pages by group', async () => {
  const page = await showTo(roles.owner, '');
  const pages = page.getByRole('navigation', { name: 'Organization pages' });
  await pages.getByRole('link', { name: 'Users', exact: true }).waitFor();
  expect(await pages.ariaSnapshot()).toMatchInlineSnapshot(`
    "- navigation "Organization pages":
      - heading "People" [level=2]
      - list:
        - listitem:
          - link "Users":
            - /url: /console/organization/users
        - listitem:
          - link "Invitations":
            - /url: /console/organization/invitations
        - listitem:
          - link "User groups":
            - /url: /console/organization/groups
        - listitem:
          - link "Custom profile fields":
            - /url: /console/organization/profile-fields
        - listitem:
          - link "Emails":
            - /url: /console/organization/mails
      - heading "Channels" [level=2]
      - list:
        - listitem:
          - link "Channels":
            - /url: /console/organization/channels
        - listitem:
          - link "Channel folders":
            - /url: /console/organization/folders
        - listitem:
          - link "Default channel groups":
            - /url: /console/organization/default-groups
      - heading "Messages" [level=2]
      - list:
        - listitem:
          - link "Linkifiers":
            - /url: /console/organization/linkifiers
        - listitem:
          - link "Code playgrounds":
            - /url: /console/organization/playgrounds
        - listitem:
          - link "Custom emoji":
            - /url: /console/organization/emoji
      - heading "Settings" [level=2]
      - list:
        - listitem:
          - link "Your settings":
            - /url: /console/organization/settings
        - listitem:
          - link "Navigation views":
            - /url: /console/organization/views
        - listitem:
          - link "Default settings for new users":
            - /url: /console/organization/defaults
        - listitem:
          - link "Organization settings":
            - /url: /console/organization/realm"
  `);
});
