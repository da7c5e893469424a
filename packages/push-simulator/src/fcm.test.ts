import type { ClientHttp2Session } from 'node:http2';
import { request as httpsRequest } from 'node:https';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { fcmErrorCodes } from './fcm-errors.ts';
import { type Device, type PushSimulator, startSimulator } from './push-simulator.ts';
import { type Answer, ask, assertion, openSession, tokenForm } from './test-clients.fixture.ts';

const start = 1_795_238_400_000;
const unseen = new Set<string>(Object.keys(fcmErrorCodes));

let now = start;
let simulator: PushSimulator;
let session: ClientHttp2Session;
let phone: Device;
let bearer: string;

beforeAll(async () => {
  simulator = await startSimulator({
    now: () => now,
    limits: { fcm_device: 10, fcm_project: 50 },
  });
  session = await openSession(simulator.fcm_url, simulator.ca);
});
afterAll(async () => {
  session.destroy();
  await simulator.stop();
});
beforeEach(async () => {
  now += 120_000;
  phone = simulator.addDevice({ kind: 'fcm' });
  bearer = `Bearer ${await accessToken()}`;
});
afterEach(() => void simulator.faults.clear());

const exchange = (changes: object = {}) =>
  ask(
    session,
    { ':path': '/token', 'content-type': 'application/x-www-form-urlencoded' },
    tokenForm(assertion(simulator.credentials.fcm, now / 1000, changes)),
  );

async function accessToken(): Promise<string> {
  const { body } = await exchange();
  return z.object({ access_token: z.string() }).parse(body).access_token;
}

const path = () => `/v1/projects/${simulator.credentials.fcm.project_id}/messages:send`;
const post = (body: unknown, headers: object = {}) =>
  ask(session, { ':path': path(), authorization: bearer, ...headers }, JSON.stringify(body));
const send = (message: object = {}) =>
  post({ message: { token: phone.token, data: { a: 'b' }, ...message } });
const received = () => simulator.devices.received(phone.token);

function expectCode(answer: Answer, code: keyof typeof fcmErrorCodes): void {
  const [status, statusWord] = fcmErrorCodes[code];
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: { code: status, status: statusWord } });
  const errorDetail = {
    '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
    errorCode: code,
  };
  expect(answer.body).toHaveProperty('error.details', expect.arrayContaining([errorDetail]));
  unseen.delete(code);
}

function expectField(answer: Answer, field: string): void {
  const text = JSON.stringify(answer.body);
  expect(text).toContain('type.googleapis.com/google.rpc.BadRequest');
  expect(text).toContain(`"fieldViolations":[{"field":"${field}"`);
}

describe("Google's token endpoint", () => {
  test('issues an access token for an hour', async () => {
    const answer = await exchange();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      token_type: 'Bearer',
    });
  });

  test.each([
    ['another account', { iss: 'somebody@example.com' }],
    ['another audience', { aud: 'https://oauth2.example.com/token' }],
    ['an assertion of yesterday', { iat: start / 1000 - 86_400, exp: start / 1000 - 82_800 }],
    ['an assertion for two hours', { exp: start / 1000 + 100_000 }],
    ['no times', { iat: undefined, exp: undefined }],
  ])('rejects %s', async (_, changes) => {
    const answer = await exchange(changes);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('rejects another scope, another grant type and another key', async () => {
    expect((await exchange({ scope: 'https://example.com/mail' })).body).toMatchObject({
      error: 'invalid_scope',
    });
    const form = (text: string) => ask(session, { ':path': '/token' }, text);
    expect((await form('grant_type=password')).body).toMatchObject({
      error: 'unsupported_grant_type',
    });
    const good = assertion(simulator.credentials.fcm, now / 1000);
    expect((await form(tokenForm(`${good.slice(0, -8)}AAAAAAAA`))).body).toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('a valid FCM message', () => {
  test.each([
    { push_account_id: '9007199254740993', encrypted_data: 'YWJj' },
    { push_key_id: '3735928559', encrypted_data: 'YWJj' },
  ])('arrives at the phone unchanged: %j', async (data) => {
    const arrived = new Promise((resolve) => simulator.connect(phone.token, resolve));
    const answer = await send({ data, android: { priority: 'high', collapse_key: 'k' } });
    const project = simulator.credentials.fcm.project_id;
    const name = expect.stringMatching(new RegExp(`^projects/${project}/messages/`));
    expect(answer).toMatchObject({ status: 200, body: { name } });
    expect(await arrived).toEqual({
      kind: 'fcm',
      seq: 1,
      token: phone.token,
      received_at: now,
      message_id: name,
      priority: 'high',
      collapse_key: 'k',
      data,
    });
  });

  test('arrives over HTTP/1.1 too', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = httpsRequest(
        `${simulator.fcm_url}${path()}`,
        { method: 'POST', ca: simulator.ca, agent: false, headers: { authorization: bearer } },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode));
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify({ message: { token: phone.token } }));
    });
    expect(status).toBe(200);
    expect(received()).toHaveLength(1);
  });

  test('does not reach the phone if it has validate_only', async () => {
    const answer = await post({ validate_only: true, message: { token: phone.token } });
    expect(answer.body).toHaveProperty('name');
    expect(received()).toEqual([]);
  });
});

