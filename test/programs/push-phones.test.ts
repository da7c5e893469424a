import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { needsAppId } from '@bellhop/protocol';
import { appDataOf } from '@bellhop/push-simulator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type ExamplePhone, examplePhones } from '../support/example-phones.ts';
import { type PushStack, startPushStack, watchDevices } from '../support/push-stack.ts';

const examples = fileURLToPath(new URL('../../docs/push/examples/', import.meta.url));
/** Runs a phone to its end; the server of the test goes on meanwhile. */
async function run(command: string, words: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(command, words, { timeout: 30_000 });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const phonesOf = (wanted: ExamplePhone['generation']) =>
  examplePhones
    .filter(({ generation }) => generation === wanted)
    .map(({ language, program, file }) => [language, program, join(examples, file)] as const);

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

test.each(await readdir(examples))(
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

/** The notifications that a phone was handed, as the programs read them. */
const handedTo = (token: string) =>
  stack.simulator.devices.received(token).map((notification) => {
    const { received } = appDataOf(notification);
    return typeof received === 'string' ? received : JSON.stringify(received);
  });

describe.each(phonesOf('account'))('the phone in %s', (name, command, file) => {
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
    const [notification] = handedTo(token);
    const opened = await run(command, [file, 'open', path], notification);
    expect(JSON.parse(opened)).toMatchObject({ type: 'test', user_id: owner.user.id });
  });
});

describe.each(phonesOf('device'))('the phone of level 468 in %s', (name, command, file) => {
  test.each(['fcm', 'apns'] as const)(
    'registers with a token of %s, changes its key, and decrypts what comes for either',
    async (kind) => {
      const owner = await stack.chat.addPerson(`${name} device ${kind}`);
      const { token, app_id } = stack.simulator.addDevice({ kind });
      const login = [stack.chat.url, owner.email, owner.api_key];
      const app = needsAppId(kind) ? [app_id] : [];
      const path = join(folder, `${name}-device-${kind}.json`);
      const words = [stack.bouncerPublicKey, kind, token, ...app];
      await writeFile(path, await run(command, [file, 'register', ...login, ...words]));
      const send = () => owner.client.devices.testNotification();
      await vi.waitFor(send, 15_000);
      const newer = `${path}.newer`;
      await writeFile(newer, await run(command, [file, 'rotate', ...login, path]));
      await send();
      const [first, second] = handedTo(token);
      for (const [keys, input] of [
        [path, first],
        [newer, first],
        [newer, second],
      ] as const)
        expect(JSON.parse(await run(command, [file, 'open', keys], input))).toMatchObject({
          type: 'test',
          user_id: owner.user.id,
        });
      await expect(run(command, [file, 'open', path], second)).rejects.toThrow(/key/i);
    },
  );
});
