import { createClient } from '@bellhop/client';
import { type ClientDevice, PushRegistration, thisVersion } from '@bellhop/protocol';
import { openJson, sealing, secretboxCipher, tokenId } from '@bellhop/push-crypto';
import vectors from '@bellhop/push-crypto/vectors/device-pushes.json' with { type: 'json' };
import { expect, test } from 'vitest';

import {
  addClientDevice,
  type ClientDeviceIdentity,
  Device,
  generationOf,
  newIdentity,
  NotificationRefused,
  withNewKey,
} from './device.ts';

const bouncerKey = sealing.generateKeyPair();
const NOW = 1_800_000_000;
const DAY = 86_400;
const OWN = 7;
const token = { kind: 'apns', token: 'C0FFEE', iosAppId: 'org.bellhop.phone' } as const;
const TOKEN_ID = tokenId(token.token);

const first: ClientDeviceIdentity = {
  device_id: OWN,
  key: { push_key_id: 3_735_928_559, push_key: secretboxCipher.createKey().push_key },
  older_keys: [],
};
const empty: ClientDevice = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};
const active: ClientDevice = {
  ...empty,
  push_key_id: first.key.push_key_id,
  push_token_id: TOKEN_ID,
  push_token_last_updated_timestamp: NOW,
};

/** A chat server that has this record, and answers a registration with these events. */
function fakeServer(record: ClientDevice | undefined, ...events: readonly object[]) {
  const sent: URLSearchParams[] = [];
  const answers: Record<string, (params: URLSearchParams) => object> = {
    'POST /api/v1/register_client_device': () => ({ device_id: OWN }),
    'POST /api/v1/register': () => ({
      queue_id: 'q',
      last_event_id: -1,
      ...thisVersion,
      devices: record ? { [OWN]: record } : {},
    }),
    'POST /api/v1/mobile_push/register': (params) => (sent.push(params), {}),
    'GET /api/v1/events': () => ({
      queue_id: 'q',
      events: [
        { type: 'device', op: 'update', device_id: 1, push_token_id: TOKEN_ID },
        ...events.map((event) => ({ type: 'device', op: 'update', device_id: OWN, ...event })),
      ].map((event, id) => ({ id, ...event })),
    }),
    'DELETE /api/v1/events': () => ({}),
  };
  const client = createClient({
    url: 'http://chat.example.com',
    fetch: (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      const answer = answers[`${init?.method} ${pathname}`];
      const params = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams();
      return Promise.resolve(Response.json({ result: 'success', msg: '', ...answer?.(params) }));
    },
  });
  const phone = (identity = first) =>
    new Device({
      client,
      token,
      bouncerPublicKey: bouncerKey.publicKey,
      identity,
      now: () => NOW * 1_000,
    });
  return { client, sent, phone };
}
const halves = (params: URLSearchParams | undefined) => ({
  key: params?.has('push_key') === true && params.has('push_key_id'),
  token: params?.has('encrypted_push_registration') === true && params.has('token_id'),
});
const accepted = { push_token_id: TOKEN_ID, pending_push_token_id: null };

test('a phone gets its device_id of the server, and a key with an ID of 32 bits', async () => {
  const { client } = fakeServer(undefined);
  const identity = await addClientDevice(client);
  expect(identity).toMatchObject({ device_id: OWN, older_keys: [] });
  expect(identity.key.push_key_id).toBeLessThan(2 ** 32);
  expect(Buffer.from(identity.key.push_key, 'base64')).toHaveLength(33);
  expect([generationOf(identity), generationOf(newIdentity())]).toEqual(['device', 'account']);
});

test('the first registration sends key and token, named by the text that the phone has', async () => {
  const { phone, sent } = fakeServer(empty, { pending_push_token_id: TOKEN_ID }, accepted);
  await phone().register();
  const [params] = sent;
  expect(Object.fromEntries(params ?? [])).toEqual({
    device_id: String(OWN),
    push_key_id: '3735928559',
    push_key: first.key.push_key,
    token_kind: 'apns',
    token_id: 'jS5/TZMf7/8=',
    bouncer_public_key: bouncerKey.publicKey,
    encrypted_push_registration: expect.any(String) as string,
  });
  const box = params?.get('encrypted_push_registration') ?? '';
  expect(PushRegistration.parse(openJson(sealing, box, bouncerKey))).toEqual({
    token: 'C0FFEE',
    token_kind: 'apns',
    timestamp: NOW,
    ios_app_id: 'org.bellhop.phone',
  });
});

