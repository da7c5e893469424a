import { createClient } from '@bellhop/client';
import { parseJson, PushRegistration, stringifyJson, thisVersion } from '@bellhop/protocol';
import { openJson, payloadCipher, sealing } from '@bellhop/push-crypto';
import { expect, test } from 'vitest';

import { Device, type DeviceToken, newIdentity, NotificationRefused } from './device.ts';

const bouncerKey = sealing.generateKeyPair();
const android: DeviceToken = { kind: 'fcm', token: 'some-token:1' };
const appleToken = 'ab12'.repeat(16);
const iphone: DeviceToken = { kind: 'apns', token: appleToken, iosAppId: 'org.bellhop.phone' };

type State = { status: 'active' | 'failed' | 'pending'; error_code: string | null };
type Event = { status: 'active' | 'failed'; error_code?: string; error_message?: string };

/** A client of a chat server that answers a registration with the given event. */
function fakeServer(event: Event, { known }: { known?: State } = {}) {
  const registrations: URLSearchParams[] = [];
  let dropped = 0;
  const answers: Record<string, (params: URLSearchParams) => object> = {
    'POST /api/v1/register': () => ({
      queue_id: 'q',
      last_event_id: -1,
      ...thisVersion,
      push_devices: known ? { [device.identity.push_account_id]: known } : {},
    }),
    'POST /api/v1/mobile_push/register': (params) => {
      registrations.push(params);
      return {};
    },
    'GET /api/v1/events': () => {
      const push_account_id = registrations[0]?.get('push_account_id');
      const other = { push_account_id: '1', status: 'failed', error_code: 'BAD_REQUEST' };
      return {
        queue_id: 'q',
        events: [
          { id: 0, type: 'heartbeat' },
          { id: 1, type: 'push_device', ...other },
          { id: 2, type: 'push_device', push_account_id, ...event },
        ],
      };
    },
    'DELETE /api/v1/events': () => ({ dropped: ++dropped }),
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
  const bouncerPublicKey = bouncerKey.publicKey;
  const device: Device = new Device({ client, token: iphone, bouncerPublicKey });
  return { device, registrations, dropped: () => dropped };
}

const offline = (token: DeviceToken = android, identity = newIdentity()) =>
  new Device({
    client: createClient({ url: 'http://127.0.0.1:9' }),
    token,
    bouncerPublicKey: bouncerKey.publicKey,
    identity,
  });

const common = { realm_url: 'https://chat.example.com', realm_name: 'Chat', user_id: 9 };
const message = (message_id = 7) => ({
  ...common,
  type: 'message',
  recipient_type: 'direct',
  message_id,
  sender_id: 10,
  sender_full_name: 'Iago',
  sender_avatar_url: 'https://chat.example.com/avatar/10',
  time: 1_700_000_000,
  content: 'Hi',
});
const encrypted = (device: Device, payload: object) => ({
  push_account_id: device.identity.push_account_id,
  encrypted_data: payloadCipher.encrypt(payload, device.identity.key.push_key),
});
function refusal(receive: () => unknown): unknown {
  try {
    receive();
    return undefined;
  } catch (error) {
    return error instanceof NotificationRefused ? error.reason : error;
  }
}

test('register() sends a registration that only the bouncer can open, and waits for its answer', async () => {
  const { device, registrations, dropped } = fakeServer({ status: 'active' });
  await device.register();
  const [sent] = registrations;
  expect(registrations).toHaveLength(1);
  expect(sent?.get('push_account_id')).toBe(device.identity.push_account_id);
  expect(sent?.get('push_public_key')).toBe(device.identity.key.push_key);
  expect(String(sent)).not.toContain(appleToken);
  const opened = openJson(sealing, sent?.get('encrypted_push_registration') ?? '', bouncerKey);
  expect(PushRegistration.parse(opened)).toMatchObject({
    token: appleToken,
    token_kind: 'apns',
    ios_app_id: 'org.bellhop.phone',
  });
  expect(dropped()).toBe(1);
});

test('register() throws RegistrationRefused with the code of the bouncer, and its reason if there is one', async () => {
  const { device } = fakeServer({ status: 'failed', error_code: 'REQUEST_EXPIRED' });
  await expect(device.register()).rejects.toMatchObject({
    code: 'REQUEST_EXPIRED',
    detail: undefined,
  });
  const reason = { error_code: 'BAD_REQUEST', error_message: 'token is missing' };
  const refused = fakeServer({ status: 'failed', ...reason });
  await expect(refused.device.register()).rejects.toThrow('BAD_REQUEST, token is missing');
});

test('register() sends nothing if the phone is registered already', async () => {
  const known: State = { status: 'active', error_code: null };
  const { device, registrations } = fakeServer({ status: 'active' }, { known });
  await device.register();
  expect(registrations).toEqual([]);
});

test('register() registers again after a failure', async () => {
  const known: State = { status: 'failed', error_code: 'REQUEST_EXPIRED' };
  const { device, registrations } = fakeServer({ status: 'active' }, { known });
  await device.register();
  expect(registrations).toHaveLength(1);
});

test('receive() decrypts the data of an FCM message', () => {
  const device = offline();
  expect(device.receive(encrypted(device, message()))).toEqual(message());
  expect(device.inbox).toEqual([message()]);
});

test('receive() decrypts the body of an APNs notification, as text or parsed', () => {
  const identity = { ...newIdentity(), push_account_id: '-9007199254740995' };
  const device = offline(iphone, identity);
  const body = stringifyJson({
    ...encrypted(device, { ...common, type: 'test', time: 1 }),
    push_account_id: BigInt(device.identity.push_account_id),
    aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
  });
  expect(device.receive(body)).toMatchObject({ type: 'test' });
  expect(device.receive(parseJson(body) as Record<string, unknown>)).toMatchObject({ time: 1 });
  expect(device.receive(JSON.parse(body) as Record<string, unknown>)).toMatchObject({ time: 1 });
  const neighbour = offline(iphone, { ...identity, push_account_id: '-9007199254740994' });
  expect(refusal(() => neighbour.receive(body))).toBe('other_account');
});

test('receive() rejects the notification of another account', () => {
  const [mine, other] = [offline(), offline()];
  expect(refusal(() => mine.receive(encrypted(other, message())))).toBe('other_account');
  const forged = {
    ...encrypted(other, message()),
    push_account_id: mine.identity.push_account_id,
  };
  expect(refusal(() => mine.receive(forged))).toBe('undecryptable');
  expect(mine.inbox).toEqual([]);
});

test('receive() rejects changed, malformed and unknown notifications', () => {
  const device = offline();
  const good = encrypted(device, message());
  const { encrypted_data: data } = good;
  const flipped = `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}`;
  for (const encrypted_data of [flipped, data.slice(0, 40), '', '%%%'])
    expect(refusal(() => device.receive({ ...good, encrypted_data }))).toBe('undecryptable');
  for (const malformed of [
    '',
    'null',
    '[]',
    '{}',
    { push_account_id: 'x' },
    { ...good, encrypted_data: 1 },
  ])
    expect(refusal(() => device.receive(malformed))).toBe('malformed');
  expect(refusal(() => device.receive(encrypted(device, { type: 'news' })))).toBe(
    'unknown_payload',
  );
  expect(device.inbox).toEqual([]);
});

test('onPush() and waitFor() report each notification', async () => {
  const device = offline();
  const heard: string[] = [];
  const stop = device.onPush(({ type }) => heard.push(type));
  const waiting = device.waitFor((push) => push.type === 'message' && push.message_id === 8);
  for (const id of [7, 8]) device.receive(encrypted(device, message(id)));
  expect(await waiting).toMatchObject({ message_id: 8 });
  stop();
  device.receive(encrypted(device, { ...common, type: 'remove', message_ids: [7] }));
  expect(heard).toEqual(['message', 'message']);
  expect(device.shown).toMatchObject([{ message_id: 8 }]);
  expect(await device.waitFor(({ type }) => type === 'remove')).toMatchObject({ message_ids: [7] });
  await expect(device.waitFor(() => false, { timeoutMs: 10 })).rejects.toThrow('10 ms');
});

test('new account numbers use all 64 bits', () => {
  const ids = Array.from({ length: 64 }, () => BigInt(newIdentity().push_account_id));
  expect(new Set(ids).size).toBe(64);
  expect(ids.some((id) => id < 0n)).toBe(true);
  expect(ids.every((id) => id >= -(2n ** 63n) && id < 2n ** 63n)).toBe(true);
});
