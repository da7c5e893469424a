// Makes the pictures of the console in docs/images: npm run pictures
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClientFor } from '@bellhop/client';
import { roles, sandbox as sandboxContract, SANDBOX_PREFIX, type UserId } from '@bellhop/protocol';
import type { BrowserContextOptions } from 'playwright-core';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';
import { root } from '../support/source-files.ts';

const folder = join(root, 'docs/images');
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** The messages of a team in an hour, so that the pictures show the console at work. */
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

/** A push that the provider took at the second attempt, on the screen and over all its hops. */
async function push({ sandbox: { sandbox, as } }: ConsoleBrowser): Promise<string> {
  const { base_url, users } = sandbox.file;
  const max = users.find(({ role }) => role === roles.member);
  if (!max) throw new Error('The sandbox has no member');
  const login = { url: base_url, email: max.email, apiKey: max.api_key };
  const client = createClientFor(sandboxContract, { ...login, prefix: SANDBOX_PREFIX });
  const fault = { provider: 'apns', kind: 'TooManyRequests', retry_after: 1, times: 1 } as const;
  await client.faults.add({ ...fault, phone: 'iPhone' });
  const text = 'Lunch at 12:30? The table by the window is ours.';
  await as(roles.owner).messages.send({
    type: 'direct',
    to: [max.user_id as never],
    content: text,
  });
  for (;;) {
    const { phones } = await client.phones.list();
    const arrival = phones.find(({ name }) => name === 'iPhone')?.inbox.at(-1);
    if (arrival?.payload?.type === 'message' && arrival.payload.content === text)
      return `/console/phones/phone/iPhone?push=${arrival.cipher_id}`;
    await sleep(100);
  }
}

/** Messages to a bot, of somebody without a phone, and the delivery of the last one. */
async function delivery({ sandbox: { sandbox, as } }: ConsoleBrowser): Promise<string> {
  const owner = as(roles.owner);
  const [bot] = sandbox.file.bots;
  const bot_id = (bot?.user_id ?? 0) as UserId;
  for (const content of ['hello', 'which release is next?', 'release 2.4 at 14:00'])
    await as(roles.admin).messages.send({ type: 'direct', to: [bot_id], content });
  for (;;) {
    const { deliveries } = await owner.botDeliveries.list({ bot_id });
    const [last] = deliveries;
    if (last && deliveries.length > 2 && deliveries.every(({ status }) => status === 'delivered'))
      return `/console/bots/${bot_id}?delivery=${last.id}&of=${bot_id}`;
    await sleep(100);
  }
}

/** A user group with the permissions that it has. */
async function group({ sandbox: { sandbox, as } }: ConsoleBrowser): Promise<string> {
  const owner = as(roles.owner);
  const members = sandbox.file.users.slice(0, 3).map(({ user_id }) => user_id as never);
  const { group_id } = await owner.userGroups.create({
    name: 'on-call',
    description: 'Answers the pager this week',
    members,
  });
  const description = 'Everybody who builds';
  await owner.userGroups.create({
    name: 'engineering',
    description,
    members: [],
    subgroups: [group_id],
  });
  return `/console/organization/groups/${group_id}`;
}

interface Picture {
  readonly path: string;
  /** The role of the user who looks at it. */
  readonly role: number;
  /** The button that opens the page. */
  readonly press?: string;
  /** A text that is on the page when it is complete. */
  readonly shows: string | RegExp;
  readonly name: string;
  readonly options: BrowserContextOptions;
}

async function picture(console: ConsoleBrowser, shown: Picture) {
  const { path, role, press, shows, name, options } = shown;
  const { page } = await console.open(role, path, { ...options, timezoneId: 'UTC' });
  if (press) await page.getByRole('button', { name: press }).click();
  await page.getByText(shows).first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.screenshot({ path: join(folder, `${name}.png`), caret: 'hide' });
  await page.context().close();
}

mkdirSync(folder, { recursive: true });
await using console = await startConsoleBrowser({ database: 'embedded' });
const parts = [
  { part: 'chat', role: roles.member, path: await furnish(console), shows: 'Ship it?' },
  { part: 'bots', role: roles.owner, path: await delivery(console), shows: 'Edit and replay' },
  { part: 'phones', role: roles.member, path: await push(console), shows: /^attempt 2: 200/ },
  {
    part: 'bouncer',
    path: '/console/bouncer/overview',
    role: roles.owner,
    press: 'Continue as operator',
    shows: /^accepted$/,
  },
  {
    part: 'organization',
    role: roles.owner,
    path: await group(console),
    shows: 'Who can join this group',
  },
  { part: 'api', role: roles.owner, path: '/console/api/messages.send', shows: 'Copy as curl' },
];
for (const { part, ...place } of parts)
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const)
      await picture(console, {
        ...place,
        name: `console-${part}-${size}-${colorScheme}`,
        options: { viewport, colorScheme },
      });
