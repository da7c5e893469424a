// Makes the pictures of the console in docs/images: npm run pictures
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { roles } from '@bellhop/protocol';
import type { BrowserContextOptions } from 'playwright-core';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';
import { root } from '../support/source-files.ts';

const folder = join(root, 'docs/images');
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** What a team says in an hour, so that the pictures show the console at work. */
async function furnish({ sandbox }: ConsoleBrowser): Promise<string> {
  const { channels } = sandbox.sandbox.file;
  const channel = channels.find(({ name }) => name === 'general')?.stream_id ?? 0;
  const [owner, admin, max] = [roles.owner, roles.admin, roles.member].map((role) =>
    sandbox.as(role),
  );
  if (!owner || !admin || !max) throw new Error('The sandbox has no users');
  const to = { type: 'channel', to: channel, topic: 'release 2.4' } as const;
  await owner.messages.send({
    ...to,
    content: 'Release 2.4 goes out at **14:00**. Anything open?',
  });
  const { id } = await admin.messages.send({
    ...to,
    content:
      'Migrations ran on staging in 41 s:\n```sql\nselect count(*) from message;\n-- 10,204,118\n```',
  });
  await max.reactions.add({ message_id: id, emoji_name: 'tada' });
  await owner.reactions.add({ message_id: id, emoji_name: 'tada' });
  await max.messages.send({
    ...to,
    content: '@**Olivia Owner** the echo bot answers as before :+1:',
  });
  await admin.messages.send({ ...to, content: '/poll Ship it?\nYes\nAfter lunch' });
  return `/console/chat/channel/${channel}/${encodeURIComponent(to.topic)}`;
}

async function picture(
  console: ConsoleBrowser,
  { path, name, options }: { path: string; name: string; options: BrowserContextOptions },
): Promise<void> {
  const { page } = await console.open(roles.member, { ...options, timezoneId: 'UTC' });
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { name: 'Ship it?' }).waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.screenshot({ path: join(folder, `${name}.png`), caret: 'hide' });
  await page.context().close();
}

mkdirSync(folder, { recursive: true });
await using console = await startConsoleBrowser();
const path = await furnish(console);
for (const [size, viewport] of Object.entries(sizes))
  for (const colorScheme of ['light', 'dark'] as const)
    await picture(console, {
      path,
      name: `console-chat-${size}-${colorScheme}`,
      options: { viewport, colorScheme },
    });