describe('an offline Android phone', () => {
  beforeEach(() => simulator.devices.setOnline(phone.token, false));
  const goOnline = () => simulator.devices.setOnline(phone.token, true);
  const data = () => received().map((one) => (one.kind === 'fcm' ? one.data : undefined));

  test('gets all messages later, but only the newest of each collapse key', async () => {
    await send({ data: { nr: '1' }, android: { collapse_key: 'k' } });
    await send({ data: { nr: '2' } });
    await send({ data: { nr: '3' }, android: { collapse_key: 'k' } });
    goOnline();
    expect(data()).toEqual([{ nr: '2' }, { nr: '3' }]);
  });

  test('gets no message whose time to live has passed', async () => {
    await send({ data: { nr: '1' }, android: { ttl: '0s' } });
    await send({ data: { nr: '2' }, android: { ttl: '60s' } });
    await send({ data: { nr: '3' }, android: { ttl: '61s' } });
    now += 60_500;
    goOnline();
    expect(data()).toEqual([{ nr: '3' }]);
  });
});

describe('an FCM access token', () => {
  test.each(['', 'Bearer nonsense'])('must be valid: %o gets 401', async (authorization) => {
    const answer = await post({ message: {} }, { authorization });
    expect(answer).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } });
  });

  test('expires after an hour', async () => {
    now += 3_600_000;
    expect((await send()).status).toBe(401);
  });

  test('serves one project only', async () => {
    const answer = await post({ message: {} }, { ':path': '/v1/projects/other/messages:send' });
    expect(answer).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } });
  });

  test('does not open an unknown path', async () => {
    expect((await post({}, { ':path': '/v1/projects/other/messages:batch' })).status).toBe(404);
  });
});

