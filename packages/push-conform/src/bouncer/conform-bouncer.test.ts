import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type BouncerFault, startFaultyBouncer } from '../faulty-bouncer.fixture.ts';
import type { Finding } from '../finding.ts';
import { patienceFor } from '../patience.fixture.ts';
import { conformBouncer } from './conform-bouncer.ts';

let simulator: PushSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

/** The checks that a bouncer does not pass; none after `last` are run. */
async function failedChecks(
  faults: readonly BouncerFault[] = [],
  { last, isCautious = false }: { last?: string; isCautious?: boolean } = {},
) {
  const bouncer = await startFaultyBouncer(simulator, faults, { isCautious });
  const failed: string[] = [];
  const enough = new AbortController();
  const onFinding = ({ severity, check }: Finding) => {
    if (severity !== 'ok') failed.push(`${severity}: ${check}`);
    if (last !== undefined && failed.at(-1) === last) enough.abort();
  };
  const { url, bouncerPublicKey } = bouncer;
  const options = { bouncerPublicKey, simulator, timeoutMs: patienceFor(faults) };
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

/** Each fault with a check that must find it. */
const found: Readonly<Record<BouncerFault, string>> = {
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
  expect(await failedChecks([fault as BouncerFault], { last: finding })).toContain(finding);
});
