import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { Proxies } from '@bellhop/http/proxy';
import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { connectProvider } from '../connect-provider.ts';
import { ProviderToken } from './provider-token.ts';

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

function start(privateKey = simulator.credentials.apns.private_key) {
  const { team_id: teamId, key_id: keyId } = simulator.credentials.apns;
  const config = { url: simulator.apns_url, teamId, keyId, privateKey };
  const connection = connectProvider('apns', config, { ca: simulator.ca, proxies, log, now });
  return { ...connection, [Symbol.dispose]: () => connection.close() };
}
const notification = (topic = 'org.bellhop.phone') => ({
  id: randomUUID(),
  device: { token: simulator.addDevice({ kind: 'apns' }).token, ios_app_id: topic },
  request: {
    device_id: 1,
    http_headers: { apns_priority: 10, apns_push_type: 'alert' } as const,
    payload: { push_account_id: -9_223_372_036_854_775_807n, encrypted_data: 'YQ==', aps: {} },
  },
});
const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

test('send passes id, topic and payload on to APNs', async () => {
  using apns = start();
  const sent = notification();
  expect(await apns.send(sent, 0)).toEqual({ kind: 'accepted', providerId: sent.id });
  expect(simulator.devices.received(sent.device.token)).toMatchObject([
    { apns_id: sent.id, topic: 'org.bellhop.phone', payload: { encrypted_data: 'YQ==' } },
  ]);
});

test('send writes 64-bit integers of the payload with all digits', async () => {
  const bodies: string[] = [];
  const server = createServer();
  server.on('stream', (stream) => {
    void text(stream).then((body) => {
      bodies.push(body);
      stream.respond({ ':status': 200 });
      stream.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { team_id: teamId, key_id: keyId } = simulator.credentials.apns;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { url, teamId, keyId, privateKey: newKey() };
  const apns = connectProvider('apns', config, { ca: undefined, proxies, log, now });
  expect(await apns.send(notification(), 0)).toMatchObject({ kind: 'accepted' });
  apns.close();
  server.close();
  expect(bodies).toEqual([
    '{"push_account_id":-9223372036854775807,"encrypted_data":"YQ==","aps":{}}',
  ]);
});

test('send returns the verdict on an unknown token, another topic and an invalid key', async () => {
  using apns = start();
  const unknown = { token: 'ab'.repeat(32), ios_app_id: 'org.bellhop.phone' };
  expect(await apns.send({ ...notification(), device: unknown }, 0)).toMatchObject({
    kind: 'dead',
    reason: 'BadDeviceToken',
  });
  expect((await apns.send(notification('org.example.other'), 0)).kind).toMatch(
    /config_error|quarantined/,
  );
  using impostor = start(newKey());
  expect(await impostor.send(notification(), 0)).toEqual({
    kind: 'config_error',
    reason: 'InvalidProviderToken',
  });
});

test('send uses one provider token for about 50 minutes, then a new one', async () => {
  using apns = start();
  const age = () => apns.state().credentialAgeMs ?? 0;
  await apns.send(notification(), 0);
  clock.offsetMs += 45 * 60_000;
  expect((await apns.send(notification(), 0)).kind).toBe('accepted');
  expect(age()).toBeGreaterThanOrEqual(45 * 60_000);
  clock.offsetMs += 10 * 60_000;
  expect((await apns.send(notification(), 0)).kind).toBe('accepted');
  expect(age()).toBeLessThan(60_000);
});

test('send keeps its provider token after TooManyProviderTokenUpdates and after a 503', async () => {
  using apns = start();
  await apns.send(notification(), 0);
  clock.offsetMs += 60_000;
  for (const [status, reason] of [
    [429, 'TooManyProviderTokenUpdates'],
    [503, 'ServiceUnavailable'],
  ] as const) {
    simulator.faults.add({ provider: 'apns', times: 1, fault: { status, reason } });
    expect(await apns.send(notification(), 0)).toMatchObject({ kind: 'retry', reason });
  }
  expect(apns.state().credentialAgeMs).toBeGreaterThanOrEqual(60_000);
});

test('send makes one provider token in 20 minutes after ExpiredProviderToken', async () => {
  using apns = start();
  await apns.send(notification(), 0);
  clock.offsetMs += 60_000;
  const fault = { status: 403, reason: 'ExpiredProviderToken' };
  simulator.faults.add({ provider: 'apns', times: 2, fault });
  expect(await apns.send(notification(), 0)).toMatchObject({ kind: 'retry', after: 0 });
  expect(apns.state().credentialAgeMs).toBeLessThan(10_000);
  expect(await apns.send(notification(), 1)).toMatchObject({
    kind: 'config_error',
    reason: 'ExpiredProviderToken for a new token',
    at: undefined,
  });
  expect((await apns.send(notification(), 2)).kind).toBe('accepted');
});

test.each([
  [-61, 'behind'],
  [61, 'ahead'],
])(
  'a clock that is wrong by %d minutes is distinguished from an expired token',
  async (minutes, side) => {
    const skewed = () => now() + minutes * 60_000;
    const { team_id: teamId, key_id: keyId, private_key: privateKey } = simulator.credentials.apns;
    const config = { url: simulator.apns_url, teamId, keyId, privateKey };
    const apns = connectProvider('apns', config, { ca: simulator.ca, proxies, log, now: skewed });
    const fault = { status: 403, reason: 'ExpiredProviderToken' };
    simulator.faults.add({ provider: 'apns', times: 2, fault });
    await apns.send(notification(), 0);
    expect(await apns.send(notification(), 1)).toEqual({
      kind: 'config_error',
      reason: `ExpiredProviderToken for a new token: this machine's clock is 61 minutes ${side}`,
      at: 'clock',
    });
    apns.close();
  },
);

test('send makes a new provider token when the clock has been set back', async () => {
  using apns = start();
  clock.offsetMs += 7_200_000;
  await apns.send(notification(), 0);
  clock.offsetMs -= 7_200_000;
  expect((await apns.send(notification(), 0)).kind).toBe('accepted');
  expect(apns.state().credentialAgeMs).toBeGreaterThanOrEqual(0);
});

test('ProviderToken.replace makes one token for all requests with the expired one', () => {
  const token = new ProviderToken({ teamId: 'TEAM', keyId: 'KEY', privateKey: newKey() }, () => 0);
  const first = token.get();
  expect(token.replace(first)).toBe('replaced');
  const second = token.get();
  expect(second).not.toBe(first);
  expect(token.replace(first)).toBe('replaced_before');
  expect(token.replace(second)).toBe('too_soon');
  expect(token.get()).toBe(second);
});

test('ProviderToken makes an ES256 JWT with team and key ID', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const token = new ProviderToken(
    { teamId: 'TEAM', keyId: 'KEY', privateKey: pem },
    () => 1_700_000_000_500,
  ).get();
  const [header = '', claims = '', signature = ''] = token.split('.');
  const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(decode(header)).toEqual({ alg: 'ES256', kid: 'KEY' });
  expect(decode(claims)).toEqual({ iss: 'TEAM', iat: 1_700_000_000 });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('connectProvider throws if the APNs key is not a P-256 key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  expect(() => start(rsa)).toThrow('P-256');
});
