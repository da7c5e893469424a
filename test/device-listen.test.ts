import { once } from 'node:events';

import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { startProgram } from './support/program.ts';
import { type TemporarySandbox, temporarySandbox } from './support/temporary-sandbox.ts';

let temporary: TemporarySandbox;
beforeAll(async () => {
  temporary = await temporarySandbox();
});
afterAll(() => temporary[Symbol.asyncDispose]());

const listen = (kind: string) =>
  startProgram(['device', 'listen', '--kind', kind], {
    env: { BELLHOP_DATA_DIR: temporary.dataDir },
    ready: /waits for notifications/,
  });

const Devices = z.object({
  devices: z.array(z.object({ kind: z.string(), uninstalled: z.unknown() })),
});
const lastDevice = async () => {
  const { control_url, control_token } = temporary.sandbox.file.simulator;
  const headers = { authorization: `Bearer ${control_token}` };
  const answer = await fetch(`${control_url}/devices`, { headers });
  return Devices.parse(await answer.json()).devices.at(-1);
};

test.each(['fcm', 'apns'])(
  'bellhop device listen registers a phone (%s), prints what it decrypts, and removes it',
  async (kind) => {
    await using phone = await listen(kind);
    expect(await lastDevice()).toEqual({ kind, uninstalled: null });
    await temporary.as(roles.member).devices.testNotification({});
    await expect.poll(phone.output).toMatch(/received .+\.\.\.\nand decrypted \{.*"type":"test"/);
    expect(await phone.signal('SIGINT')).toBe(0);
    expect(await lastDevice()).toEqual({ kind, uninstalled: expect.anything() });
  },
);

test('bellhop device listen fails when the sandbox stops', async () => {
  await using phone = await listen('fcm');
  await temporary.sandbox.stop();
  await once(phone.child, 'exit');
  expect(phone.child.exitCode).toBe(1);
  expect(phone.output()).toContain('The phone has lost its provider');
});
