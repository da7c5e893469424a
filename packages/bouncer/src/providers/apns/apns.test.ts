import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { type PushSimulator, startPushSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createApns } from './apns.ts';
import { ProviderToken } from './provider-token.ts';

let simulator: PushSimulator;
const clock = { offsetMs: 0 };
const now = () => Date.now() + clock.offsetMs;
beforeAll(async () => {
  simulator = await startPushSimulator({ now });
});
beforeEach(() => simulator.faults.clear());
afterAll(() => simulator.stop());

function start(privateKey = simulator.credentials.apns.private_key) {
  const { team_id: teamId, key_id: keyId } = simulator.credentials.apns;
  const provider = createApns({
    key: { teamId, keyId, privateKey },
    pool: { origin: simulator.apns_url, ca: simulator.ca },
    now,
  });
  return { ...provider, [Symbol.dispose]: () => provider.close() };
}
const notification = (topic = 'org.bellhop.phone') => ({
  id: randomUUID(),
  token: simulator.addDevice({ kind: 'apns' }).token,
  topic,
  headers: { apns_priority: 10, apns_push_type: 'alert' },
  payload: { push_account_id: -9_223_372_036_854_775_807n, encrypted_data: 'YQ==', aps: {} },
});
const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

test('sends what it is given, under the same id at every attempt', async () => {
  using apns = start();
  const sent = notification();
  expect(await apns.send(sent, 0)).toEqual({ kind: 'accepted' });
  expect(simulator.devices.received(sent.token)).toMatchObject([
    { apns_id: sent.id, topic: 'org.bellhop.phone', payload: { encrypted_data: 'YQ==' } },
  ]);
});

test('the payload keeps integers of 64 bits', async () => {
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
  const apns = createApns({
    key: { teamId, keyId, privateKey: newKey() },
    pool: { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    now,
  });
  expect(await apns.send(notification(), 0)).toEqual({ kind: 'accepted' });
  apns.close();
  server.close();
  expect(bodies).toEqual([
    '{"push_account_id":-9223372036854775807,"encrypted_data":"YQ==","aps":{}}',
  ]);
});

test('verdicts of real refusals', async () => {
  using apns = start();
  expect(await apns.send({ ...notification(), token: 'ab'.repeat(32) }, 0)).toMatchObject({
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

test('uses one provider token for 50 minutes, then a new one', async () => {
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

test('makes no new token because of errors', async () => {
  using apns = start();
  await apns.send(notification(), 0);
  clock.offsetMs += 60_000;
  for (const [status, reason] of [
    [403, 'ExpiredProviderToken'],
    [429, 'TooManyProviderTokenUpdates'],
    [503, 'ServiceUnavailable'],
  ] as const) {
    simulator.faults.add({ provider: 'apns', times: 1, fault: { status, reason } });
    expect(await apns.send(notification(), 0)).toMatchObject({ kind: 'retry', reason });
  }
  expect(apns.state().credentialAgeMs).toBeGreaterThanOrEqual(60_000);
});

test('renews a token of 20 minutes that Apple calls expired, once for all', () => {
  let time = 0;
  const key = { teamId: 'TEAM', keyId: 'KEY', privateKey: newKey() };
  const token = new ProviderToken(key, () => time);
  const first = token.get();
  expect(token.refused(first)).toBe(20 * 60_000);
  time = 21 * 60_000;
  expect(token.refused(first)).toBe(0);
  const second = token.get();
  expect(second).not.toBe(first);
  expect(token.refused(first)).toBe(0);
  expect(token.get()).toBe(second);
});

test('a provider token is signed as Apple wants it', () => {
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

test('refuses an unsuitable key at once', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  expect(() => start(rsa)).toThrow('P-256');
});
