import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { needsAppId } from '@bellhop/protocol';
import { appDataOf } from '@bellhop/push-simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type PushStack, startPushStack, watchDevices } from '../support/push-stack.ts';

const examples = fileURLToPath(new URL('../../docs/push/examples/', import.meta.url));
/** Runs a phone to its end; the server of the test goes on meanwhile. */
async function run(command: string, words: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(command, words, { timeout: 30_000 });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const hasLibsodium =
  spawnSync('python3', ['-c', 'import ctypes.util as u; exit(u.find_library("sodium") is None)'])
    .status === 0;
/** The phones whose tools are on this machine. */
const phones: readonly (readonly [name: string, command: string, file: string])[] = [
  ['TypeScript', process.execPath, join(examples, 'phone.ts')],
  ...(hasLibsodium ? ([['Python', 'python3', join(examples, 'phone.py')]] as const) : []),
];

let stack: PushStack;
let folder: string;
beforeAll(async () => {
  stack = await startPushStack();
  folder = await mkdtemp(join(tmpdir(), 'phones-'));
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test.each(['phone.ts', 'phone.py', 'Phone.swift', 'Phone.kt'])(
  'docs/push/examples/%s has at most 40 lines of code',
  async (file) => {
    const text = await readFile(join(examples, file), 'utf8');
    const code = text
      .replace(/"""[\s\S]*?"""/, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*\*|import )/.test(line));
    expect(code.length).toBeLessThanOrEqual(40);
  },
);

describe.each(phones)('the phone in %s', (name, command, file) => {
  test.each(['fcm', 'apns'] as const)('registers with a token of %s and decrypts', async (kind) => {
    const owner = await stack.chat.addPerson(`${name} ${kind}`);
    const { token, app_id } = stack.simulator.addDevice({ kind });
    const events = await watchDevices(owner);
    const login = [stack.chat.url, owner.email, owner.api_key, stack.bouncerPublicKey];
    const app = needsAppId(kind) ? [app_id] : [];
    const account = await run(command, [file, 'register', ...login, kind, token, ...app]);
    expect(await events.next()).toMatchObject({ status: 'active' });
    const path = join(folder, `${name}-${kind}.json`);
    await writeFile(path, account);
    await owner.client.devices.testNotification({});
    const [notification] = stack.simulator.devices.received(token);
    if (!notification) throw new Error('Nothing arrived');
    const { received } = appDataOf(notification);
    const input = typeof received === 'string' ? received : JSON.stringify(received);
    const opened = await run(command, [file, 'open', path], input);
    expect(JSON.parse(opened)).toMatchObject({ type: 'test', user_id: owner.user.id });
  });
});
