import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type PushSimulator, startSimulator, writeCredentialFiles } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commandRunner } from './support/command-runner.ts';
import { type PushStack, startPushStack } from './support/push-stack.ts';

let folder: string;
/** The Firebase project of the partner's app; that of the other apps is in `stack.simulator`. */
let partner: PushSimulator;
let stack: PushStack;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firebase-projects-'));
  partner = await startSimulator();
  stack = await startPushStack({
    credentials(simulator) {
      writeCredentialFiles(simulator, join(folder, 'chat'));
      writeCredentialFiles(partner, join(folder, 'partner'));
      const file = join(folder, 'apps.yaml');
      writeFileSync(
        file,
        `fcm:
  - account_file: chat/service-account.json
    apps: [org.example.chat]
    default: true
    url: ${simulator.fcm_url}
  - account_file: partner/service-account.json
    apps: [org.partner.chat]
    url: ${partner.fcm_url}
`,
      );
      return {
        BELLHOP_BOUNCER_APPS_FILE: file,
        BELLHOP_BOUNCER_PROVIDER_CA: `${simulator.ca}\n${partner.ca}`,
      };
    },
  });
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await partner.stop();
  await rm(folder, { recursive: true });
});

const bellhop = commandRunner(() => ({ BELLHOP_DATA_DIR: folder }));
/** Adds an Android phone of Hamlet. */
function add(name: string, simulator: PushSimulator, ...words: readonly string[]) {
  const { email, api_key } = stack.chat.people.hamlet;
  const flags = {
    '--server': stack.chat.url,
    '--email': email,
    '--api-key': api_key,
    '--bouncer-key': stack.bouncerPublicKey,
    '--simulator': simulator.control_url,
    '--token': simulator.control_token,
  };
  return bellhop('device', 'add', name, ...words, ...Object.entries(flags).flat());
}
/** How many notifications each phone of a project has received. */
const arrivals = ({ devices }: PushSimulator) =>
  devices.list().map(({ token }) => devices.received(token).length);

test('each Android phone gets its notifications through the Firebase project of the app that --app names', async () => {
  const own = await add('own', stack.simulator, '--app', 'org.example.chat');
  expect(own).toMatchObject({ code: 0 });
  expect(await add('unnamed', stack.simulator)).toMatchObject({ code: 0 });
  expect(await add('partner', partner, '--app', 'org.partner.chat')).toMatchObject({ code: 0 });
  const { client } = stack.chat.people.hamlet;
  await client.devices.testNotification({});
  expect(arrivals(stack.simulator)).toEqual([1, 1]);
  expect(arrivals(partner)).toEqual([1]);
  expect(await bellhop('device', 'rotate', 'partner')).toMatchObject({ code: 0 });
  await client.devices.testNotification({});
  expect(arrivals(stack.simulator)).toEqual([2, 2]);
  expect(arrivals(partner)).toEqual([2]);
});

test('bellhop device add --app with an app of no Firebase project says which app the bouncer does not know', async () => {
  const { code, output } = await add('other', partner, '--app', 'org.example.other');
  expect(code).not.toBe(0);
  expect(output).toContain('this bouncer has no FCM credentials for the app org.example.other');
});
