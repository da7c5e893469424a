import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { apnsReasons } from './apns-reasons.ts';
import { type Device, type PushSimulator, startSimulator } from './push-simulator.ts';
import { ask, openSession, providerToken } from './test-clients.fixture.ts';

const minute = 60_000;
const start = 1_795_238_400_000;
const body = JSON.stringify({ aps: { alert: { title: 'New message' } }, push_account_id: 12 });
const unseen = new Set<string>(Object.keys(apnsReasons));

let now = start;
let simulator: PushSimulator;
let session: ClientHttp2Session;
let phone: Device;
let firstToken: string;

beforeAll(async () => {
  simulator = await startSimulator({
    now: () => now,
    topics: ['org.example.chat', 'org.example.other'],
    limits: { apns_device: 30 },
  });
  firstToken = token(start / 1000);
});
afterAll(() => simulator.stop());
beforeEach(async () => {
  now = start;
  phone = simulator.addDevice({ kind: 'apns' });
  session = await openSession(simulator.apns_url, simulator.ca);
});
afterEach(() => {
  simulator.faults.clear();
  session.destroy();
});

const token = (seconds = now / 1000, changes = {}) =>
  providerToken(simulator.credentials.apns, seconds, changes);

function headers(changes: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return {
    ':path': `/3/device/${phone.token}`,
    authorization: `bearer ${firstToken}`,
    'apns-topic': 'org.example.chat',
    'apns-push-type': 'alert',
    'apns-priority': '10',
    ...changes,
  };
}

async function expectReason(
  reason: keyof typeof apnsReasons,
  changes: OutgoingHttpHeaders,
  payload = body,
) {
  const answer = await ask(session, headers(changes), payload);
  expect(answer.body).toMatchObject({ reason });
  expect(answer.status).toBe(apnsReasons[reason]);
  expect(answer.headers['apns-id']).toMatch(/^[0-9A-F-]{36}$/i);
  unseen.delete(reason);
  return answer;
}

