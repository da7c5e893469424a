import type { PushGeneration } from '@bellhop/protocol';
import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { CommonFault, DeviceFault } from '../faulty-devices.fixture.ts';
import {
  type AccountFault,
  type ServerFault,
  startFaultyServer,
} from '../faulty-server.fixture.ts';
import type { Finding } from '../finding.ts';
import { patienceFor } from '../patience.fixture.ts';
import { conformServer } from './conform-server.ts';

let simulator: PushSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

interface RunOptions {
  readonly generation?: PushGeneration;
  /** No check after this one is run. */
  readonly last?: string;
  readonly isCautious?: boolean;
  readonly isBusy?: boolean;
}

/** The checks that a server does not pass. */
async function failedChecks(
  faults: readonly ServerFault[] = [],
  { generation, last, ...server }: RunOptions = {},
) {
  const { url, bouncerPublicKey, stop } = await startFaultyServer(simulator, faults, server);
  const failed: string[] = [];
  const enough = new AbortController();
  const onFinding = ({ severity, check }: Finding) => {
    if (severity !== 'ok') failed.push(`${severity}: ${check}`);
    if (last !== undefined && failed.at(-1) === last) enough.abort();
  };
  const running = conformServer(url, {
    user: ['ada@example.com', 'key'],
    sender: ['bob@example.com', 'key'],
    bouncerPublicKey,
    simulator,
    timeoutMs: patienceFor(faults),
    onFinding,
    signal: enough.signal,
    ...(generation ? { generation } : {}),
  });
  await running.catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  await stop();
  return failed;
}

test('a server without faults passes every check', async () => {
  expect(await failedChecks()).toEqual([]);
});

test('a server may doubt that a phone is dead until another gets a notification', async () => {
  expect(await failedChecks([], { isCautious: true })).toEqual([]);
});

test('a server that wants fewer requests in a minute is waited for', async () => {
  expect(await failedChecks([], { isBusy: true })).toEqual([]);
});

const goodRegistration = 'fault: a good fcm registration: event and state';
const directMessage = 'fault: a direct message';
const longMessage = 'fault: a long message is cut between characters and stays within the limits';
const removal = 'fault: a message that was read elsewhere is removed from the phones';

const fcmTest = 'fault: a test notification on an fcm phone';
const apnsTest = 'fault: a test notification on an apns phone';

/** Faults with the check that must find them of phones of both generations. */
const foundOnAll = {
  'URL-safe ciphertext': fcmTest,
  'text in FCM data': fcmTest,
  'no mutable-content': apnsTest,
  'no alert': apnsTest,
  'encrypts for another key': fcmTest,
  'relative avatar': directMessage,
  'never cuts': longMessage,
  'cuts characters': longMessage,
  'never removes': removal,
  'removes loudly': removal,
  'removes nothing by name': removal,
  'keeps dead devices': 'fault: a phone without the app is no longer active',
  'stops at a refused push': 'fault: a phone whose push is refused does not stop the others',
} as const;

/** Each fault with a check of phones of levels 406 to 467 that must find it. */
const found: Readonly<Record<AccountFault | CommonFault, string>> = {
  ...foundOnAll,
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
  'low priority': 'fault: a test notification on an apns phone',
  'pushes to old accounts': 'warning: a phone with a new account and key gets each push once',
  'tests unknown accounts': 'fault: a test notification for an unknown account',
  'takes no browsers': 'skipped: a test notification in a browser',
  'text in push events': 'fault: a test notification in a browser',
};

test.concurrent.each(Object.entries(found))('the fault "%s" is found', async (fault, finding) => {
  const options = { generation: 'account', last: finding } as const;
  expect(await failedChecks([fault as ServerFault], options)).toContain(finding);
});

const goodOnDevice = 'fault: a good fcm registration: events and state';
const newDevice = 'fault: POST /register_client_device adds an empty device each time';
const refusedKey = 'fault: a key that the bouncer does not have';
const triedAgain = 'fault: a refused token is tried again with a better box, also after a new key';
const newKey =
  'fault: a new key is used at once, the old one until then; a bad one changes nothing';
const newToken =
  'fault: a new token gets the pushes when the bouncer has accepted it, the old one until then';
const logout =
  'fault: a phone that logs out: event, state, and no more pushes; it may log in again';

