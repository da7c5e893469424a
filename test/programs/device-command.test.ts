import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { createClientFor } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { roles, sandbox as sandboxContract, SANDBOX_PREFIX } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { commandRunner } from '../support/command-runner.ts';
import { startProgram } from '../support/program.ts';
import { type TemporarySandbox, temporarySandbox } from '../support/temporary-sandbox.ts';

let temporary: TemporarySandbox;
beforeAll(async () => {
  temporary = await temporarySandbox();
});
afterAll(() => temporary[Symbol.asyncDispose]());

const environment = () => ({ BELLHOP_DATA_DIR: temporary.dataDir });
const bellhop = commandRunner(environment);
const run = (...words: readonly string[]) => bellhop('device', ...words);
const watch = (...words: readonly string[]) =>
  startProgram(['device', 'watch', ...words], { env: environment(), ready: /^(Watching|\{)/ });

const Rows = z.array(
  z.object({
    name: z.string(),
    generation: z.enum(['account', 'device']),
    push_account_id: z.string().nullable(),
    device_id: z.int().nullable(),
    server: z.string(),
    provider: z.string(),
  }),
);
const rows = async () =>
  Rows.parse(
    (await run('list', '--json')).output
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  );
const row = async (name: string) => (await rows()).find((one) => one.name === name);
/** A phone as the console of Max shows it. */
async function inConsole(name: string) {
  const { base_url: url, users } = temporary.sandbox.file;
  const { email = '', api_key: apiKey = '' } =
    users.find(({ role }) => role === roles.member) ?? {};
  const login = { url, prefix: SANDBOX_PREFIX, email, apiKey };
  const { phones } = await createClientFor(sandboxContract, login).phones.list();
  return phones.find((phone) => phone.name === name);
}

/** Sends a direct message from one of two users of the sandbox to the other. */
async function sendTo(role: number, content: string): Promise<number> {
  const { users } = temporary.sandbox.file;
  const recipient = users.find((user) => user.role === role);
  const sender = role === roles.member ? roles.owner : roles.member;
  const to = [recipient?.user_id ?? 0];
  const { id } = await temporary.as(sender).messages.send({ type: 'direct', to, content });
  return id;
}

test('every command takes the phones that the sandbox has, and its console shows what comes of it', async () => {
  for (const { name, push_account_id } of temporary.sandbox.file.devices)
    expect(await row(name)).toMatchObject({
      push_account_id,
      server: 'active',
      provider: 'online',
    });
  expect((await run('offline', 'iPhone')).output).toBe('iPhone is offline.\n');
  expect(await inConsole('iPhone')).toMatchObject({ is_online: false });
  expect((await run('online', 'iPhone')).code).toBe(0);
  expect((await run('uninstall', 'iPhone')).output).toBe('The app is removed from iPhone.\n');
  expect(await row('iPhone')).toMatchObject({ provider: 'uninstalled (Unregistered)' });
  expect(await inConsole('iPhone')).toMatchObject({ is_installed: false });
  expect((await run('online', 'iPhone')).output).toMatch(/^The app is removed from iPhone/);
  expect((await run('rotate', 'iPhone')).output).toMatch(/^iPhone has the new push_account_id/);
  const shown = await inConsole('iPhone');
  expect(shown).toMatchObject({ is_installed: true, is_online: true });
  expect(shown?.history.map(({ kind }) => kind)).toEqual([
    'installed',
    'registered',
    'offline',
    'online',
    'uninstalled',
    'rotated',
    'registered',
  ]);
  expect(await row('iPhone')).toMatchObject({
    push_account_id: shown?.push_account_id,
    server: 'active',
  });
});

test('the console shows a phone that device add adds, under its new keys too, until it is removed', async () => {
  expect((await run('add', 'watch', '--kind', 'apns')).code).toBe(0);
  await using phone = await watch('watch');
  await temporary.as(roles.member).devices.testNotification({});
  const arrived = () => inConsole('watch').then((shown) => shown?.inbox.length);
  await expect.poll(arrived, { timeout: 20_000 }).toBe(1);
  await expect.poll(phone.output, { timeout: 20_000 }).toContain('test notification');
  const before = await inConsole('watch');
  expect((await run('rotate', 'watch')).code).toBe(0);
  const after = await inConsole('watch');
  expect(after?.push_account_id).not.toBe(before?.push_account_id);
  expect((await row('watch'))?.push_account_id).toBe(after?.push_account_id);
  expect((await run('remove', 'watch')).output).toBe('watch is forgotten.\n');
  expect([await row('watch'), await inConsole('watch')]).toEqual([undefined, undefined]);
});

test('several phones and a browser of a user show messages and removals, decrypted', async () => {
  const added = await run('add', 'pixel');
  expect(added).toMatchObject({ code: 0 });
  expect(added.output).toMatch(
    /^pixel \(fcm, app \S+, which it does not name\) of \S+ is registered at http:\S+, push_account_id -?\d+\.$/m,
  );
  expect((await run('add', 'iphone', '--kind', 'apns')).code).toBe(0);
  expect((await run('add', 'firefox', '--kind', 'webpush')).code).toBe(0);
  expect((await run('add', 'pixel')).output).toMatch(/^There is a phone pixel/);
  for (const file of await readdir(join(temporary.dataDir, 'phones')))
    expect((await stat(join(temporary.dataDir, 'phones', file))).mode & 0o777).toBe(0o600);
  for (const name of ['pixel', 'iphone', 'firefox'])
    expect(await row(name)).toMatchObject({ server: 'active', provider: 'online' });
  await using phones = await watch();
  const id = await sendTo(roles.member, 'lunch?');
  for (const name of ['pixel', 'iphone', 'firefox'])
    await expect
      .poll(phones.output, { timeout: 20_000 })
      .toMatch(
        new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${name} {2}message ${id}, direct, .+: lunch\\?$`, 'm'),
      );
  await temporary.as(roles.member).messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
  for (const name of ['pixel', 'iphone', 'firefox'])
    await expect
      .poll(phones.output, { timeout: 20_000 })
      .toMatch(new RegExp(`${name} {2}remove ${id}$`, 'm'));
  expect(await phones.signal('SIGINT')).toBe(0);
});

test('a phone that was offline receives the kept notifications once it is online again', async () => {
  expect((await run('add', 'tablet')).code).toBe(0);
  expect((await run('offline', 'tablet')).output).toBe('tablet is offline.\n');
  await temporary.as(roles.member).devices.testNotification({});
  expect((await run('online', 'tablet')).output).toBe('tablet is online.\n');
  await using phone = await watch('--json', '--all', 'tablet');
  expect(JSON.parse(phone.output())).toMatchObject({ phone: 'tablet', payload: { type: 'test' } });
  const traced = await bellhop('trace', 'tablet');
  expect(traced.output).toMatch(/^[0-9a-f]{16} {2}tablet: arrived at the first attempt$/m);
  expect(traced.output).toMatch(/provider {2}200 stored, \d+ of 4096 bytes$/m);
  expect(traced.output).toMatch(/phone {5}test notification of /);
});

test.each([[[]], [['--new-token']]])(
  'bellhop device rotate NAME %s moves the registration, and each push arrives once',
  async (options) => {
    const name = `rotated${options.length}`;
    expect((await run('add', name)).code).toBe(0);
    const before = await row(name);
    await using phone = await watch(name);
    expect(await run('rotate', name, ...options)).toMatchObject({ code: 0 });
    const after = await row(name);
    expect(after?.push_account_id).not.toBe(before?.push_account_id);
    expect(after?.server).toBe('active');
    const push_account_id = BigInt(after?.push_account_id ?? 0);
    await temporary.as(roles.member).devices.testNotification({ push_account_id });
    await expect.poll(phone.output, { timeout: 20_000 }).toContain('test notification');
    expect(phone.output()).not.toContain('refused');
  },
);

test('a server learns with the next push that a phone was uninstalled', async () => {
  expect((await run('add', '--email', ownerEmail())).code).toBe(0);
  expect((await run('uninstall', 'phone-1')).output).toBe('The app is removed from phone-1.\n');
  expect(await row('phone-1')).toMatchObject({ provider: 'uninstalled (Unregistered)' });
  await expect(temporary.as(roles.owner).devices.testNotification({})).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
  expect((await run('remove', 'phone-1')).code).toBe(0);
  expect((await run('watch', 'phone-1')).output).toMatch(/^There is no phone phone-1/);
});

const ownerEmail = () =>
  temporary.sandbox.file.users.find(({ role }) => role === roles.owner)?.email ?? '';

/** The flags of a phone of the owner that is at any server, with changes. */
function words(changes: object = {}): string[] {
  const { base_url, bouncer_public_key, simulator, users } = temporary.sandbox.file;
  const user = users.find(({ role }) => role === roles.owner);
  const flags = {
    '--server': base_url,
    '--email': ownerEmail(),
    '--api-key': user?.api_key ?? '',
    '--bouncer-key': bouncer_public_key,
    '--simulator': simulator.control_url,
    '--token': simulator.control_token,
  };
  return Object.entries({ ...flags, ...changes }).flat();
}

test('a phone of any server is added by its address, login, bouncer key and simulator', async () => {
  expect((await run('add', 'elsewhere', ...words())).output).toMatch(/^elsewhere \(fcm/);
  expect((await run('remove', 'elsewhere')).output).toBe('elsewhere is forgotten.\n');
  const wrongKey = words({ '--bouncer-key': Buffer.alloc(32, 9).toString('base64') });
  expect((await run('add', 'refused', ...wrongKey)).output).toMatch(
    /^The bouncer refused the phone: INVALID_BOUNCER_PUBLIC_KEY, The key .* update the app/,
  );
});

test('a server without devices is named, and nothing is kept or left at the simulator', async () => {
  await using old = await listen((_request, response) => {
    const body = { result: 'error', msg: 'Not found', code: 'NOT_FOUND' };
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { simulator } = temporary.sandbox.file;
  const installed = async () => {
    const headers = { authorization: `Bearer ${simulator.control_token}` };
    const answer = await fetch(`${simulator.control_url}/devices`, { headers });
    const { devices } = (await answer.json()) as { devices: { uninstalled: unknown }[] };
    return devices.filter(({ uninstalled }) => uninstalled === null).length;
  };
  const before = await installed();
  const other = { '--server': old.url, '--api-key': 'of this server', '--generation': 'device' };
  const flags = words(other);
  expect((await run('add', 'early', ...flags)).output).toBe(
    `${old.url} has no POST /register_client_device: its feature level is below 468. Use --generation account.\n`,
  );
  expect([await row('early'), await installed()]).toEqual([undefined, before]);
});

const keyOf = (text: string) => Number(/new push_key_id (\d+)\./.exec(text)?.[1]);
const devicesOfMax = async () => {
  const { devices = {} } = await temporary
    .as(roles.member)
    .queues.register({ fetch_event_types: ['device'] });
  return devices;
};

test('a phone of the generation device keeps its device_id and gets new keys and tokens', async () => {
  const { output } = await run('add', 'stock', '--generation', 'device');
  const added = await row('stock');
  expect(output).toContain(`, device_id ${added?.device_id}.\n`);
  expect(added).toMatchObject({ generation: 'device', push_account_id: null, server: 'active' });
  const device_id = added?.device_id ?? 0;
  await using phone = await watch('stock');
  let expected = 0;
  const arrives = async () => {
    expected++;
    const arrived = () => phone.output().split('stock  test notification').length - 1;
    await expect.poll(arrived, { timeout: 20_000 }).toBe(expected);
  };
  const test = () => temporary.as(roles.member).devices.testNotification({ device_id });
  await test();
  await arrives();
  // What is on the way when the key changes is still read.
  expect((await run('offline', 'stock')).code).toBe(0);
  await test();
  const key = keyOf((await run('rotate', 'stock')).output);
  expect(await inConsole('stock')).toMatchObject({ device_id, push_key_id: key });
  expect((await devicesOfMax())[device_id]).toMatchObject({ push_key_id: key });
  expect((await run('online', 'stock')).code).toBe(0);
  await arrives();
  await test();
  await arrives();
  const { push_token_id } = (await devicesOfMax())[device_id] ?? {};
  expect((await run('rotate', 'stock', '--new-token')).code).toBe(0);
  expect(await row('stock')).toMatchObject({ device_id, server: 'active', provider: 'online' });
  expect((await devicesOfMax())[device_id]?.push_token_id).not.toBe(push_token_id);
  await test();
  await arrives();
  expect(phone.output()).not.toContain('refused');
  const shown = await inConsole('stock');
  expect(shown?.history.flatMap(({ kind, detail }) => (kind === 'rotated' ? detail : []))).toEqual([
    'new key',
    'new key and token',
  ]);
});

test('bellhop trace follows a push to a phone of the generation device over every hop', async () => {
  const { push_key_id, inbox = [] } = (await inConsole('stock')) ?? {};
  const [arrival] = inbox.slice(-1);
  const { output } = await bellhop('trace', 'stock');
  const lines = output
    .split('\n')
    .slice(output.split('\n').findIndex((line) => line.startsWith(arrival?.cipher_id ?? '-')));
  for (const line of [
    'stock: arrived at the first attempt',
    `encrypted for the key ${push_key_id}, `,
    ', named by the token ID ',
    'attempt 1: 200',
    'provider  200 delivered',
    'phone     test notification of ',
  ])
    expect(lines.join('\n')).toContain(line);
});

test('a phone of the generation device whose app was removed has no token, until a rotation installs it again', async () => {
  const { device_id } = (await row('stock')) ?? {};
  expect((await run('uninstall', 'stock')).code).toBe(0);
  const test = () =>
    temporary.as(roles.member).devices.testNotification({ device_id: device_id ?? 0 });
  await expect(test()).rejects.toMatchObject({ code: 'NO_ACTIVE_PUSH_DEVICE' });
  expect(await row('stock')).toMatchObject({ server: 'no token' });
  expect((await run('rotate', 'stock')).code).toBe(0);
  expect(await row('stock')).toMatchObject({ device_id, server: 'active', provider: 'online' });
  expect((await run('remove', 'stock')).output).toBe('stock is forgotten.\n');
  expect(Object.keys(await devicesOfMax())).not.toContain(String(device_id));
});

test('a phone that the bouncer doubts is dead is named: by device list with the reason, by try push', async () => {
  // The provider has accepted nothing for its app.
  expect((await run('add', 'quiet', '--app', 'org.example.quiet')).code).toBe(0);
  expect((await run('uninstall', 'quiet')).code).toBe(0);
  await sendTo(roles.member, 'hello');
  await expect
    .poll(async () => (await row('quiet'))?.server, { timeout: 20_000 })
    .toMatch(/^active, last push queued: .*doubted, because/);
  const { push_account_id } = (await row('quiet')) ?? {};
  expect((await run('list')).output).toMatch(
    new RegExp(`^quiet .* account +${push_account_id}$`, 'm'),
  );
  expect((await bellhop('try', 'push')).output).toContain(
    'quiet gets nothing now: its app is removed.\n',
  );
  expect((await run('remove', 'quiet')).code).toBe(0);
});

test('bellhop device watch fails when the simulator stops', async () => {
  await using phones = await watch();
  await temporary.sandbox.stop();
  await expect.poll(() => phones.child.exitCode, { timeout: 20_000 }).toBe(1);
  expect(phones.output()).toContain('The phones have lost their provider');
});
