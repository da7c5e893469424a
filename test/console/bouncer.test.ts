import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClientFor } from '@bellhop/client';
import {
  bouncerOperator,
  roles,
  sandbox,
  SANDBOX_OPERATOR_PREFIX,
  SANDBOX_PREFIX,
} from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  goTo,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { walkRecords } from '../support/walk-records.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

/** The operator API of the sandbox, as programs of a user call it. */
const operator = (role: number) => {
  const { base_url, users } = console.sandbox.sandbox.file;
  const user = users.find((one) => one.role === role);
  return createClientFor(bouncerOperator, {
    url: base_url,
    prefix: SANDBOX_OPERATOR_PREFIX,
    email: user?.email ?? '',
    apiKey: user?.api_key ?? '',
  });
};
const pagesOf = (page: Page) => page.getByRole('navigation', { name: 'Bouncer pages' });
const rowsOf = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('article');

describe('in the sandbox', () => {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    await console.sandbox.as(roles.member).devices.testNotification({});
    ({ page, problems } = await console.open(roles.owner, '/console/bouncer'));
    await page.getByRole('button', { name: 'Continue as operator' }).click();
    await pagesOf(page).waitFor();
  });

  test('the operator sees plots of outcomes, credentials, keys and the log of actions', async () => {
    expect(await pagesOf(page).ariaSnapshot()).toMatchInlineSnapshot(`
      "- navigation "Bouncer pages":
        - list:
          - listitem:
            - link "Overview":
              - /url: /console/bouncer/overview
          - listitem:
            - link "Chat servers":
              - /url: /console/bouncer/servers
          - listitem:
            - link "Devices":
              - /url: /console/bouncer/devices
          - listitem:
            - link "Apps and credentials":
              - /url: /console/bouncer/apps
          - listitem:
            - link "Key ring":
              - /url: /console/bouncer/keys
          - listitem:
            - link "Queue":
              - /url: /console/bouncer/queue
          - listitem:
            - link "Notifications":
              - /url: /console/bouncer/pushes
          - listitem:
            - link "Feedback log":
              - /url: /console/bouncer/feedback
          - listitem:
            - link "Bans and invitations":
              - /url: /console/bouncer/access
          - listitem:
            - link "Audit log":
              - /url: /console/bouncer/audit
          - listitem:
            - link "Faults":
              - /url: /console/bouncer/faults"
    `);
    await pagesOf(page).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('img', { name: /^Outcomes over time: accepted \d/ }).waitFor();
    await pagesOf(page).getByRole('link', { name: 'Chat servers' }).click();
    const server = page.getByRole('row', { name: /localhost/ });
    await server.getByText('active').waitFor();
    await pagesOf(page).getByRole('link', { name: 'Apps and credentials' }).click();
    await page.getByRole('row', { name: /apns.*ok/ }).waitFor();
    await pagesOf(page).getByRole('link', { name: 'Key ring' }).click();
    await page.getByText('the newest key: ship it with the apps').waitFor();
    await pagesOf(page).getByRole('link', { name: 'Audit log' }).click();
    await rowsOf(page, 'Audit log').filter({ hasText: 'server registered' }).first().waitFor();
  });

  test('a fault that is switched on shows in the verdicts, and its notification can be sent again from the queue', async () => {
    await pagesOf(page).getByRole('link', { name: 'Faults' }).click();
    await page.getByRole('radio', { name: /^QUOTA_EXCEEDED/ }).check();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page
      .getByRole('list', { name: 'Active faults' })
      .getByText('429 QUOTA_EXCEEDED')
      .waitFor();
    await console.sandbox.as(roles.member).devices.testNotification({});
    await pagesOf(page).getByRole('link', { name: 'Notifications' }).click();
    await page
      .getByText(/^1: 429 QUOTA_EXCEEDED: .*\(retry\)$/)
      .first()
      .waitFor();
    await pagesOf(page).getByRole('link', { name: 'Queue' }).click();
    const left = rowsOf(page, 'Queue').filter({ hasText: 'fcm' }).locator('.ticking');
    const before = await left.textContent();
    expect(before).toMatch(/^\d\d:\d\d$/);
    await expect.poll(() => left.textContent()).not.toBe(before);
    // A live region would read every second aloud.
    expect(await page.locator('[aria-live] .ticking, [role=status] .ticking').count()).toBe(0);
    await page.getByRole('button', { name: 'Retry all now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all now' }).click();
    await page.getByText('Retrying 1 notifications.').waitFor();
    await pagesOf(page).getByRole('link', { name: 'Audit log' }).click();
    await rowsOf(page, 'Audit log').filter({ hasText: 'pushes replayed' }).first().waitFor();
  });

  test('its logs are used by keyboard, their filters are saved', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { file } = console.sandbox.sandbox;
    const member = file.users.find(({ role }) => role === roles.member);
    const { email = '', api_key: apiKey = '' } = member ?? {};
    const login = { url: file.base_url, prefix: SANDBOX_PREFIX, email, apiKey };
    const { faults } = createClientFor(sandbox, login);
    await faults.add({ provider: 'apns', kind: 'PayloadTooLarge', times: 1 });
    await console.sandbox.as(roles.member).devices.testNotification({});
    await pagesOf(page).getByRole('link', { name: 'Notifications' }).click();
    await rowsOf(page, 'Notifications').filter({ hasText: 'refused' }).waitFor();
    const curl = '-u "$BELLHOP_EMAIL:$BELLHOP_API_KEY"';
    const failed = { term: 'outcome:refused', word: 'refused', failed: 1, curl };
    await walkRecords(page, { list: 'Notifications', ...failed });
    await pagesOf(page).getByRole('link', { name: 'Audit log' }).click();
    const none = { term: 'action:pushes_replayed', word: 'pushes replayed', failed: 0, curl };
    await walkRecords(page, { list: 'Audit log', ...none });
    await press(page, 'Escape');
    await page.getByRole('link', { name: 'Overview' }).last().waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('dialog')
      .getByRole('combobox', { name: 'Command palette' })
      .fill('key ring');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Key ring' }).waitFor();
  });

  test('the operator makes a key, and retires an unused one at once and one with devices by force only', async () => {
    await pagesOf(page).getByRole('link', { name: 'Key ring' }).click();
    const make = async () => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const row = (text: RegExp) => page.getByRole('row', { name: text });
    const retire = async (key: RegExp, action: string, verdict: RegExp) => {
      await row(key).getByRole('button', { name: 'Retire' }).click();
      const dialog = page.getByRole('dialog', { name: /^Retire key/ });
      await dialog.getByText(verdict).waitFor();
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await make();
    await row(/older environment.*living device/).waitFor();
    await expectAccessible(page);
    await make();
    await row(/older database.*can be retired/).waitFor();
    await retire(/older database/, 'Retire', /no living device/);
    await row(/retired nowhere \d+ retired on \d{4}-\d\d-\d\d/).waitFor();
    await retire(/older environment/, 'Retire anyway', /living devices? registered with it/);
    await row(/retired environment \d+ retired on .*BELLHOP_BOUNCER_KEYS/).waitFor();
    expect(await page.getByRole('button', { name: 'Retire' }).count()).toBe(0);
  });

  test('the operator bans a host name, lifts the ban, and invites a server with a token that is shown once', async () => {
    await pagesOf(page).getByRole('link', { name: 'Bans and invitations' }).click();
    await page.getByRole('button', { name: 'Ban a server' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('no host/');
    await dialog.getByRole('button', { name: 'Ban a server' }).click();
    await dialog.getByText('is neither the ID of a chat server nor a host name').waitFor();
    expect(problems.splice(0).join()).toContain('400');
    await dialog.getByLabel('Subject').fill('*.spam.example');
    await dialog.getByLabel('Reason').fill('sends spam');
    await dialog.getByLabel('Reason').press('Enter');
    const banned = page.getByRole('row', { name: /\*\.spam\.example sends spam/ });
    await banned.getByRole('button', { name: 'Unban' }).click();
    await dialog.getByRole('button', { name: 'Unban' }).click();
    await banned.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Invite a server' }).click();
    await dialog.getByLabel('Valid for (hours)').press('Enter');
    await dialog.getByText(/^BELLHOP_BOUNCER_REGISTRATION_TOKEN=[0-9a-f]{64}$/).waitFor();
    await page.keyboard.press('Escape');
    const invitation = page.getByRole('row', { name: /anyone with the token/ });
    await invitation.waitFor();
    await expectAccessible(page);
    await invitation.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nothing here yet').nth(1).waitFor();
  });

  test('the operator tests and deletes a device, sets a quota of its chat server, and exports the server', async () => {
    await pagesOf(page).getByRole('link', { name: 'Chat servers' }).click();
    const dialog = page.getByRole('dialog');
    const server = page.getByRole('row', { name: /localhost/ });
    await server.getByRole('button', { name: 'Realms and quotas' }).click();
    await dialog.getByRole('table', { name: 'Realms' }).getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await dialog.getByText(/^default: 50,000,000, [\d,]+ used in the current window$/).waitFor();
    await dialog.getByText('default: 2,000,000', { exact: true }).waitFor();
    await dialog.locator('[name=notifications_per_day]').fill('123456');
    await dialog.getByRole('button', { name: 'Save quotas' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [known] = (await operator(roles.owner).servers.list()).servers;
    const { quotas } = await operator(roles.owner).servers.show({ server: known?.hostname ?? '' });
    expect(quotas).toContainEqual(
      expect.objectContaining({ quota: 'notifications_per_day', value: 123_456 }),
    );
    const saved = page.waitForEvent('download');
    await server.getByRole('button', { name: 'Export' }).click();
    const records = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { type: string }).type)).toContain('device');
    await server.getByRole('link').first().click();
    const devices = page.getByRole('table', { name: 'Devices' }).getByRole('row');
    await devices.nth(1).getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('accepted', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    const count = await devices.count();
    await devices.last().getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => devices.count()).toBe(count - 1);
  });

  test('the first page of devices is shown when the filter by server is removed from a later page', async () => {
    const { devices: known } = await operator(roles.owner).devices.list({});
    const [sample] = known;
    await page.route(/\/devices\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      const after = Number(new URL(route.request().url()).searchParams.get('after'));
      // A full page of 200 of them, and a last one.
      const devices = Array.from({ length: after === 0 ? 200 : 1 }, (_, at) => ({
        ...sample,
        device_id: after + at + 1,
      }));
      await route.fulfill({ response, json: { ...body, devices } });
    });
    await pagesOf(page).getByRole('link', { name: 'Chat servers' }).click();
    await page
      .getByRole('row', { name: /localhost/ })
      .getByRole('link')
      .first()
      .click();
    const rows = page.getByRole('table', { name: 'Devices' }).getByRole('row');
    await page.getByRole('button', { name: 'Next page' }).click();
    await rows.filter({ hasText: '201' }).waitFor();
    await page.getByRole('button', { name: 'Show all devices' }).click();
    await expect.poll(() => rows.count()).toBe(1 + 200);
    await page.getByRole('button', { name: 'Next page' }).click();
    await rows.filter({ hasText: '201' }).waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(1 + 200);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a paused log keeps new rows behind a button, and a value that is clicked filters by it', async () => {
    await pagesOf(page).getByRole('link', { name: 'Audit log' }).click();
    const rows = rowsOf(page, 'Audit log');
    await rows.filter({ hasText: 'invitation revoked' }).waitFor();
    await press(page, 'Space');
    await page.getByRole('button', { name: /^Paused/ }).waitFor();
    const before = await rows.count();
    await operator(roles.owner).access.ban({ subject: 'late.example' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await rows.count()).toBe(before);
    await page.getByRole('button', { name: '1 new' }).click();
    await rows.filter({ hasText: 'late.example' }).waitFor();
    await page.getByRole('button', { name: /^Paused/ }).click();
    await page.getByRole('button', { name: 'key retired' }).first().click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(page.url()).toContain('q=action%3Akey_retired');
    await press(page, '/');
    await page.keyboard.type('nothing-like-this');
    await page.getByText('No matches').waitFor();
  });

  test('axe finds nothing on its pages, wide and narrow', async () => {
    await goTo(page, '/console/bouncer/overview');
    await page.getByRole('img', { name: /^Outcomes over time/ }).waitFor();
    await expectAccessible(page);
    await goTo(page, '/console/bouncer/pushes');
    await rowsOf(page, 'Notifications').first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('members see who operates the bouncer, and the server refuses their calls', async () => {
    const member = await console.open(roles.member, '/console/bouncer');
    await member.page
      .getByText('Only administrators of this sandbox can operate its bouncer')
      .waitFor();
    const refused = { code: 'UNAUTHORIZED_PRINCIPAL' };
    await expect(operator(roles.member).keys.list()).rejects.toMatchObject(refused);
    await expect(operator(roles.member).keys.create()).rejects.toMatchObject(refused);
  });
});

test('a bouncer serves its operator a console of its own: a wrong token is refused, the right one signs in by keyboard', async () => {
  const { dataDir, sandbox } = console.sandbox;
  const state = await readFile(join(dataDir, 'state.json'), 'utf8');
  const { operator_token } = JSON.parse(state) as { operator_token: string };
  const { page, problems } = await console.visit(`${sandbox.file.bouncer_url}/console/`);
  await page.getByLabel('Operator token').fill('wrong '.repeat(8));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('AUTHENTICATION_FAILED').waitFor();
  expect(problems.splice(0).join()).toContain('401');
  await expectAccessible(page);
  await page.getByLabel('Operator token').fill(operator_token);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Key ring' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('the newest key: ship it with the apps').waitFor();
  await press(page, 'Shift+?');
  await page.getByRole('dialog').getByText('Close, or go back to the pages').waitFor();
  await page.keyboard.press('Escape');
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).not.toContain(operator_token);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in as the operator' }).waitFor();
});
