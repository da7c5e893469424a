import { readFile } from 'node:fs/promises';

import { createClientFor } from '@bellhop/client';
import { Device } from '@bellhop/device';
import { type PushVectors, roles, sandbox, SANDBOX_PREFIX } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleBrowser, startConsoleBrowser } from '../support/console-browser.ts';

let console: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleBrowser();
});
afterAll(() => console[Symbol.asyncDispose]());

/** The simulated phones of a user, as programs use them. */
function phonesOf(role: number) {
  const { base_url: url, users } = console.sandbox.sandbox.file;
  const { email = '', api_key: apiKey = '' } = users.find((one) => one.role === role) ?? {};
  return createClientFor(sandbox, { url, prefix: SANDBOX_PREFIX, email, apiKey }).phones;
}

test('a push to a phone of the generation device appears at the phone with its hops and its key', async () => {
  const { phone } = await phonesOf(roles.moderator).add({
    token_kind: 'apns',
    name: 'stock',
    generation: 'device',
  });
  const { device_id, push_key_id } = phone;
  const { page } = await console.show(roles.moderator, '/console/phones/phone/stock');
  await page.getByText('registered', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page
    .getByRole('list', { name: 'Pushes' })
    .getByRole('article')
    .filter({ hasText: 'arrived' })
    .getByRole('link')
    .click();
  const trace = page.getByRole('region', { name: 'Push trace' });
  await trace.getByText('arrived at the first attempt').waitFor();
  const hops = trace.getByRole('list', { name: 'Hops' }).getByRole('listitem');
  await hops.filter({ hasText: `encrypted for the key ${push_key_id}` }).waitFor();
  await hops.filter({ hasText: 'named by the token ID' }).waitFor();
  const saved = page.waitForEvent('download');
  await trace.getByRole('button', { name: 'Save as test vector' }).click();
  const file = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as PushVectors;
  const key = { push_key_id: file.push_key_id ?? 0, push_key: file.secret_key };
  const reader = new Device({
    client: console.sandbox.as(roles.moderator),
    token: { kind: 'apns', token: 'of no phone', iosAppId: 'org.example' },
    bouncerPublicKey: console.sandbox.sandbox.file.bouncer_public_key,
    identity: { device_id: 0, key, older_keys: [] },
  });
  const [vector] = file.vectors;
  expect(reader.receive(vector?.received ?? '')).toEqual(vector?.payload);
  await page.getByRole('tab', { name: 'Registration' }).click();
  await page.getByText('Device number').waitFor();
  const history = page.getByRole('list', { name: 'Registration' });
  await history.getByText(`device ${device_id}, key ${push_key_id}`).waitFor();
  await phonesOf(roles.moderator).rotate({ name: 'stock', new_token: false });
  await history.getByText('new key', { exact: true }).waitFor();
});

test('a device of another program appears by its device_id, with what its events say, until it is removed', async () => {
  const { page } = await console.show(roles.moderator, '/console/phones');
  const { devices } = console.sandbox.as(roles.moderator);
  const { device_id } = await devices.registerClientDevice();
  const entry = page.getByRole('link', { name: `Device ${String(device_id).slice(-6)}` });
  await entry.filter({ hasText: 'no token' }).click();
  await page.getByRole('button', { name: 'Send the first test' }).waitFor();
  await page.getByRole('heading', { name: `Device ${device_id}` }).waitFor();
  await page.getByText('no token', { exact: true }).last().waitFor();
  await devices.registerPush({
    device_id,
    push_key_id: 1,
    push_key: Buffer.from([0x31, ...Array<number>(32).fill(7)]).toString('base64'),
    token_kind: 'fcm',
    token_id: 'CABBxC4BRCg=',
    bouncer_public_key: 'an unknown key',
    encrypted_push_registration: 'no box',
  });
  await entry.filter({ hasText: 'failed' }).waitFor();
  await devices.removeClientDevice({ device_id });
  await expect.poll(() => entry.count()).toBe(0);
});
