import { type PushSimulator, startPushSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createFcm } from './fcm.ts';

let simulator: PushSimulator;
const clock = { offsetMs: 0 };
const now = () => Date.now() + clock.offsetMs;
beforeAll(async () => {
  simulator = await startPushSimulator({ now });
});
beforeEach(() => simulator.faults.clear());
afterAll(() => simulator.stop());

function start(account: Partial<PushSimulator['credentials']['fcm']> = {}) {
  const provider = createFcm({
    account: { ...simulator.credentials.fcm, ...account },
    pool: { origin: simulator.fcm_url, ca: simulator.ca },
    now,
  });
  return { ...provider, [Symbol.dispose]: () => provider.close() };
}
const notification = (token = simulator.addDevice({ kind: 'fcm' }).token) => ({
  token,
  priority: 'normal' as const,
  payload: { push_account_id: -9_223_372_036_854_775_807n, encrypted_data: 'YQ==' },
});
const tokensGiven = () => simulator.journal.counters()['oauth.token'] ?? 0;

test('sends text values, the account ID exact', async () => {
  using fcm = start();
  const sent = notification();
  expect(await fcm.send(sent, 0)).toEqual({ kind: 'accepted' });
  expect(simulator.devices.received(sent.token)).toMatchObject([
    {
      priority: 'normal',
      data: { push_account_id: '-9223372036854775807', encrypted_data: 'YQ==' },
    },
  ]);
});

test('many requests share one access token', async () => {
  const before = tokensGiven();
  using fcm = start();
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => fcm.send(notification(), 0)));
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  expect(tokensGiven() - before).toBe(1);
});

test('renews the access token at 80 % of its life', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  const before = tokensGiven();
  clock.offsetMs += 2_800_000;
  await fcm.send(notification(), 0);
  expect(tokensGiven() - before).toBe(0);
  clock.offsetMs += 100_000;
  await fcm.send(notification(), 0);
  expect(tokensGiven() - before).toBe(1);
});

test('keeps using the old token while a new one cannot be had', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  clock.offsetMs += 3_000_000;
  simulator.faults.add({ provider: 'oauth', fault: 'reset' });
  expect((await fcm.send(notification(), 0)).kind).toBe('accepted');
  clock.offsetMs += 700_000;
  expect((await fcm.send(notification(), 0)).kind).toBe('retry');
});

test('asks for a new token once when one is not accepted', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  const before = tokensGiven();
  simulator.faults.add({ provider: 'fcm', times: 1, fault: 'html_401' });
  expect((await fcm.send(notification(), 0)).kind).toBe('accepted');
  expect(tokensGiven() - before).toBe(1);
  simulator.faults.add({ provider: 'fcm', times: 2, fault: 'html_401' });
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect(tokensGiven() - before).toBe(2);
});

test('a refused service account is an error of the configuration, and not asked about again', async () => {
  using fcm = start({ client_email: 'nobody@example.com' });
  const asked = () => simulator.journal.requests().filter(({ provider }) => provider === 'oauth');
  const before = asked().length;
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect(asked().length - before).toBe(1);
});

test('verdicts of real refusals', async () => {
  using fcm = start();
  const elsewhere = simulator.addDevice({ kind: 'fcm', project_id: 'other-project' });
  expect((await fcm.send(notification(elsewhere.token), 0)).kind).toBe('quarantined');
  expect((await fcm.send(notification('no-such-token'), 0)).kind).toBe('dead');
});
