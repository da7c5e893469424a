import { createPrivateKey, sign } from 'node:crypto';

import { encryptWebPush, newWebPushSubscription, p256Jwk } from '@bellhop/push-crypto/web-push';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Device, type PushSimulator, startSimulator } from './push-simulator.ts';
import { post } from './webpush-client.fixture.ts';

let simulator: PushSimulator;
let browser: Device;
beforeAll(async () => {
  simulator = await startSimulator();
  browser = simulator.addDevice({ kind: 'webpush' });
});
afterAll(() => simulator.stop());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header `authorization` of a sender. */
function vapid(claims: object = {}, key = simulator.credentials.webpush) {
  const jwk = { ...p256Jwk(key.public_key), d: key.private_key };
  const all = {
    aud: simulator.webpush_url,
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    sub: 'mailto:me@example.com',
    ...claims,
  };
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(all)}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${key.public_key}`;
}

interface Sending {
  readonly url?: string;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}
const send = ({ url = browser.token, text = 'hello', headers = {} }: Sending = {}) => {
  if (!browser.subscription) throw new Error('A browser has a subscription');
  return post(url, {
    ca: simulator.ca,
    body: encryptWebPush(Buffer.from(text), browser.subscription),
    headers: {
      authorization: vapid(),
      ttl: '60',
      'content-encoding': 'aes128gcm',
      ...headers,
    },
  });
};

test('a message reaches the browser, decrypted', async () => {
  const { status, headers } = await send({ headers: { urgency: 'high' } });
  expect(status).toBe(201);
  expect(headers['location']).toMatch(/^https:/);
  expect(simulator.devices.received(browser.token).at(-1)).toMatchObject({
    kind: 'webpush',
    body: 'hello',
    urgency: 'high',
    ttl: 60,
  });
});

test('an offline browser gets the newest message of each topic, while it has not expired', async () => {
  simulator.devices.setOnline(browser.token, false);
  const before = simulator.devices.received(browser.token).length;
  await send({ text: 'old', headers: { topic: 'a' } });
  await send({ text: 'new', headers: { topic: 'a' } });
  await send({ text: 'expired', headers: { ttl: '0' } });
  simulator.devices.setOnline(browser.token, true);
  const bodies = simulator.devices.received(browser.token).slice(before);
  expect(bodies).toMatchObject([{ body: 'new' }]);
});

const other = newWebPushSubscription();
test.each([
  ['no token', 401, () => ({ authorization: '' })],
  ['a token for another service', 401, () => ({ authorization: vapid({ aud: 'https://x.y' }) })],
  ['an expired token', 401, () => ({ authorization: vapid({ exp: 1 }) })],
  ['a token of two days', 401, () => ({ authorization: vapid({ exp: Date.now() / 1e3 + 2e5 }) })],
  ['a token without subject', 401, () => ({ authorization: vapid({ sub: undefined }) })],
  [
    'another VAPID key',
    403,
    () => ({
      authorization: vapid({}, { ...other, public_key: other.p256dh, subject: '' }),
    }),
  ],
  ['no TTL', 400, () => ({ ttl: '' })],
  ['an unknown urgency', 400, () => ({ urgency: 'now' })],
  ['a topic of 33 characters', 400, () => ({ topic: 'x'.repeat(33) })],
  ['another encoding', 400, () => ({ 'content-encoding': 'aesgcm' })],
])('a request with %s is refused with %d', async (_what, status, headers) => {
  expect((await send({ headers: headers() })).status).toBe(status);
});

test('a message of more than 4096 bytes is refused with 413', async () => {
  expect((await send({ text: 'x'.repeat(3_993) })).status).toBe(201);
  expect((await send({ text: 'x'.repeat(3_994) })).status).toBe(413);
});

test('an unknown subscription is refused with 404, one that has ended with 410', async () => {
  expect((await send({ url: `${simulator.webpush_url}/push/none` })).status).toBe(404);
  simulator.uninstall(browser.token);
  expect((await send()).status).toBe(410);
  expect(simulator.addDevice({ kind: 'webpush', token: browser.token })).toMatchObject({
    subscription: browser.subscription,
  });
  expect((await send()).status).toBe(201);
});
