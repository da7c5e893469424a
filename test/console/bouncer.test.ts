import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { roles, SANDBOX_OPERATOR_PREFIX } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

const goTo = (page: Page, path: string) => page.goto(new URL(path, page.url()).href);
const pagesOf = (page: Page) => page.getByRole('navigation', { name: 'Pages of the bouncer' });

describe('in the sandbox', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await console.open(roles.owner));
    await console.sandbox.as(roles.member).devices.testNotification({});
    await goTo(page, '/console/bouncer');
    await page.getByRole('button', { name: 'Open as the operator' }).click();
    await pagesOf(page).waitFor();
  });

  test('the operator sees plots of outcomes, credentials, keys and the log of actions', async () => {
    expect(await pagesOf(page).ariaSnapshot()).toMatchInlineSnapshot(`
      "- navigation "Pages of the bouncer":
        - list:
          - listitem:
            - link "Overview":
              - /url: /console/bouncer/overview
          - listitem:
            - link "Chat servers":
              - /url: /console/bouncer/servers
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
    await page.getByRole('cell', { name: 'server registered' }).waitFor();
  });

  test('a fault that is switched on shows in the verdicts, and its notification can be sent again from the queue', async () => {
    await pagesOf(page).getByRole('link', { name: 'Faults' }).click();
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('QUOTA_EXCEEDED');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('list', { name: 'Switched on' }).getByText('429 QUOTA_EXCEEDED').waitFor();
    await console.sandbox.as(roles.member).devices.testNotification({});
    await pagesOf(page).getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('1: 429 QUOTA_EXCEEDED (retry)').first().waitFor();
    await pagesOf(page).getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('row', { name: /fcm/ }).waitFor();
    await page.getByRole('button', { name: 'Send all now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send all now' }).click();
    await page.getByText('1 notifications are tried now.').waitFor();
    await pagesOf(page).getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /operator console pushes replayed/ }).waitFor();
  });

  test('axe finds nothing on its pages, wide and narrow', async () => {
    await goTo(page, '/console/bouncer/overview');
    await page.getByRole('img', { name: /^Outcomes over time/ }).waitFor();
    await expectAccessible(page);
    await goTo(page, '/console/bouncer/pushes');
    await page.getByRole('table').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('members are told who operates the bouncer, and the server refuses their calls', async () => {
    const { file } = console.sandbox.sandbox;
    const member = await console.open(roles.member);
    await goTo(member.page, '/console/bouncer');
    await member.page.getByText('Administrators of the sandbox operate its bouncer').waitFor();
    const { email, api_key } = file.users.find(({ role }) => role === roles.member) ?? {};
    const answer = await fetch(`${file.base_url}${SANDBOX_OPERATOR_PREFIX}/keys`, {
      headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    });
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
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
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).not.toContain(operator_token);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in as the operator' }).waitFor();
});
