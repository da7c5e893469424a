import { createClientFor } from '@bellhop/client';
import {
  api,
  bouncerOperator,
  roles,
  sandbox,
  SANDBOX_OPERATOR_PREFIX,
  SANDBOX_PREFIX,
} from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  nextFrame,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { HOSTILE_NAME, hostileAnswers } from '../support/hostile-answers.ts';
import { startScriptedBot } from '../support/scripted-bot.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

/** Neither an element nor a script has come of a hostile text. */
async function expectInert(page: Page): Promise<void> {
  expect(await page.locator('#console img, #console script, #console [onerror]').count()).toBe(0);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
}

const HOSTILE = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;

test('hostile names, topics, texts, file names and widgets are shown as text', async () => {
  const owner = console.sandbox.as(roles.owner);
  const channel = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const topic = '<img src=x onerror=hacked=1>';
  const place = { type: 'channel', to: channel, topic } as const;
  const link = '[<img src=x onerror=hacked=1>](javascript:hacked=1)';
  const contents = [
    HOSTILE,
    `\`\`\`\n${HOSTILE}\n\`\`\``,
    `\`${HOSTILE}\``,
    link,
    `/poll ${HOSTILE}\n${HOSTILE}`,
    `/todo ${HOSTILE}\n${HOSTILE}: ${HOSTILE}`,
  ];
  for (const content of contents) await owner.messages.send({ ...place, content });
  const extra_data = {
    type: 'choices',
    heading: HOSTILE,
    choices: [{ type: 'multiple_choice', short_name: HOSTILE, long_name: HOSTILE, reply: HOSTILE }],
  };
  const widget_content = JSON.stringify({ widget_type: 'zform', extra_data });
  await owner.messages.send({ ...place, content: 'buttons', widget_content });
  const name = HOSTILE.slice(0, 100);
  const view = { fragment: 'narrow/search/fox', name, is_pinned: true };
  await console.sandbox.as(roles.member).navigationViews.add(view);
  const { page, problems } = await console.show(roles.member, `/console/chat/channel/${channel}`);
  const messages = page.getByRole('article');
  await expect.poll(() => messages.count()).toBeGreaterThanOrEqual(contents.length + 1);
  await page.getByRole('link', { name: topic, exact: true }).first().click();
  await page.getByRole('link', { name }).waitFor();
  await page.route('**/api/v1/messages', (route) =>
    route.fulfill({ status: 400, json: { result: 'error', msg: HOSTILE, code: HOSTILE } }),
  );
  await page.getByLabel(/^Message #/).fill(HOSTILE);
  await page.keyboard.press('Enter');
  await messages.getByRole('alert').filter({ hasText: HOSTILE }).waitFor();
  await page.unrouteAll();
  expect(problems.splice(0).join()).toContain('400');
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  expect(await page.locator('#console script, #console [onerror]').count()).toBe(0);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await page.locator('.message img:not([class*=emoji])').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('a browser without a sanitizer of its own shows the same texts with DOMPurify', async () => {
  const owner = console.sandbox.as(roles.owner);
  const channel = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const content = `**bold** ${HOSTILE} and [a page](https://example.org)`;
  await owner.messages.send({ type: 'channel', to: channel, topic: 'old browser', content });
  const path = `/console/chat/channel/${channel}/old browser`;
  const { page, problems } = await console.open(roles.member, path);
  await page.addInitScript('delete Document.parseHTML');
  await page.reload();
  await page.locator('.message strong').filter({ hasText: 'bold' }).waitFor();
  const link = page.getByRole('link', { name: 'a page' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await page.locator('.message img').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('hostile descriptions, folders, playgrounds and linkifiers are shown as text', async () => {
  const owner = console.sandbox.as(roles.owner);
  const { user_id } = await owner.users.me();
  const place = { name: 'hostile', description: HOSTILE };
  const pattern = '<img src=x onerror=(?P<id>hacked)=1>';
  const url_template = 'https://x.example/{id}';
  const group = await owner.userGroups.create({ ...place, members: [user_id] });
  const channel = await owner.channels.create({ ...place, subscribers: [user_id] });
  await owner.channelFolders.create({ name: '<img src=x onerror=hacked=1>', description: HOSTILE });
  const linkifier = await owner.linkifiers.add({ pattern, url_template });
  const playground = { name: HOSTILE.slice(0, 100), highlighter_language: 'rust' };
  await owner.playgrounds.add({ ...playground, url_template: 'https://x.example/{code}' });
  for (const path of [
    `groups/${group.group_id}`,
    `channels/${channel.id}`,
    `linkifiers/${linkifier.id}`,
    'folders',
    'playgrounds',
  ]) {
    const { page, problems } = await console.show(roles.owner, `/console/organization/${path}`);
    await page.getByRole('row').filter({ hasText: '<img src=x' }).waitFor();
    await expectInert(page);
    expect(problems).toEqual([]);
  }
});

test('hostile mails are shown as text', async () => {
  const owner = console.sandbox.as(roles.owner);
  await owner.realms.update({ name: '<img src=x onerror=hacked=1>' });
  await owner.invites.send({ invitee_emails: 'eva@example.com', stream_ids: [] });
  const { page, problems } = await console.show(roles.owner, '/console/organization/mails');
  await page
    .getByRole('row', { name: /eva@example/ })
    .getByRole('link')
    .click();
  await page.getByRole('link', { name: /\/join\// }).waitFor();
  await page.getByRole('tab', { name: 'HTML' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByText('where people talk').waitFor();
  expect(await frame.locator('img, script').count()).toBe(0);
  await expectInert(page);
  expect(problems).toEqual([]);
});

test('hostile topics and texts of a push are text on the screen of a phone and in its trace', async () => {
  const { file } = console.sandbox.sandbox;
  const owner = console.sandbox.as(roles.owner);
  // Somebody who has not been here: pushes wait until their user is idle.
  const mona = file.users.find(({ role }) => role === roles.moderator);
  const { phones } = createClientFor(sandbox, {
    url: file.base_url,
    prefix: SANDBOX_PREFIX,
    email: mona?.email ?? '',
    apiKey: mona?.api_key ?? '',
  });
  await phones.add({ token_kind: 'apns', name: 'Phone of Mona' });
  const to = file.channels[0]?.stream_id ?? 0;
  const content = `@**Mona Moderator** ${HOSTILE}`;
  await owner.messages.send({ type: 'channel', to, topic: HOSTILE.slice(0, 50), content });
  const path = '/console/phones/phone/Phone of Mona';
  const { page, problems } = await console.show(roles.moderator, path);
  const screen = page.getByRole('region', { name: 'Screen of Phone of Mona' });
  await screen.getByText('> <img src=x onerror=').first().click();
  for (const tab of ['Hops', 'Plaintext']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel', { name: tab }).getByText('onerror').first().waitFor();
  }
  await expectInert(page);
  expect(problems).toEqual([]);
});

test('hostile names of bots, payloads, answers and headers are shown as text', async () => {
  await using hook = await startScriptedBot();
  hook.answers((response) => {
    response.writeHead(500, { 'x-note': HOSTILE, 'content-type': 'text/html' }).end(HOSTILE);
  });
  const max = console.sandbox.as(roles.member);
  const { user_id: bot_id } = await max.bots.create({
    full_name: '<img src=x onerror=hacked=1',
    short_name: 'hostile',
    bot_type: 3,
    payload_url: `${hook.url}?${encodeURIComponent(HOSTILE)}`,
  });
  await max.messages.send({ type: 'direct', to: [bot_id], content: HOSTILE });
  const { page, problems } = await console.show(roles.member, `/console/bots/${bot_id}`);
  const show = (query: string) => goTo(page, `/console/bots/${bot_id}?${query}`);
  await page.getByRole('link', { name: /^Delivery to/ }).click();
  const inspector = page.getByRole('region', { name: 'Delivery' });
  await inspector.getByText('<script>globalThis.hacked=1').first().waitFor();
  await page.getByRole('tab', { name: 'Request' }).click();
  await inspector.getByText('<script>globalThis.hacked=1').first().waitFor();
  await show('tab=setup');
  await page.getByRole('region', { name: 'Programs' }).waitFor();
  const { user_id } = await max.users.me();
  const stored = JSON.stringify(JSON.stringify([{ name: HOSTILE, text: HOSTILE }]));
  for (const key of ['delivery-views', `pinned-payloads-${user_id}`])
    await page.evaluate(`localStorage.setItem('bellhop-${key}', ${stored})`);
  await show('');
  await page.reload();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: HOSTILE }).click();
  await expect.poll(() => page.getByLabel('Filter', { exact: true }).inputValue()).toBe(HOSTILE);
  await page.getByRole('button', { name: 'Clear filter' }).last().click();
  await page.getByRole('button', { name: 'Send a test' }).first().click();
  await page.getByLabel('Pinned payload').selectOption(HOSTILE);
  await page.getByRole('button', { name: `Unpin ${HOSTILE}` }).waitFor();
  await expectInert(page);
  await goTo(page, '/console/bots');
  await page
    .getByRole('link', { name: /onerror/ })
    .first()
    .waitFor();
  await expectInert(page);
  expect(problems).toEqual([]);
});

test('every text that a bouncer answers is shown as text on the pages of its operator', async () => {
  const answers = hostileAnswers();
  const { page, problems } = await console.show(roles.owner, '/console/chat/all');
  await answers.serve(page, bouncerOperator, SANDBOX_OPERATOR_PREFIX);
  await answers.serve(page, { faults: sandbox.faults }, SANDBOX_PREFIX);
  await goTo(page, '/console/bouncer');
  await page.getByRole('button', { name: 'Continue as operator' }).click();
  const pages = page.getByRole('navigation', { name: 'Bouncer pages' }).getByRole('link');
  await pages.first().waitFor();
  for (const link of await pages.all()) {
    await link.click();
    const name = (await link.textContent()) ?? '';
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.locator('.pane-main').getByText(HOSTILE_NAME).first().waitFor();
    await answers.look(page);
    await expectInert(page);
    if ((await page.getByRole('article').count()) === 0) continue;
    await page.getByRole('article').first().getByRole('link').click();
    await page.getByRole('button', { name: 'Raw' }).click();
    await answers.look(page);
    await expectInert(page);
  }
  expect(answers.unseen()).toEqual([]);
  await page.unrouteAll();
  expect(problems).toEqual([]);
});

test('every text of phones, their pushes, the bouncer and the providers is shown as text in Phones', async () => {
  const answers = hostileAnswers();
  const { page, problems } = await console.show(roles.owner, '/console/chat/all');
  await answers.serve(page, sandbox, SANDBOX_PREFIX);
  await answers.serve(page, { devices: { traces: api.devices.traces } }, '/api/v1');
  await goTo(page, '/console/phones');
  await page
    .getByRole('table', { name: 'Latest pushes' })
    .getByText(HOSTILE_NAME)
    .first()
    .waitFor();
  await answers.look(page);
  await expectInert(page);
  await page.locator('.phone-list').getByRole('link', { name: HOSTILE_NAME }).click();
  await page
    .getByRole('region', { name: /^Screen of/ })
    .getByText(HOSTILE_NAME)
    .first()
    .waitFor();
  await answers.look(page);
  const hops = page.waitForResponse((answer) => answer.url().includes('/traces?cipher_ids'));
  await page.getByRole('list', { name: 'Pushes' }).getByRole('link').first().click();
  await (await hops).finished();
  await nextFrame(page);
  for (const tab of ['Plaintext', 'Ciphertext', 'Facts', 'Hops', 'Registration']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel', { name: tab }).getByText(HOSTILE_NAME).first().waitFor();
    await answers.look(page);
    await expectInert(page);
  }
  await page.getByRole('button', { name: /fault/i }).click();
  await page.getByRole('dialog').getByText(HOSTILE_NAME).first().waitFor();
  await answers.look(page);
  await expectInert(page);
  expect(answers.unseen()).toEqual([
    // The phones and keys of these answers have the names of level 468, which are shown instead.
    'GET /phones.phones.push_account_id',
    'GET /phones.phones.key_fingerprint',
    'GET /phones.phones.inbox.phone',
    'GET /phones.phones.inbox.payload.pm_users',
    'GET /traces.bouncer.stages.attempts.environment',
    'GET /mobile_push/traces.traces.push_account_id',
    'GET /mobile_push/traces.traces.key_fingerprint',
    'GET /mobile_push/traces.traces.attempts.provider_id',
  ]);
  await page.unrouteAll();
  expect(problems).toEqual([]);
});
