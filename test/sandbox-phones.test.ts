import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClientFor } from '@bellhop/client';
import {
  bouncerOperator,
  roles,
  sandbox,
  SANDBOX_OPERATOR_PREFIX,
  SANDBOX_PREFIX,
} from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { type TemporarySandbox, temporarySandbox } from './support/temporary-sandbox.ts';

let temporary: TemporarySandbox;
beforeAll(async () => {
  temporary = await temporarySandbox();
});
afterAll(() => temporary[Symbol.asyncDispose]());

const ofSandbox = (role: number) => {
  const { base_url: url, users } = temporary.sandbox.file;
  const { email = '', api_key: apiKey = '' } = users.find((user) => user.role === role) ?? {};
  return createClientFor(sandbox, { url, prefix: SANDBOX_PREFIX, email, apiKey }).phones;
};
const phonesOf = async (role: number) =>
  (await ofSandbox(role).list()).phones.map(({ name, push_account_id, is_online }) => ({
    name,
    push_account_id,
    is_online,
  }));

const Entry = z.looseObject({
  name: z.string(),
  kind: z.string(),
  user_id: z.int().optional(),
  token: z.string(),
  identity: z.looseObject({}),
});
const State = z.looseObject({});

test('a sandbox takes over the phones that earlier versions kept in state.json and in phones.json', async () => {
  await ofSandbox(roles.owner).add({ token_kind: 'apns', name: 'of device add' });
  const before = { member: await phonesOf(roles.member), owner: await phonesOf(roles.owner) };
  expect([before.member.length, before.owner.length]).toEqual([3, 1]);
  const directory = join(temporary.dataDir, 'phones');
  const state = join(temporary.dataDir, 'state.json');
  await temporary.restart(async () => {
    const files = (await readdir(directory)).filter((file) => file.endsWith('.json'));
    const entries = await Promise.all(
      files.map(async (file) =>
        Entry.parse(JSON.parse(await readFile(join(directory, file), 'utf8'))),
      ),
    );
    await rm(directory, { recursive: true });
    const { user_id: _id, ...added } = entries.find(({ name }) => name === 'of device add') ?? {};
    await writeFile(join(temporary.dataDir, 'phones.json'), JSON.stringify({ phones: [added] }));
    const phones = entries
      .filter(({ name }) => name !== 'of device add')
      .map(({ name, kind, user_id, token, identity }) => [
        name,
        { kind, user_id: String(user_id), token, identity: JSON.stringify(identity) },
      ]);
    const old = { ...State.parse(JSON.parse(await readFile(state, 'utf8'))) };
    await writeFile(state, JSON.stringify({ ...old, phones: Object.fromEntries(phones) }));
  });
  const after = { member: await phonesOf(roles.member), owner: await phonesOf(roles.owner) };
  expect(after).toEqual(before);
  expect(State.parse(JSON.parse(await readFile(state, 'utf8')))['phones']).toBeUndefined();
  await temporary.as(roles.owner).devices.testNotification({});
  const arrived = async () => (await ofSandbox(roles.owner).list()).phones[0]?.inbox.length;
  await expect.poll(arrived).toBe(1);
});

test('a phone whose app was removed is so after a restart, and new keys install it again', async () => {
  const phones = ofSandbox(roles.admin);
  await phones.add({ token_kind: 'fcm', name: 'lost' });
  await phones.uninstall({ name: 'lost' });
  await temporary.restart();
  const shown = async () => (await phones.list()).phones.find(({ name }) => name === 'lost');
  expect(await shown()).toMatchObject({ is_installed: false });
  await expect(phones.setOnline({ name: 'lost', online: true })).rejects.toThrow(
    'The app is removed from lost',
  );
  await phones.rotate({ name: 'lost', new_token: false });
  expect(await shown()).toMatchObject({ is_installed: true, is_online: true });
});

test('a phone of the generation device has its device_id and key after a restart', async () => {
  const phones = ofSandbox(roles.guest);
  const { phone } = await phones.add({ token_kind: 'apns', name: 'stock', generation: 'device' });
  await temporary.restart();
  const shown = async () => (await phones.list()).phones.find(({ name }) => name === 'stock');
  const { device_id, push_key_id } = phone;
  expect(await shown()).toMatchObject({ device_id, push_key_id, push_account_id: null });
  expect(device_id).not.toBeNull();
  await temporary.as(roles.guest).devices.testNotification({ device_id: device_id ?? 0 });
  const payload = async () => (await shown())?.inbox[0]?.payload;
  await expect.poll(payload).toMatchObject({ type: 'test' });
});

test('a phone tells since when it remembers what it has received: since the start of the sandbox', async () => {
  const [before] = (await ofSandbox(roles.member).list()).phones;
  await temporary.as(roles.member).devices.testNotification({});
  const inbox = async () => (await ofSandbox(roles.member).list()).phones[0]?.inbox.length;
  await expect.poll(inbox, { timeout: 20_000 }).toBe((before?.inbox.length ?? 0) + 1);
  const stoppedAt = Date.now();
  await temporary.restart();
  const [after] = (await ofSandbox(roles.member).list()).phones;
  expect(after?.inbox).toEqual([]);
  expect(before?.remembers_ms).toBeLessThan(stoppedAt);
  expect(after?.remembers_ms).toBeGreaterThanOrEqual(stoppedAt);
});

test('a phone for which a quota has no room is not added, and no registration of it goes on', async () => {
  const { base_url: url, users } = temporary.sandbox.file;
  const { email = '', api_key: apiKey = '' } = users.find(({ role }) => role === roles.owner) ?? {};
  const operator = { url, prefix: SANDBOX_OPERATOR_PREFIX, email, apiKey };
  const { servers } = createClientFor(bouncerOperator, operator);
  const [server] = (await servers.list({})).servers;
  if (!server) throw new Error('The bouncer of the sandbox knows no server');
  await servers.setQuotas({ server: server.hostname, quotas: { realm_devices: 1 } });
  const before = await phonesOf(roles.owner);
  const add = (generation: 'account' | 'device') =>
    expect(
      ofSandbox(roles.owner).add({
        token_kind: 'fcm',
        name: `one too many ${generation}`,
        generation,
      }),
    ).rejects.toThrow(
      /could not register the phone within 20 seconds: .*no room for another device/,
    );
  await Promise.all([add('account'), add('device')]);
  expect(await phonesOf(roles.owner)).toEqual(before);
  const { push_devices = {}, devices } = await temporary
    .as(roles.owner)
    .queues.register({ fetch_event_types: ['push_device', 'device'] });
  expect(Object.values(push_devices).filter(({ status }) => status === 'pending')).toEqual([]);
  expect(devices).toEqual({});
}, 60_000);
