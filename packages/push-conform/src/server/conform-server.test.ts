import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ServerFault, startFaultyServer } from '../faulty-server.fixture.ts';
import type { Finding } from '../finding.ts';
import { patienceFor } from '../patience.fixture.ts';
import { conformServer } from './conform-server.ts';

let simulator: PushSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

/** The checks that a server does not pass; none after `last` are run. */
async function failedChecks(
  faults: readonly ServerFault[] = [],
  { last, isCautious = false }: { last?: string; isCautious?: boolean } = {},
) {
  const server = await startFaultyServer(simulator, faults, { isCautious });
  const failed: string[] = [];
  const enough = new AbortController();
  const onFinding = ({ severity, check }: Finding) => {
    if (severity !== 'ok') failed.push(`${severity}: ${check}`);
    if (last !== undefined && failed.at(-1) === last) enough.abort();
  };
  const { url, bouncerPublicKey } = server;
  const running = conformServer(url, {
    user: ['ada@example.com', 'key'],
    sender: ['bob@example.com', 'key'],
    bouncerPublicKey,
    simulator,
    timeoutMs: patienceFor(faults),
    onFinding,
    signal: enough.signal,
  });
  await running.catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  await server.stop();
  return failed;
}

test('a server without faults passes every check', async () => {
  expect(await failedChecks()).toEqual([]);
});

test('a server may doubt that a phone is dead until another gets a notification', async () => {
  expect(await failedChecks([], { isCautious: true })).toEqual([]);
});

const goodRegistration = 'fault: a good fcm registration: event and state';
const directMessage = 'fault: a direct message';
const longMessage = 'fault: a long message is cut between characters and stays within the limits';
const removal = 'fault: a message that was read elsewhere is removed from the phones';

/** Each fault with a check that must find it. */
const found: Readonly<Record<ServerFault, string>> = {
  'no var_name': 'fault: a registration without token_kind',
  'takes any token_kind': 'fault: an unknown token_kind',
  'takes any push_public_key': 'warning: a push_public_key of 31 bytes',
  'needs no login': 'fault: a registration without a login',
  'stays pending': goodRegistration,
  'rounds push_account_id in events': goodRegistration,
  'forgets the state': goodRegistration,
  'wrong error_code': 'fault: a box of 25 hours ago',
  'keeps failed registrations': 'fault: a failed registration is tried again with a better box',
  'ends repeated registrations': 'fault: a registration that is repeated stays active',
  'rounds push_account_id in APNs': 'fault: a test notification on an apns phone',
  'URL-safe ciphertext': 'fault: a test notification on an fcm phone',
  'text in FCM data': 'fault: a test notification on an fcm phone',
  'low priority': 'fault: a test notification on an apns phone',
  'no mutable-content': 'fault: a test notification on an apns phone',
  'no alert': 'fault: a test notification on an apns phone',
  'encrypts for another key': 'fault: a test notification on an fcm phone',
  'relative avatar': directMessage,
  'never cuts': longMessage,
  'cuts characters': longMessage,
  'never removes': removal,
  'removes loudly': removal,
  'removes nothing by name': removal,
  'keeps dead devices': 'fault: a phone without the app is no longer active',
  'pushes to old accounts': 'warning: a phone with a new account and key gets each push once',
  'stops at a refused push': 'fault: a phone whose push is refused does not stop the others',
  'tests unknown accounts': 'fault: a test notification for an unknown account',
  'takes no browsers': 'skipped: a test notification in a browser',
  'text in push events': 'fault: a test notification in a browser',
};

test.concurrent.each(Object.entries(found))('the fault "%s" is found', async (fault, finding) => {
  expect(await failedChecks([fault as ServerFault], { last: finding })).toContain(finding);
});

test('without a sender the checks of messages are skipped, not passed', async () => {
  const server = await startFaultyServer(simulator);
  const { url, bouncerPublicKey } = server;
  const options = { bouncerPublicKey, simulator, timeoutMs: 5000 };
  const findings = await conformServer(url, { user: ['a@b.c', 'key'], ...options });
  await server.stop();
  expect(findings.filter(({ severity }) => severity === 'skipped')).toHaveLength(4);
});
