import { randomUUID } from 'node:crypto';

import { Proxies } from '@bellhop/http/proxy';
import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { connectProvider } from '../connect-provider.ts';

const log = pino({ level: 'silent' });
const proxies = new Proxies();
let simulator: PushSimulator;
const clock = { offsetMs: 0 };
const now = () => Date.now() + clock.offsetMs;
beforeAll(async () => {
  simulator = await startSimulator({ now });
});
beforeEach(() => simulator.faults.clear());
afterAll(() => simulator.stop());

function start(account: Partial<PushSimulator['credentials']['fcm']> = {}) {
  const config = {
    url: simulator.fcm_url,
    account: { ...simulator.credentials.fcm, ...account },
  };
  const connection = connectProvider('fcm', config, { ca: simulator.ca, proxies, log, now });
  return { ...connection, [Symbol.dispose]: () => connection.close() };
}
const notification = (token = simulator.addDevice({ kind: 'fcm' }).token) => ({
  id: randomUUID(),
  device: { token, ios_app_id: null },
  request: {
    device_id: 1,
    fcm_priority: 'normal' as const,
    payload: { push_account_id: -9_223_372_036_854_775_807n, encrypted_data: 'YQ==' },
  },
});
const tokensIssued = () => simulator.journal.counters()['oauth.token'] ?? 0;

test('send turns the payload into text values and keeps all digits of push_account_id', async () => {
  using fcm = start();
  const sent = notification();
  expect(await fcm.send(sent, 0)).toEqual({
    kind: 'accepted',
    providerId: expect.stringMatching(/^projects\/.+\/messages\/.+/),
  });
  expect(simulator.devices.received(sent.device.token)).toMatchObject([
    {
      priority: 'normal',
      data: { push_account_id: '-9223372036854775807', encrypted_data: 'YQ==' },
    },
  ]);
});

test('50 concurrent requests share one access token', async () => {
  const before = tokensIssued();
  using fcm = start();
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => fcm.send(notification(), 0)));
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  expect(tokensIssued() - before).toBe(1);
});

test('send renews the access token at 80 % of its life', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  const before = tokensIssued();
  clock.offsetMs += 2_800_000;
  await fcm.send(notification(), 0);
  expect(tokensIssued() - before).toBe(0);
  clock.offsetMs += 100_000;
  await fcm.send(notification(), 0);
  expect(tokensIssued() - before).toBe(1);
});

test('send uses the old access token until it expires if renewing fails', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  clock.offsetMs += 3_000_000;
  simulator.faults.add({ provider: 'oauth', fault: 'reset' });
  expect((await fcm.send(notification(), 0)).kind).toBe('accepted');
  clock.offsetMs += 700_000;
  expect((await fcm.send(notification(), 0)).kind).toBe('retry');
});

test('send renews an access token that FCM does not accept, once in a minute', async () => {
  using fcm = start();
  await fcm.send(notification(), 0);
  const before = tokensIssued();
  simulator.faults.add({ provider: 'fcm', times: 1, fault: 'html_401' });
  expect((await fcm.send(notification(), 0)).kind).toBe('accepted');
  expect(tokensIssued() - before).toBe(1);
  simulator.faults.add({ provider: 'fcm', times: 1, fault: 'html_401' });
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect(tokensIssued() - before).toBe(1);
  clock.offsetMs += 60_000;
  simulator.faults.add({ provider: 'fcm', times: 2, fault: 'html_401' });
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect(tokensIssued() - before).toBe(2);
});

test('while a phone that FCM answers with 401 waits for a new access token, others send with the present one', async () => {
  using fcm = start();
  const [one, other] = [notification(), notification()];
  await fcm.send(other, 0);
  clock.offsetMs += 60_000;
  simulator.faults.add({ provider: 'oauth', fault: 'silent' });
  const match = { token: one.device.token };
  simulator.faults.add({ provider: 'fcm', match, fault: 'html_401' });
  const waiting = fcm.send(one, 0);
  const refused = () => simulator.journal.requests().some(({ token }) => token === match.token);
  await expect.poll(refused).toBe(true);
  expect((await fcm.send(other, 0)).kind).toBe('accepted');
  expect((await waiting).kind).toBe('retry');
});

test('a refused service account is a config_error, and the next request does not ask again', async () => {
  using fcm = start({ client_email: 'nobody@example.com' });
  const asked = () => simulator.journal.requests().filter(({ provider }) => provider === 'oauth');
  const before = asked().length;
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect((await fcm.send(notification(), 0)).kind).toBe('config_error');
  expect(asked().length - before).toBe(1);
});

test('a service account refused because of a wrong clock has an error about the clock', async () => {
  const config = { url: simulator.fcm_url, account: simulator.credentials.fcm };
  const behind = () => now() - 7_200_000;
  const fcm = connectProvider('fcm', config, { ca: simulator.ca, proxies, log, now: behind });
  expect(await fcm.send(notification(), 0)).toMatchObject({
    kind: 'config_error',
    reason: expect.stringContaining("this machine's clock is 120 minutes behind"),
    at: 'clock',
  });
  fcm.close();
});

test.each([408, 429, 503])(
  'a token endpoint that answers %d is overloaded for the seconds of its Retry-After',
  async (status) => {
    using fcm = start();
    const fault = { status, reason: 'rate_limit_exceeded', retry_after: 90 };
    simulator.faults.add({ provider: 'oauth', times: 1, fault });
    expect(await fcm.send(notification(), 0)).toMatchObject({ kind: 'overloaded', after: 90 });
    expect(await fcm.send(notification(), 0)).toMatchObject({ kind: 'accepted' });
  },
);

test('send returns the verdict on a token of another project and on an unknown token', async () => {
  using fcm = start();
  const elsewhere = simulator.addDevice({ kind: 'fcm', project_id: 'other-project' });
  expect((await fcm.send(notification(elsewhere.token), 0)).kind).toBe('quarantined');
  expect((await fcm.send(notification('no-such-token'), 0)).kind).toBe('dead');
});

test.each(['from', 'google.sent_time', 'gcm.n', 'gcm', 'message_type', 'collapse_key'])(
  'a payload with the key %s, which FCM reserves, is refused without a request',
  async (key) => {
    using fcm = start();
    const sent = notification();
    const payload = { ...sent.request.payload, [key]: 'x' };
    expect(await fcm.send({ ...sent, request: { ...sent.request, payload } }, 0)).toEqual({
      kind: 'rejected',
      reason: `FCM reserves the key ${key} of the payload`,
    });
    const requests = simulator.journal.requests();
    expect(requests.filter(({ token }) => token === sent.device.token)).toEqual([]);
  },
);
