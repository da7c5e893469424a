import type { PushGeneration } from '@bellhop/protocol';
import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type AccountFault,
  type BouncerFault,
  type CommonFault,
  startFaultyBouncer,
  type TokenFault,
} from '../faulty-bouncer.fixture.ts';
import type { Finding } from '../finding.ts';
import { patienceFor } from '../patience.fixture.ts';
import { conformBouncer } from './conform-bouncer.ts';

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
}

/** The checks that a bouncer does not pass. */
async function failedChecks(
  faults: readonly BouncerFault[] = [],
  { generation, last, isCautious = false }: RunOptions = {},
) {
  const bouncer = await startFaultyBouncer(simulator, faults, { isCautious });
  const failed: string[] = [];
  const enough = new AbortController();
  const onFinding = ({ severity, check }: Finding) => {
    if (severity !== 'ok') failed.push(`${severity}: ${check}`);
    if (last !== undefined && failed.at(-1) === last) enough.abort();
  };
  const { url, bouncerPublicKey } = bouncer;
  const options = {
    bouncerPublicKey,
    simulator,
    timeoutMs: patienceFor(faults),
    ...(generation ? { generation } : {}),
  };
  const running = conformBouncer(url, { ...options, onFinding, signal: enough.signal });
  await running.catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  await bouncer.stop();
  return failed;
}

test('a bouncer without faults passes every check', async () => {
  expect(await failedChecks()).toEqual([]);
});

test('a bouncer may doubt that a phone is dead until another gets a notification', async () => {
  expect(await failedChecks([], { isCautious: true })).toEqual([]);
});

/** Each fault with a check of phones of levels 406 to 467 that must find it. */
const found: Readonly<Record<AccountFault | CommonFault, string>> = {
  'forgets created': 'fault: a chat server registers itself',
  'takes any key': 'fault: a call with a wrong key',
  'wrong code for a wrong key of a server': 'fault: a registered server with another key',
  'no announcement needed': 'fault: a phone of a realm that was not announced',
  'new device_id each time': 'fault: a phone with an fcm token registers, and repeats it',
  'device_id as text': 'fault: a phone with an apns token registers, and repeats it',
  'takes old registrations': 'fault: a registration of 25 hours ago',
  'takes future registrations': 'warning: a registration of next week',
  'wrong code for an unknown key': 'fault: a bouncer_public_key that the bouncer does not have',
  'takes URL-safe base64': 'fault: encrypted_push_registration: the alphabet of URLs',
  'takes any ios_app_id': 'fault: encrypted_push_registration: apns without ios_app_id',
  'takes any token': 'fault: encrypted_push_registration: an apns token with half a byte',
  'takes replayed boxes': 'warning: the box of one account, sent for another',
  'loses counts': 'fault: an empty list of notifications',
  'changes the payload':
    'fault: notifications for an FCM and an APNs phone arrive as they were sent',
  'rounds push_account_id':
    'fault: notifications for an FCM and an APNs phone arrive as they were sent',
  'drops the priority': 'fault: priority, push type and topic reach the provider',
  'forgets dead devices': 'fault: a notification for an uninstalled app, twice',
  'reaches into other realms': 'fault: a notification for a device of another realm',
  'calls devices dead in an outage':
    'fault: a provider that is not available does not make devices dead',
  'one bad item fails all': 'warning: a bad item fails alone: a payload of 5000 bytes',
  'fails on other kinds': 'fault: an APNs item for an FCM device beside a good one',
  'takes browsers without keys': 'fault: encrypted_push_registration: webpush without webpush_keys',
  'drops TTL and urgency': 'fault: a notification for a browser arrives as it was sent',
  'takes no browsers': 'skipped: a browser registers, and repeats it',
  'ignores Idempotency-Key':
    'warning: a request that is repeated with the same Idempotency-Key is carried out once',
};

test.concurrent.each(Object.entries(found))('the fault "%s" is found', async (fault, finding) => {
  const options = { generation: 'account', last: finding } as const;
  expect(await failedChecks([fault as BouncerFault], options)).toContain(finding);
});

