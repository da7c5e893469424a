import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { roles } from '@bellhop/protocol';
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
    push_account_id: z.string(),
    used_by: z.string(),
    server: z.string(),
    provider: z.string(),
  }),
);
const rows = async (usedBy = 'device') =>
  Rows.parse(
    (await run('list', '--json')).output
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).filter(({ used_by }) => used_by === usedBy);

/** Sends a direct message from one of two users of the sandbox to the other. */
async function sendTo(role: number, content: string): Promise<number> {
  const { users } = temporary.sandbox.file;
  const recipient = users.find((user) => user.role === role);
  const sender = role === roles.member ? roles.owner : roles.member;
  const to = [recipient?.user_id ?? 0];
  const { id } = await temporary.as(sender).messages.send({ type: 'direct', to, content });
  return id;
}

test('device list has the phones that the console of the sandbox shows', async () => {
  expect(await rows('console')).toMatchObject(
    temporary.sandbox.file.devices.map(({ name, push_account_id }) => ({
      name,
      push_account_id,
      server: 'active',
      provider: 'online',
    })),
  );
});

test('several phones and a browser of a user show messages and removals, decrypted', async () => {
  const added = await run('add', 'pixel');
  expect(added).toMatchObject({ code: 0 });
  expect(added.output).toMatch(/^pixel \(fcm, app .*\) of \S+ is registered at http:/);
  expect((await run('add', 'iphone', '--kind', 'apns')).code).toBe(0);
  expect((await run('add', 'firefox', '--kind', 'webpush')).code).toBe(0);
  expect((await run('add', 'pixel')).output).toMatch(/^There is a phone pixel/);
  expect((await stat(join(temporary.dataDir, 'phones.json'))).mode & 0o777).toBe(0o600);
  expect(await rows()).toMatchObject([
    { name: 'pixel', server: 'active', provider: 'online' },
    { name: 'iphone', server: 'active', provider: 'online' },
    { name: 'firefox', server: 'active', provider: 'online' },
  ]);
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
  const traced = await run('trace', 'tablet');
  expect(traced.output).toMatch(/^[0-9a-f]{16} {2}tablet: arrived at the first attempt$/m);
  expect(traced.output).toMatch(/provider {2}200 stored, \d+ of 4096 bytes$/m);
  expect(traced.output).toMatch(/phone {5}test notification of /);
});

test.each([[[]], [['--new-token']]])(
  'bellhop device rotate NAME %s moves the registration, and each push arrives once',
  async (options) => {
    const name = `rotated${options.length}`;
    expect((await run('add', name)).code).toBe(0);
    const [before] = (await rows()).filter((row) => row.name === name);
    await using phone = await watch(name);
    expect(await run('rotate', name, ...options)).toMatchObject({ code: 0 });
    const [after] = (await rows()).filter((row) => row.name === name);
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
  expect((await run('watch', 'phone-1')).output).toMatch(/^There is no phone phone-1/);
  await expect(temporary.as(roles.owner).devices.testNotification({})).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
});

const ownerEmail = () =>
  temporary.sandbox.file.users.find(({ role }) => role === roles.owner)?.email ?? '';

test('a phone of any server is added by its address, login, bouncer key and simulator', async () => {
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
  const words = (changes: object = {}) => Object.entries({ ...flags, ...changes }).flat();
  expect((await run('add', 'elsewhere', ...words())).output).toMatch(/^elsewhere \(fcm/);
  const wrongKey = words({ '--bouncer-key': Buffer.alloc(32, 9).toString('base64') });
  expect((await run('add', 'refused', ...wrongKey)).output).toMatch(
    /^The bouncer refused the phone: INVALID_BOUNCER_PUBLIC_KEY, The key .* update the app/,
  );
});

test('bellhop device watch fails when the simulator stops', async () => {
  await using phones = await watch();
  await temporary.sandbox.stop();
  await expect.poll(() => phones.child.exitCode, { timeout: 20_000 }).toBe(1);
  expect(phones.output()).toContain('The phones have lost their provider');
});
