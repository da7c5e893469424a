import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

test(
  'the page says that the server is away, and afterwards shows each message once',
  {
    timeout: 120_000,
  },
  async () => {
    const { page, problems } = await console.open(roles.member);
    const max = console.sandbox.sandbox.file.users.find(({ role }) => role === roles.member);
    const owner = console.sandbox.as(roles.owner);
    const toMax = { type: 'direct' as const, to: [max?.user_id ?? 0] };
    await owner.messages.send({ ...toMax, content: 'before' });
    await page.getByRole('link', { name: 'Olivia Owner' }).click();
    await page.getByRole('article').filter({ hasText: 'before' }).waitFor();
    await console.sandbox.restart(async () => {
      await page.getByText('Server away').waitFor();
      await page.getByLabel('Message Olivia Owner').fill('meanwhile');
      await page.keyboard.press('Enter');
      await page.getByRole('article').getByText('Not sent. No answer').waitFor();
    });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
    await owner.messages.send({ ...toMax, content: 'after' });
    await page.getByRole('article').filter({ hasText: 'after' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(3);
    expect(problems.splice(0).join()).toMatch(/ERR_CONNECTION_REFUSED|ERR_/);
  },
);