describe('an invalid FCM message', () => {
  test('gets an error without FcmError if a data value is a number', async () => {
    const answer = await send({ data: { encrypted_data: 'YWJj', push_account_id: 12 } });
    expect(answer).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } });
    expectField(answer, 'message.data[1].value');
    expect(answer.text).not.toContain('FcmError');
  });

  test('gets an error without FcmError if a field is unknown or the body no JSON', async () => {
    expectField(await send({ colour: 'red' }), 'message.colour');
    const answer = await ask(session, { ':path': path(), authorization: bearer }, '{"message"');
    expect(answer.status).toBe(400);
  });

  test('gets an error with the limit if it has more than 4096 bytes', async () => {
    expect((await send({ data: { data: 'x'.repeat(4092) } })).status).toBe(200);
    const answer = await send({ data: { data: 'x'.repeat(4093) } });
    expectCode(answer, 'INVALID_ARGUMENT');
    expect(answer.text).toContain('The maximum is 4K (4096 bytes).');
  });

  test.each([
    ['message', { token: undefined }],
    ['message', { topic: 'news' }],
    ['message.data', { data: { from: 'x' } }],
    ['message.data', { data: { 'google.x': 'x' } }],
    ['message.android.ttl', { android: { ttl: '2419201s' } }],
    ['message.token', { token: 'nonsense' }],
    ['message.token', { token: 'ab'.repeat(32) }],
  ])('gets an error that names the field %s: %o', async (field, message) => {
    const answer = await send(message);
    expectCode(answer, 'INVALID_ARGUMENT');
    expectField(answer, field);
  });

  test('gets its error details in changing order', async () => {
    const orders = [await send({ token: 'x' }), await send({ token: 'x' })].map(
      ({ text }) => text.indexOf('FcmError') < text.indexOf('BadRequest'),
    );
    expect(new Set(orders).size).toBe(2);
  });
});

describe('the simulated FCM', () => {
  test('answers UNREGISTERED for an unknown device and for an uninstalled app', async () => {
    simulator.uninstall(phone.token);
    expectCode(await send(), 'UNREGISTERED');
    const [first = ''] = phone.token.split(':');
    const answer = await send({ token: `${first}:APA91b${'x'.repeat(134)}` });
    expectCode(answer, 'UNREGISTERED');
    expect(answer.body).toHaveProperty('error.details.length', 1);
  });

  test('accepts a token again when its app is installed again with it', async () => {
    simulator.uninstall(phone.token);
    simulator.addDevice({ kind: 'fcm', token: phone.token });
    expect((await send()).status).toBe(200);
  });

  test('answers SENDER_ID_MISMATCH for a device of another project', async () => {
    phone = simulator.addDevice({ kind: 'fcm', project_id: 'another' });
    expectCode(await send(), 'SENDER_ID_MISMATCH');
  });

  test('answers QUOTA_EXCEEDED above the quota of a device and of the project', async () => {
    for (let nr = 0; nr < 10; nr++) expect((await send()).status).toBe(200);
    now += 45_000;
    const answer = await send();
    expectCode(answer, 'QUOTA_EXCEEDED');
    expect(answer.headers['retry-after']).toBe('15');
    expect(answer.text).toContain('google.rpc.QuotaFailure');
    const others = Array.from({ length: 40 }, () => simulator.addDevice({ kind: 'fcm' }));
    const answers = await Promise.all(others.map(({ token }) => send({ token })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    now += 60_000;
    expect((await send()).status).toBe(200);
  });
});

describe('an FCM fault', () => {
  test.each(['UNAVAILABLE', 'INTERNAL', 'UNSPECIFIED_ERROR', 'THIRD_PARTY_AUTH_ERROR'] as const)(
    'answers %s',
    async (reason) => {
      const [status] = fcmErrorCodes[reason];
      const fault = { status, reason, retry_after: 'Sat, 21 Nov 2026 05:00:00 GMT' };
      simulator.faults.add({ provider: 'fcm', match: { token: phone.token }, times: 1, fault });
      const answer = await send();
      expectCode(answer, reason);
      expect(answer.headers['retry-after']).toBe('Sat, 21 Nov 2026 05:00:00 GMT');
      expect((await send()).status).toBe(200);
    },
  );

  test('answers 401 with an HTML page', async () => {
    simulator.faults.add({ provider: 'fcm', times: 1, fault: 'html_401' });
    const answer = await send();
    expect(answer.status).toBe(401);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.text).toContain('<html>');
  });

  test('makes the token endpoint fail', async () => {
    const fault = { status: 503, reason: 'temporarily_unavailable', retry_after: 3 };
    simulator.faults.add({ provider: 'oauth', times: 1, fault });
    const answer = await exchange();
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect((await exchange()).status).toBe(200);
  });

  test('every documented FCM error code occurs in these tests', () => {
    expect([...unseen]).toEqual([]);
  });
});