/** Each fault with the check of phones of level 468 and later that must find it, before all others. */
const foundOnDevices: Readonly<Record<DeviceFault | CommonFault, string>> = {
  ...foundOnAll,
  'announces level 420': 'warning: zulip_feature_level is 468 or more',
  'one device for all': newDevice,
  'emits no added device': newDevice,
  'leaves null out of devices': newDevice,
  'needs no login': 'fault: POST /register_client_device without a login',
  'takes any push_key_id': 'fault: a push_key_id below 0',
  'takes push keys of any length': 'fault: a push_key of 32 bytes',
  'takes any first byte of a push_key': 'fault: a push_key whose first byte is not 0x31',
  'takes URL-safe keys': 'fault: a push_key in the alphabet of URLs',
  'takes any token_kind': 'fault: an unknown token_kind',
  'takes URL-safe token IDs': 'fault: a token_id in the alphabet of URLs',
  'takes token IDs of any length': 'warning: a token_id of 7 bytes',
  'takes half a key': 'fault: half a key and nothing else',
  'takes half a token': 'fault: half a token and nothing else',
  'takes a first key alone': 'fault: a first registration without a token',
  'takes a first token alone': 'fault: a first registration without a key',
  'registers devices of nobody': 'fault: a registration of a device of nobody',
  'registers devices of others': 'fault: a registration of a device of another user',
  'stays pending': goodOnDevice,
  'forgets the state': newDevice,
  'emits no pending token': goodOnDevice,
  'leaves null out of events': goodOnDevice,
  milliseconds: goodOnDevice,
  'wrong error_code': refusedKey,
  'clears a refused token': refusedKey,
  'takes the token_id of another token': 'fault: a token_id of another token',
  'takes no new key for a refused token': triedAgain,
  'keeps failed registrations': triedAgain,
  'ends repeated registrations': 'fault: a registration that is repeated stays active',
  'ends tokens that are sent twice':
    'fault: a token that is sent twice at once, in two boxes, gets the next push',
  'takes a second token': 'fault: another token while one is pending',
  'tests unknown accounts': 'fault: a test notification for a device without a token, or of nobody',
  'push_key_id as text in APNs': apnsTest,
  'low priority': fcmTest,
  'alert in removals': removal,
  'one nonce for all': 'fault: each notification has its own nonce',
  'no recipient_user_ids': 'fault: a direct message has recipient_user_ids',
  'no sound': 'warning: a notification on an iPhone has a sound',
  'keeps the old key': newKey,
  'stores refused keys': newKey,
  'drops the old token at once': newToken,
  'pushes to old tokens': newToken,
  'no event for a dead token': 'fault: a token that the provider calls dead: event and state',
  'keeps removed devices': logout,
  'emits no removed device': logout,
  'removes devices of nobody': 'fault: the removal of a device of nobody',
  'removes twice': 'fault: the removal of a device that was removed before',
  'removes devices of others': 'fault: the removal of a device of another user',
};

test.concurrent.each(Object.entries(foundOnDevices))(
  'the fault "%s" of devices is found by its check',
  async (fault, finding) => {
    const options = { generation: 'device', last: finding } as const;
    expect(await failedChecks([fault as ServerFault], options)).toEqual([finding]);
  },
);

/** The findings about the generations themselves, of a server that has one only. */
async function missing(has: PushGeneration, generation?: PushGeneration) {
  const server = await startFaultyServer(simulator, [], { generations: [has] });
  const { url, bouncerPublicKey } = server;
  const options = {
    bouncerPublicKey,
    simulator,
    timeoutMs: 30_000,
    ...(generation ? { generation } : {}),
  };
  const findings = await conformServer(url, { user: ['ada@example.com', 'key'], ...options });
  await server.stop();
  const about = findings.filter(({ check }) => check.startsWith('phones of'));
  return {
    ok: findings.filter(({ severity }) => severity === 'ok').length,
    faults: findings.filter(({ severity }) => severity === 'fault').length,
    about: about.map(({ severity, check, happened }) => `${severity}: ${check}: ${happened}`),
  };
}

test.concurrent('a server without devices has one finding for them', async () => {
  const happened =
    '404 NOT_FOUND: the service does not have them. --generation account leaves this out';
  const about = `phones of level 468 and later: ${happened}`;
  const both = await missing('account');
  expect(both).toMatchObject({ faults: 0, about: [`skipped: ${about}`] });
  expect(both.ok).toBeGreaterThan(20);
  expect(await missing('account', 'device')).toEqual({
    ok: 0,
    faults: 1,
    about: [`fault: ${about}`],
  });
});

test.concurrent('a server with nothing but devices has one finding for accounts', async () => {
  const { about, ok, faults } = await missing('device');
  expect(about).toEqual([
    'skipped: phones of levels 406 to 467: 400 REQUEST_VARIABLE_MISSING: the service does not have them. --generation device leaves this out',
  ]);
  expect(faults).toBe(0);
  expect(ok).toBeGreaterThan(30);
});

test('without a sender the checks of messages are skipped, not passed', async () => {
  const server = await startFaultyServer(simulator);
  const { url, bouncerPublicKey } = server;
  const options = { bouncerPublicKey, simulator, timeoutMs: 5000, generation: 'account' } as const;
  const findings = await conformServer(url, { user: ['a@b.c', 'key'], ...options });
  await server.stop();
  expect(findings.filter(({ severity }) => severity === 'skipped')).toHaveLength(4);
});