const repeats = 'fault: the same box again, from a server that got no answer';
const delivered = 'fault: notifications for an FCM and an APNs phone arrive as they were sent';
const box = 'encrypted_push_registration:';

/** Each fault with the check of phones of level 468 and later that must find it, before all others. */
const foundByTokens: Readonly<Record<TokenFault | CommonFault, string>> = {
  'forgets created': 'fault: a chat server registers itself',
  'takes any key': 'fault: a call with a wrong key',
  'wrong code for a wrong key of a server': 'fault: a registered server with another key',
  'no announcement needed': 'fault: a phone of a realm that was not announced',
  'takes old registrations': 'fault: a registration of 25 hours ago',
  'takes future registrations': 'warning: a registration of next week',
  'wrong code for an unknown key': 'fault: a bouncer_public_key that the bouncer does not have',
  'takes URL-safe base64': `fault: ${box} the alphabet of URLs`,
  'takes any ios_app_id': `fault: ${box} apns without ios_app_id`,
  'takes any token': `fault: ${box} an empty token`,
  'takes any token_id': 'fault: a token_id of another token',
  'takes token IDs without padding': 'fault: a token_id without padding',
  'lower-cases tokens': 'fault: a token_id is of the token in the letters of the phone',
  'takes no box twice': repeats,
  'takes replayed boxes': 'warning: the box of one realm, sent for another',
  'loses counts': delivered,
  'no delete_token_ids': delivered,
  'no expected_end_timestamp': delivered,
  'changes the payload': delivered,
  'push_key_id as text in APNs': delivered,
  'drops the priority': 'fault: priority, push type and topic reach the provider',
  'forgets dead devices': 'fault: a notification for an unknown device beside a good one',
  'reaches into other realms': 'fault: a notification for a device of another realm',
  'calls devices dead in an outage':
    'fault: a provider that is not available does not make devices dead',
  'one bad item fails all': 'warning: a bad item fails alone: a payload of 5000 bytes',
  'fails on other kinds': 'fault: an APNs item for an FCM device beside a good one',
  'ignores Idempotency-Key':
    'warning: a request that is repeated with the same Idempotency-Key is carried out once',
  'one item for each token_id': 'fault: two items with one token_id and two keys',
  'stays dead': 'warning: a dead token that is registered again gets notifications',
};

test.concurrent.each(Object.entries(foundByTokens))(
  'the fault "%s" is found by the check of token IDs',
  async (fault, finding) => {
    const options = { generation: 'device', last: finding } as const;
    expect(await failedChecks([fault as BouncerFault], options)).toEqual([finding]);
  },
);

test.concurrent.each([
  ['account', 'device', 'level 468 and later'],
  ['device', 'account', 'levels 406 to 467'],
] as const)(
  'a bouncer with the generation %s has one finding for the other',
  async (has, other, levels) => {
    const bouncer = await startFaultyBouncer(simulator, [], { generations: [has] });
    const { url, bouncerPublicKey } = bouncer;
    const options = { bouncerPublicKey, simulator, timeoutMs: 30_000 };
    const notOk = (findings: readonly Finding[]) =>
      findings
        .filter(({ severity }) => severity !== 'ok')
        .map(({ severity, check, happened }) => `${severity}: ${check}: ${happened}`);
    const about = `phones of ${levels}: 400 REQUEST_VARIABLE_MISSING: the service does not have them. --generation ${has} leaves this out`;
    const both = await conformBouncer(url, options);
    expect(notOk(both)).toEqual([`skipped: ${about}`]);
    expect(both.length).toBeGreaterThan(60);
    expect(notOk(await conformBouncer(url, { ...options, generation: has }))).toEqual([]);
    const alone = await conformBouncer(url, { ...options, generation: other });
    expect(alone.find(({ check }) => check.startsWith('phones of'))?.severity).toBe('fault');
    await bouncer.stop();
  },
);