const other = tokenId('another token');
test.each<[string, ClientDevice, { key: boolean; token: boolean } | undefined]>([
  ['everything', active, undefined],
  ['another key', { ...active, push_key_id: 1 }, { key: true, token: false }],
  ['another token', { ...active, push_token_id: other }, { key: false, token: true }],
  [
    'a pending other token',
    { ...active, pending_push_token_id: other },
    { key: false, token: true },
  ],
  [
    'a token of 30 days ago',
    { ...active, push_token_last_updated_timestamp: NOW - 30 * DAY },
    { key: false, token: true },
  ],
  [
    'a token of 29 days ago',
    { ...active, push_token_last_updated_timestamp: NOW - 29 * DAY },
    undefined,
  ],
  [
    'an error',
    { ...active, pending_push_token_id: TOKEN_ID, push_registration_error_code: 'REQUEST_EXPIRED' },
    { key: false, token: true },
  ],
  ['a dead token', { ...active, push_token_id: null }, { key: false, token: true }],
  [
    'this token pending',
    { ...active, push_token_id: null, pending_push_token_id: TOKEN_ID },
    undefined,
  ],
])('register() sends what the server does not have: it has %s', async (_what, record, expected) => {
  const { phone, sent } = fakeServer(record, accepted);
  await phone().register();
  expect(sent.map(halves)).toEqual(expected ? [expected] : []);
});

test('register() throws RegistrationRefused with the code of the event, and if the device was removed', async () => {
  const refused = fakeServer(empty, {
    push_registration_error_code: 'INVALID_BOUNCER_PUBLIC_KEY',
    error_message: 'update the app',
  });
  await expect(refused.phone().register()).rejects.toMatchObject({
    name: 'RegistrationRefused',
    code: 'INVALID_BOUNCER_PUBLIC_KEY',
    detail: 'update the app',
  });
  const removed = fakeServer(empty, { op: 'remove' });
  await expect(removed.phone().register()).rejects.toThrow('The server has removed the device 7');
});

const encrypted = ({ push_key_id, push_key }: ClientDeviceIdentity['key'], payload: object) => ({
  push_key_id: String(push_key_id),
  encrypted_data: secretboxCipher.encrypt(payload, push_key),
});
const common = { realm_url: 'https://chat.example.com', realm_name: 'Chat', user_id: 9 };
const push = { ...common, type: 'test', time: 1 };

test('receive() decrypts by the ID of the key, which is text of FCM and a number of APNs', () => {
  const phone = fakeServer(active).phone();
  const data = encrypted(first.key, push);
  expect(phone.receive(data)).toEqual(push);
  const body = { ...data, push_key_id: first.key.push_key_id, aps: { 'mutable-content': 1 } };
  expect(phone.receive(JSON.stringify(body))).toEqual(push);
  expect(phone.inbox).toEqual([push, push]);
});

test('after a rotation what was encrypted for the older key is still decrypted', () => {
  let identity: ReturnType<typeof withNewKey> = first;
  const keys = [first.key];
  for (let turn = 0; turn < 9; turn++) {
    identity = withNewKey(identity);
    if ('device_id' in identity) keys.push(identity.key);
  }
  expect(identity).toMatchObject({ device_id: OWN });
  const phone = fakeServer(active).phone(identity as ClientDeviceIdentity);
  for (const key of keys.slice(1)) expect(phone.receive(encrypted(key, push))).toEqual(push);
  expect(() => phone.receive(encrypted(first.key, push))).toThrow(
    expect.objectContaining({ reason: 'other_account' }) as Error,
  );
});

test.each([
  ['an unknown key', { ...encrypted(first.key, push), push_key_id: '5' }, 'other_account'],
  ['the other generation', { push_account_id: '5', encrypted_data: 'AAAA' }, 'malformed'],
  ['an ID that is no number', { ...encrypted(first.key, push), push_key_id: 'x' }, 'malformed'],
  ['an unknown payload', encrypted(first.key, { type: 'news' }), 'unknown_payload'],
  ...vectors.bad_encrypted_data.map(({ name, encrypted_data }): [string, object, string] => [
    name,
    { push_key_id: String(first.key.push_key_id), encrypted_data },
    'undecryptable',
  ]),
])('receive() refuses %s', (_what, received, reason) => {
  const phone = fakeServer(active).phone();
  let refused: unknown;
  try {
    phone.receive({ ...received });
  } catch (error) {
    refused = error instanceof NotificationRefused ? error.reason : error;
  }
  expect(refused).toBe(reason);
  expect(phone.inbox).toEqual([]);
});
