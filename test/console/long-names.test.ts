import { roles } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type ConsoleBrowser,
  goTo,
  nextFrame,
  startConsoleBrowser,
} from '../support/console-browser.ts';

let console: ConsoleBrowser;
let page: Page;
const paths: string[] = [];
const long = (kind: string) => `${kind}-${'w'.repeat(60 - kind.length - 1)}`;
beforeAll(async () => {
  console = await startConsoleBrowser();
  const owner = console.sandbox.as(roles.owner);
  await owner.subscriptions.add({
    subscriptions: [{ name: long('channel'), description: long('description') }],
  });
  const { stream_id } = await owner.channels.id({ stream: long('channel') });
  const place = { type: 'channel', to: stream_id, topic: long('topic') } as const;
  await owner.messages.send({ ...place, content: long('message') });
  const { group_id } = await owner.userGroups.create({
    name: long('group'),
    description: long('description'),
    members: [],
  });
  const bot = await owner.bots.create({
    full_name: long('bot'),
    short_name: 'long',
    bot_type: 3,
    payload_url: `http://localhost:8080/${long('path')}`,
  });
  const { user_id } = await owner.users.me();
  await owner.settings.update({ full_name: long('person') });
  await owner.messages.send({ type: 'direct', to: [bot.user_id, user_id], content: 'to a bot' });
  await owner.realms.update({ name: long('organization').slice(0, 40) });
  paths.push(
    `chat/channel/${stream_id}`,
    `chat/channel/${stream_id}/${long('topic')}`,
    `chat/direct/${bot.user_id}`,
    'chat',
    `organization/users/${user_id}`,
    `organization/channels/${stream_id}`,
    `organization/groups/${group_id}`,
    `bots/${bot.user_id}`,
    'bots',
  );
  ({ page } = await console.open(roles.owner));
});
afterAll(() => console[Symbol.asyncDispose]());

/** The elements that are wider than the page, by class. */
const tooWide = () =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
    .filter((one) => !one.closest('table, pre, .tabs, .visually-hidden'))
    .map((one) => one.tagName + '.' + one.getAttribute('class'))`);

test.each([1440, 1024, 390])(
  'names of 60 letters without a space leave every page within %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of paths) {
      await goTo(page, `/console/${path}`);
      const shown = page
        .getByRole('main')
        .getByText(/-w{20}/)
        .filter({ visible: true });
      await shown.first().waitFor();
      await nextFrame(page);
      await expect.poll(tooWide, { message: path }).toEqual([]);
    }
  },
);
