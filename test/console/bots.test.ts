import type { Client } from '@bellhop/client';
import { type BotDelivery, roles, type UserId } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import {
  type ConsoleBrowser,
  goTo,
  press,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { answerLongList, jumpWhileScrolling, scrollToEnd } from '../support/long-list.ts';
import { type ScriptedBot, startScriptedBot, status } from '../support/scripted-bot.ts';
import { walkRecords } from '../support/walk-records.ts';

let console: ConsoleBrowser;
let page: Page;
let max: Client;
let olivia: Client;
let hook: ScriptedBot;
beforeAll(async () => {
  console = await startConsoleBrowser();
  hook = await startScriptedBot();
  ({ page } = await console.open(roles.member, '/console/bots'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  max = console.sandbox.as(roles.member);
  olivia = console.sandbox.as(roles.owner);
});
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

let bots = 0;
let bot_id: UserId;
let name = '';
/** Every test has a bot of its own. `hook` decides the answers of its endpoint. */
beforeEach(async () => {
  name = `Hooked ${++bots}`;
  const made = { full_name: name, short_name: `hooked-${bots}`, bot_type: 3 as const };
  ({ user_id: bot_id } = await max.bots.create({ ...made, payload_url: hook.url }));
  hook.answers('{}');
});

const open = (query = '', path = String(bot_id)) => goTo(page, `/console/bots/${path}${query}`);
const send = async (content = 'hi') => {
  const { id } = await olivia.messages.send({ type: 'direct', to: [bot_id], content });
  await ended(({ message_id }) => message_id === id);
};
/** Waits until a delivery has ended. */
async function ended(find: (delivery: BotDelivery) => boolean): Promise<BotDelivery> {
  const over = ['delivered', 'bot_error', 'failed'];
  const look = async () => (await max.botDeliveries.list({ bot_id })).deliveries.find(find);
  await expect.poll(async () => over.includes((await look())?.status ?? '')).toBe(true);
  return (await look()) as BotDelivery;
}
const rows = () => page.getByRole('list', { name: 'Deliveries' }).getByRole('article');
const row = (text: string) => rows().filter({ hasText: text });
const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const inspector = () => page.getByRole('region', { name: 'Delivery' });
const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

describe('one delivery', () => {
  test('a delivery fails with 500, is replayed when the bot is mended, and both are compared', async () => {
    hook.answers(status(500, '{"error":"no database"}'));
    await open();
    await send('deploy');
    await row('failed').getByRole('link').click();
    await inspector().getByText('500 Internal Server Error: the bot failed').first().waitFor();
    const reason = inspector().getByRole('treeitem', { name: /^error: *"no database"/ });
    await reason.press('Enter');
    await reason.and(page.locator('[aria-selected=true]')).waitFor();
    await expect.poll(() => page.title()).toMatch(/^1 failed · (\(\d+\) )?.+ · Bellhop sandbox$/);
    hook.answers('{"content":"deployed"}');
    await inspector().getByRole('button', { name: 'Replay', exact: true }).click();
    const replay = row('replay').filter({ hasText: 'delivered' });
    await replay.waitFor();
    await button('Show').click();
    await inspector()
      .getByText(
        'The reply was not posted because this is a replay or a test, or the bot is deactivated.',
      )
      .waitFor();
    await replay.getByRole('checkbox').check();
    await row('failed').getByRole('checkbox').check();
    await button('Compare').click();
    await page.getByRole('tab', { name: 'Responses' }).click();
    const diff = page.getByRole('table', { name: 'Responses' });
    await diff.getByText('$.status').waitFor();
    expect(await diff.locator('del').allInnerTexts()).toContain('500');
    expect(await diff.locator('ins').allInnerTexts()).toContain('200');
    await button('Clear marks').click();
  });

  test('a delivery waits for a retry, counts down, and shows each attempt', async () => {
    let isMended = false;
    hook.answers((response) => {
      if (isMended) response.end('{"content":"at last"}');
      else response.socket?.destroy();
    });
    await open();
    const { id } = await olivia.messages.send({ type: 'direct', to: [bot_id], content: 'hi' });
    await row('retry in 00:').waitFor();
    isMended = true;
    await ended(({ message_id }) => message_id === id);
    await row('attempts').getByRole('link').click();
    await button('Attempt 1').click();
    await inspector().getByText('No response.').waitFor();
    await page.getByRole('tab', { name: 'Diff' }).click();
    await inspector().getByRole('table', { name: 'Responses' }).waitFor();
    await page.getByRole('tab', { name: 'Timing' }).click();
    await inspector().getByText('Total').waitFor();
  });

  test('a delivery is replayed with an edited payload and copied as curl without the token', async () => {
    await send('the first text');
    await open();
    await rows().getByRole('link').click();
    await button('Copy as curl').click();
    await expect.poll(clipboard).toContain(`"token":"'"$BOT_TOKEN"'"`);
    await button('Edit and replay').click();
    const field = page.getByRole('dialog').getByLabel('Payload');
    await field.fill((await field.inputValue()).replaceAll('first', 'second'));
    await page.getByRole('dialog').locator('ins').filter({ hasText: 'second' }).first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await row('replay').filter({ hasText: 'delivered' }).waitFor();
    const { message, token } = JSON.parse(hook.received.at(-1)?.body ?? '') as {
      message: { content: string };
      token: string;
    };
    expect(message.content).toBe('the second text');
    expect(token).toMatch(/^\w{20,}$/);
  });

  test('a delivery leads to its message, and the menu of the message to its delivery', async () => {
    hook.answers('{"content":"Something went wrong. Reference 3fa9c1d2"}');
    const { id } = await max.messages.send({ type: 'direct', to: [bot_id], content: 'to my bot' });
    await ended(({ message_id }) => message_id === id);
    await open(`?q=message:${id}`);
    await rows().getByRole('link').click();
    await inspector().getByText('to my bot', { exact: true }).waitFor();
    await inspector().getByRole('link', { name: 'Show message' }).click();
    const message = page.getByRole('article').filter({ hasText: 'to my bot' });
    await message.hover();
    await message.getByRole('button', { name: 'More' }).click();
    await message.getByRole('button', { name: 'Show delivery' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(`message:${id}`);
    await inspector().getByRole('link', { name: 'Show reply' }).click();
    await button('Copy reference').click();
    await expect.poll(clipboard).toBe('3fa9c1d2');
    await button('Show delivery').first().click();
    await inspector().getByText('to my bot', { exact: true }).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('a test delivery has the payload that the user has written', async () => {
    await open();
    await button('Send a test').first().click();
    await page.getByLabel('Test payload').fill('{"mine": true}');
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click();
    await row('test').filter({ hasText: 'delivered' }).waitFor();
    expect(hook.received.at(-1)?.body).toBe('{"mine": true}');
  });
});

describe('the list of deliveries', () => {
  test('all deliveries that match the filter are replayed, and the page says how many are done', async () => {
    hook.answers(status(500));
    for (const text of ['one', 'two']) await send(text);
    hook.answers('{}');
    await send('three');
    await open();
    await row('failed').first().getByRole('button', { name: 'failed' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('q')).toBe('status:failed');
    const before = hook.received.length;
    await button('Replay all').click();
    await page.getByText('2 deliveries matching "status:failed" will be sent again').waitFor();
    await button('Replay 2').click();
    await page.getByText('Replayed 2.').waitFor();
    expect(hook.received).toHaveLength(before + 2);
    await button('Clear filter').click();
    await expect.poll(() => row('replay').count()).toBe(2);
  });

  test('new rows are kept back while the list is paused, and shown at a press', async () => {
    await send('first');
    await open();
    await rows().waitFor();
    await press(page, 'Space');
    await page.getByRole('button', { name: /^Paused, last event \d+ s ago$/ }).waitFor();
    await send('second');
    await button('1 new').waitFor();
    expect(await rows().count()).toBe(1);
    await press(page, 'Space');
    await expect.poll(() => rows().count()).toBe(2);
  });

  test('the filter finds words of payloads and answers, also in later deliveries', async () => {
    await send('an unmistakable word');
    await send('something else');
    await open('?q=unmistakable');
    await expect.poll(() => rows().count()).toBe(1);
    await send('unmistakable again');
    await expect.poll(() => rows().count()).toBe(2);
  });

  test('the list and the inspector are used by keyboard, its filters are saved', async () => {
    hook.answers(status(500));
    await send('one');
    hook.answers('{}');
    await send('two');
    await send('three');
    await open();
    const curl = '"token":"\'"$BOT_TOKEN"\'"';
    const failed = { term: 'status:failed', word: 'failed', failed: 1 };
    await walkRecords(page, { list: 'Deliveries', curl, ...failed });
    await press(page, 'j', 'r');
    await row('replay').waitFor();
  });

  test('a list of 300 deliveries has at most 120 rows on the page, reaches the last without a jump, and Escape returns to a row that had left the page', async () => {
    await send();
    await answerLongList(page, await ended(() => true));
    await open();
    await row('number 299').waitFor();
    await press(page, 'j', 'Enter');
    await inspector().waitFor();
    expect(await scrollToEnd(page)).toBeLessThanOrEqual(120);
    expect(await jumpWhileScrolling(page)).toBeLessThan(1);
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Deliveries');
    await press(page, 'Escape');
    const focused = page.locator('[data-row]:focus');
    await expect.poll(() => focused.count()).toBe(1);
    expect(await focused.getAttribute('data-row')).toMatch(/299$/);
    await page.unrouteAll();
  });

  test('the list of all bots has the deliveries of each', async () => {
    await send('to this one');
    await open('', '');
    await row(name).waitFor();
    const heads = 'Time Status Bot Trigger Message What happened HTTP Took';
    expect(await page.locator('.record-heads span').allInnerTexts()).toEqual([
      '',
      ...heads.split(/ (?!happened)/),
    ]);
    // The whole verdict is text that can be selected; a press on it opens the row as one beside it does.
    const verdict = row(name).locator('.selectable');
    const { x = 0, y = 0, width = 0 } = (await verdict.boundingBox()) ?? {};
    await page.mouse.move(x + 1, y + 9);
    await page.mouse.down();
    await page.mouse.move(x + width - 1, y + 9);
    await page.mouse.up();
    expect(await page.evaluate('getSelection().toString()')).not.toBe('');
    expect(await inspector().count()).toBe(0);
    await page.evaluate('getSelection().empty()');
    await verdict.click();
    await inspector().getByText(name).waitFor();
    await page.getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name }).waitFor();
  });

  test('the list says of a bot of another owner whether it works only once one of its deliveries has ended', async () => {
    await send('before');
    const { page: hers } = await console.open(roles.owner, '/console/bots');
    const entry = hers.getByRole('link', { name }).first();
    await entry.waitFor();
    await hers.getByRole('link', { name: 'Echo Bot' }).getByText('not called yet').waitFor();
    expect(await entry.innerText()).not.toContain('not called yet');
    await send('after');
    await entry.getByText('working').waitFor();
    await hers.context().close();
  });

  test('a delivery is an article whose values are buttons: an error of the bot is found by its state', async () => {
    await send('another one');
    hook.answers('{"content":"Sorry.","error":"no database"}');
    await send('which <b>release</b>\nis next?');
    await open();
    await button('bot error').click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('q')).toBe('status:bot_error');
    const tree = (await rows().first().ariaSnapshot())
      .replaceAll(/\d{2}:\d{2}:\d{2}\.\d{3}|[\d.]+ m?s/g, 'N')
      .replace(/\n +- \/url: .*/, '')
      .replaceAll(name, 'BOT');
    expect(tree).toMatchInlineSnapshot(`
      "- article:
        - checkbox "Mark Delivery to BOT, N"
        - link "Delivery to BOT, N":
          - time: N
        - button "bot error"
        - button "direct_message"
        - text: which <b>release</b> is next? 200 but replied, and reports an error of the bot
        - button "200"
        - text: N"
    `);
  });
});

describe('axe finds nothing', () => {
  test('in deliveries and the inspector', async () => {
    hook.answers(status(500, '{"error":"no"}'));
    await send();
    await open();
    await rows().getByRole('link').click();
    await inspector().getByText('"no"').waitFor();
    await expectAccessible(page);
  });

  test.for(['setup', 'endpoint'])('in %s', async (tab) => {
    await open(`?tab=${tab}`);
    await page.getByRole('region', { name: tab === 'setup' ? 'Keys' : 'Check' }).waitFor();
    await expectAccessible(page);
  });

  test('on a narrow screen, which does not scroll sideways', async () => {
    await send();
    await page.setViewportSize({ width: 390, height: 844 });
    await open();
    await rows().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