describe('a valid APNs request', () => {
  test('arrives at the phone unchanged', async () => {
    const id = '6f1c7a52-6c6b-4a53-9a3e-8f8f1e0a6d11';
    const arrived = new Promise((resolve) => simulator.connect(phone.token, resolve));
    const answer = await ask(
      session,
      headers({ 'apns-id': id, 'apns-collapse-id': 'topic 7', 'apns-expiration': '0' }),
      body,
    );
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'apns-id': id } });
    expect(answer.headers['apns-unique-id']).toBeUndefined();
    expect(await arrived).toEqual({
      kind: 'apns',
      seq: 1,
      token: phone.token,
      received_at: start,
      apns_id: id,
      topic: 'org.example.chat',
      push_type: 'alert',
      priority: 10,
      collapse_id: 'topic 7',
      payload: JSON.parse(body),
      body,
    });
  });

  test('gets an apns-id if it has none', async () => {
    const answer = await ask(session, headers(), body);
    expect(answer.status).toBe(200);
    expect(answer.headers['apns-id']).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
  });

  test('may have a payload of 4096 bytes', async () => {
    const payload = JSON.stringify({ encrypted_data: '' }).length;
    const full = JSON.stringify({ encrypted_data: 'x'.repeat(4096 - payload) });
    expect((await ask(session, headers(), full)).status).toBe(200);
  });

  test('reaches devices of its environment only; the sandbox answers with apns-unique-id', async () => {
    phone = simulator.addDevice({ kind: 'apns', environment: 'sandbox' });
    const sandbox = await openSession(simulator.apns_sandbox_url, simulator.ca);
    const answer = await ask(sandbox, headers(), body);
    sandbox.destroy();
    expect(answer.status).toBe(200);
    expect(answer.headers['apns-unique-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('the HTTP/2 settings are those of Apple', () => {
  expect(session.remoteSettings).toMatchObject({
    headerTableSize: 4096,
    maxConcurrentStreams: 1000,
    initialWindowSize: 65_535,
    maxFrameSize: 16_384,
    maxHeaderListSize: 8000,
  });
});

describe('an offline iPhone', () => {
  beforeEach(() => simulator.devices.setOnline(phone.token, false));
  const send = (nr: number, changes: OutgoingHttpHeaders = {}) =>
    ask(session, headers(changes), JSON.stringify({ nr }));
  const received = () => simulator.devices.received(phone.token);

  test('gets only the newest notification once it is online', async () => {
    for (const nr of [1, 2, 3]) expect((await send(nr)).status).toBe(200);
    expect(received()).toEqual([]);
    simulator.devices.setOnline(phone.token, true);
    expect(received()).toMatchObject([{ seq: 1, payload: { nr: 3 } }]);
  });

  test('keeps its stored notification when one with expiration 0 arrives', async () => {
    await send(1);
    await send(2, { 'apns-expiration': '0' });
    expect(simulator.journal.requests().at(-1)?.outcome).toBe('dropped');
    simulator.devices.setOnline(phone.token, true);
    expect(received()).toMatchObject([{ payload: { nr: 1 } }]);
  });

  test('gets no notification with expiration 0 and none that has expired', async () => {
    await send(1, { 'apns-expiration': '0' });
    simulator.devices.setOnline(phone.token, true);
    simulator.devices.setOnline(phone.token, false);
    await send(2, { 'apns-expiration': String(now / 1000 + 60) });
    now += 2 * minute;
    simulator.devices.setOnline(phone.token, true);
    expect(received()).toEqual([]);
  });
});

describe('the simulated APNs, checking a provider token,', () => {
  test('answers MissingProviderToken to a request without a provider token', async () => {
    await expectReason('MissingProviderToken', { authorization: 'basic abc' });
  });

  test.each([
    ['without the form of a JWT', () => 'abc'],
    ['of another team', () => token(start / 1000, { iss: 'OTHERTEAM1' })],
    ['without iat', () => token(start / 1000, { iat: undefined })],
    ['from the future', () => token(start / 1000 + 600)],
    ['with a changed signature', () => `${token(start / 1000).slice(0, -8)}AAAAAAAA`],
    [
      'of an unknown key',
      () => providerToken({ ...simulator.credentials.apns, key_id: 'UNKNOWNKEY' }, start / 1000),
    ],
  ])('answers InvalidProviderToken to a provider token %s', async (_, make) => {
    await expectReason('InvalidProviderToken', { authorization: `bearer ${make()}` });
  });

  test('answers ExpiredProviderToken to a provider token older than an hour', async () => {
    expect((await ask(session, headers(), body)).status).toBe(200);
    now += 60 * minute + 1000;
    await expectReason('ExpiredProviderToken', {});
    const fresh = { authorization: `bearer ${token()}` };
    expect((await ask(session, headers(fresh), body)).status).toBe(200);
  });

  test('accepts another provider token on one connection after 20 minutes, not before', async () => {
    await ask(session, headers(), body);
    now += 19 * minute;
    const early = { authorization: `bearer ${token()}` };
    await expectReason('TooManyProviderTokenUpdates', early);
    expect((await ask(session, headers(), body)).status).toBe(200);
    const other = await openSession(simulator.apns_url, simulator.ca);
    expect((await ask(other, headers(early), body)).status).toBe(200);
    other.destroy();
    now += minute;
    expect((await ask(session, headers(early), body)).status).toBe(200);
  });

  test('answers UnrelatedKeyIdInToken to a provider token of a second key on one connection', async () => {
    await ask(session, headers(), body);
    const other = await simulator.addApnsKey();
    const authorization = `bearer ${providerToken(other, now / 1000)}`;
    await expectReason('UnrelatedKeyIdInToken', { authorization });
  });

  test('answers BadEnvironmentKeyIdInToken to a key of the other environment', async () => {
    const other = await simulator.addApnsKey({ environment: 'sandbox' });
    const authorization = `bearer ${providerToken(other, now / 1000)}`;
    await expectReason('BadEnvironmentKeyIdInToken', { authorization });
  });

  test('answers TopicDisallowed to a key for another topic', async () => {
    const other = await simulator.addApnsKey({ topics: ['org.example.other'] });
    const authorization = `bearer ${providerToken(other, now / 1000)}`;
    await expectReason('TopicDisallowed', { authorization });
  });
});

describe('the simulated APNs, checking a request,', () => {
  test.each<[keyof typeof apnsReasons, OutgoingHttpHeaders]>([
    ['BadPath', { ':path': '/3/devices/12' }],
    ['MethodNotAllowed', { ':method': 'PUT' }],
    ['MissingDeviceToken', { ':path': '/3/device/' }],
    ['DuplicateHeaders', { 'apns-topic': ['org.example.chat', 'org.example.chat'] }],
    ['BadMessageId', { 'apns-id': '12' }],
    ['BadExpirationDate', { 'apns-expiration': 'tomorrow' }],
    ['BadPriority', { 'apns-priority': '7' }],
    ['BadPriority', { 'apns-push-type': 'background', 'apns-priority': '10' }],
    ['InvalidPushType', { 'apns-push-type': 'loud' }],
    ['BadCollapseId', { 'apns-collapse-id': 'x'.repeat(65) }],
    ['MissingTopic', { 'apns-topic': undefined }],
    ['BadTopic', { 'apns-topic': 'org example chat' }],
    ['TopicDisallowed', { 'apns-topic': 'org.example.unknown' }],
    ['BadDeviceToken', { ':path': '/3/device/nothex' }],
    ['BadDeviceToken', { ':path': `/3/device/${'ab'.repeat(32)}` }],
    ['DeviceTokenNotForTopic', { 'apns-topic': 'org.example.other' }],
  ])('answers %s to %o', async (reason, changes) => {
    await expectReason(reason, changes);
  });

  test.each([
    ['PayloadEmpty', ''],
    ['PayloadEmpty', 'no json'],
    ['PayloadTooLarge', JSON.stringify({ encrypted_data: 'x'.repeat(4096) })],
  ] as const)('answers %s to the payload %s', async (reason, payload) => {
    await expectReason(reason, {}, payload);
  });

  test('accepts low priority for a background push', async () => {
    const quiet = { 'apns-push-type': 'background', 'apns-priority': '5' };
    expect((await ask(session, headers(quiet), body)).status).toBe(200);
  });

  test('answers BadDeviceToken to a device of the other environment', async () => {
    phone = simulator.addDevice({ kind: 'apns', environment: 'sandbox' });
    await expectReason('BadDeviceToken', {});
  });
});

describe('a push to a removed app', () => {
  test.each(['Unregistered', 'ExpiredToken'] as const)(
    'gets %s with the time of the removal',
    async (reason) => {
      simulator.uninstall(phone.token, { reason });
      now += minute;
      const answer = await expectReason(reason, {});
      expect(answer.body).toEqual({ reason, timestamp: start });
    },
  );

  test('gets success until Apple notices the removal', async () => {
    simulator.uninstall(phone.token, { noticed_after_ms: 5000 });
    expect((await ask(session, headers(), body)).status).toBe(200);
    expect(simulator.devices.received(phone.token)).toEqual([]);
    now += 5000;
    expect((await expectReason('Unregistered', {})).body).toMatchObject({ timestamp: now });
  });
});

test('requests to one device above the limit are rejected for the rest of the minute', async () => {
  for (let nr = 0; nr < 30; nr++) {
    expect((await ask(session, headers(), body)).status).toBe(200);
  }
  await expectReason('TooManyRequests', {});
  now += minute;
  expect((await ask(session, headers(), body)).status).toBe(200);
});

describe('an APNs fault', () => {
  test.each([
    'IdleTimeout',
    'BadCertificate',
    'BadCertificateEnvironment',
    'Forbidden',
    'InternalServerError',
    'ServiceUnavailable',
    'Shutdown',
  ] as const)('answers %s', async (reason) => {
    const status = apnsReasons[reason];
    simulator.faults.add({
      provider: 'apns',
      times: 1,
      fault: { status, reason, retry_after: 900 },
    });
    expect((await expectReason(reason, {})).headers['retry-after']).toBe('900');
    expect((await ask(session, headers(), body)).status).toBe(200);
  });

  test('every documented APNs reason occurs in these tests', () => {
    expect([...unseen]).toEqual([]);
  });
});
