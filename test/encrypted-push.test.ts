import type { Sandbox } from '@bellhop/cli';
import { createClientFor } from '@bellhop/client';
import { roles, sandbox, SANDBOX_PREFIX } from '@bellhop/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { temporarySandbox } from './support/temporary-sandbox.ts';

test('a test notification reaches both phones and the browser, and neither bouncer nor provider can read it', async () => {
  await using chat = await temporarySandbox();
  const { file } = chat.sandbox;
  expect(file.devices.map(({ token_kind }) => token_kind).toSorted()).toEqual([
    'apns',
    'fcm',
    'webpush',
  ]);
  await chat.as(roles.member).devices.testNotification({});
  const phones = await received(file);
  const max = file.users.find(({ role }) => role === roles.member);
  for (const { inbox } of phones)
    expect(inbox.map(({ payload }) => payload)).toMatchObject([
      { type: 'test', realm_url: file.base_url, user_id: max?.user_id },
    ]);
  for (const { token_kind, push_account_id } of file.devices) {
    const wire = await carried(file.simulator, token_kind);
    expect(wire).toContain(push_account_id);
    expect(wire).toContain('encrypted_data');
    for (const secret of ['realm_url', 'Bellhop sandbox', 'user_id'])
      expect(wire).not.toContain(secret);
  }
});

test('a message to an idle member appears on both phones and in the browser, and disappears when read elsewhere', async () => {
  await using chat = await temporarySandbox();
  const { file } = chat.sandbox;
  const max = file.users.find(({ role }) => role === roles.member);
  if (!max) throw new Error('The sandbox has no member');
  const { id } = await chat
    .as(roles.owner)
    .messages.send({ type: 'direct', to: [max.user_id], content: 'lunch?' });
  const message = { type: 'message', message_id: id, content: 'lunch?' };
  await expect
    .poll(() => inboxes(file), { timeout: 20_000 })
    .toMatchObject([[message], [message], [message]]);
  await chat.as(roles.member).messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
  const removal = { type: 'remove', message_ids: [id] };
  const all = Array.from({ length: 3 }, () => [message, removal]);
  await expect.poll(() => inboxes(file), { timeout: 20_000 }).toMatchObject(all);
});

test('a test notification can name one phone, and fails for a user without phones', async () => {
  await using chat = await temporarySandbox();
  const { file } = chat.sandbox;
  const [first] = file.devices;
  if (!first) throw new Error('The sandbox has no phones');
  await chat
    .as(roles.member)
    .devices.testNotification({ push_account_id: BigInt(first.push_account_id ?? 0) });
  const phones = await received(file, 1);
  expect(phones.filter(({ inbox }) => inbox.length > 0).map(({ name }) => name)).toEqual([
    first.name,
  ]);
  await expect(chat.as(roles.owner).devices.testNotification({})).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
});

/** The phones of the member, who has those that every sandbox starts with. */
async function phonesOf({ base_url, users }: Sandbox['file']) {
  const max = users.find(({ role }) => role === roles.member);
  const client = createClientFor(sandbox, {
    url: base_url,
    prefix: SANDBOX_PREFIX,
    email: max?.email ?? '',
    apiKey: max?.api_key ?? '',
  });
  return (await client.phones.list()).phones;
}

/** The decrypted notifications of each phone. */
const inboxes = async (file: Sandbox['file']) =>
  (await phonesOf(file)).map(({ inbox }) => inbox.map(({ payload }) => payload));

/** Waits until this many phones and browsers have received a notification. */
async function received(file: Sandbox['file'], count = 3) {
  for (;;) {
    const phones = await phonesOf(file);
    if (phones.filter(({ inbox }) => inbox.length > 0).length >= count) return phones;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The request bodies that a provider received. */
async function carried(
  { control_url, control_token }: Sandbox['file']['simulator'],
  kind: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${control_token}` };
  const devices = z
    .object({ devices: z.array(z.looseObject({ kind: z.string(), token: z.string() })) })
    .parse(await (await fetch(`${control_url}/devices`, { headers })).json());
  const token = devices.devices.find((device) => device.kind === kind)?.token ?? '';
  const url = `${control_url}/devices/${encodeURIComponent(token)}/notifications?after=0`;
  return (await fetch(url, { headers })).text();
}
