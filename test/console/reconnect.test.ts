import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

const channel = () => console.sandbox.sandbox.file.channels[0]?.stream_id ?? 0;

test('what could not be loaded without a connection is there when the server answers again, without a press', async () => {
  const owner = console.sandbox.as(roles.owner);
  const place = { type: 'channel', to: channel(), topic: 'out of reach' } as const;
  await owner.messages.send({ ...place, content: 'seen later' });
  const { page, problems } = await console.open(roles.member);
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.route('**/console/assets/**', (route) => route.abort());
  // The poll that waits has begun before.
  await owner.messages.send({ ...place, content: 'ends the poll' });
  const banner = page.getByRole('banner');
  await banner.getByText('Reconnecting').waitFor();
  const name = console.sandbox.sandbox.file.channels[0]?.name ?? '';
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('link', { name }).click();
  await page.getByRole('alert').getByText('No answer from').first().waitFor();
  await page.unroute('**/console/assets/**');
  await page.unroute('**/api/v1/**');
  await page.getByRole('article').filter({ hasText: 'seen later' }).waitFor();
  await list.getByRole('link', { name: 'out of reach' }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  problems.length = 0;
});

test('a part whose code could not be loaded says so in words, and is there when the server answers again', async () => {
  const owner = console.sandbox.as(roles.owner);
  const { page, problems } = await console.open(roles.member);
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.route('**/console/assets/**', (route) => route.abort());
  await owner.messages.send({
    type: 'channel',
    to: channel(),
    topic: 'out of reach',
    content: 'ends the poll',
  });
  await page.getByRole('banner').getByText('Reconnecting').waitFor();
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
  const main = page.getByRole('main');
  await main.getByText('This part of the page could not be loaded.').waitFor();
  await page.unroute('**/console/assets/**');
  await page.unroute('**/api/v1/**');
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  problems.length = 0;
});
