import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectAccessible } from '../support/axe.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

test('axe finds nothing on the sign-in page', async () => {
  const { page } = await console.visit('/console/');
  await page.getByRole('heading', { name: 'Sign in to Bellhop' }).waitFor();
  await expectAccessible(page);
});

test('a conversation has the roles and names of the snapshot', async () => {
  const to = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
  const content = 'Look at **this** :tada:';
  const max = console.sandbox.as(roles.member);
  const place = { type: 'channel', to, topic: 'snapshot' } as const;
  const { id } = await max.messages.send({ ...place, content, read_by_sender: true });
  await max.reactions.add({ message_id: id, emoji_name: 'tada' });
  const { page } = await console.open(roles.member, `/console/chat/channel/${to}/snapshot`);
  await page.getByRole('button', { name: 'tada: you' }).waitFor();
  const snapshot = await page.getByRole('region', { name: '> snapshot' }).ariaSnapshot();
  expect(snapshot.replaceAll(/\d\d:\d\d/g, 'HH:MM')).toMatchInlineSnapshot(`
    "- region "#bots > snapshot":
      - heading "#bots > snapshot" [level=2]
      - text: Talk to **@Echo Bot** here
      - button "Save this view"
      - log "Messages":
        - article "Max Member":
          - strong: Max Member
          - time: HH:MM
          - paragraph:
            - text: Look at
            - strong: this
            - img "tada": 🎉
          - 'button "1 tada: you" [pressed]'
      - status
      - status
      - 'textbox "Message #bots > snapshot"'
      - button "Attach files"
      - button "Preview" [disabled]
      - button "Send" [disabled]"
  `);
  await page.context().close();
});

describe('axe finds nothing', () => {
  let page: Page;
  beforeAll(async () => {
    const owner = console.sandbox.as(roles.owner);
    const channel = console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;
    const place = { type: 'channel', to: channel, topic: 'look' } as const;
    for (const content of ['Hello @**Max Member** :tada:', '/poll Tea?\nYes\nNo', '> a quote'])
      await owner.messages.send({ ...place, content });
    ({ page } = await console.open(roles.member, `/console/chat/channel/${channel}`));
    await page.getByRole('button', { name: 'Yes 0 votes' }).waitFor();
  });

  test('in Chat', async () => {
    await expectAccessible(page);
  });

  test('in the menu of a message', async () => {
    await page.getByRole('article').filter({ hasText: 'a quote' }).hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  test('in the palette', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  test('on a narrow screen, which does not scroll sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
