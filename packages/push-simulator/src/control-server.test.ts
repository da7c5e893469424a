import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { controlRoutes } from './control-routes.ts';
import { type Device, type PushSimulator, startSimulator } from './push-simulator.ts';
import { ask, openSession, providerToken } from './test-clients.fixture.ts';

let simulator: PushSimulator;
let phone: Device;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  phone = simulator.addDevice({ kind: 'apns' });
});

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${simulator.control_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${simulator.control_token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: z.unknown().parse(await response.json()) };
}

/** Sends a GET with this target as it is. Returns the status. */
function statusOf(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${simulator.control_token}`;
    const options = { path, headers: { authorization, ...headers } };
    const request = httpRequest(simulator.control_url, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  });
}

async function push(payload: object | string, token = phone.token) {
  const session = await openSession(simulator.apns_url, simulator.ca);
  const authorization = `bearer ${providerToken(simulator.credentials.apns, Math.floor(Date.now() / 1000))}`;
  const headers = { ':path': `/3/device/${token}`, authorization, 'apns-topic': phone.app_id };
  const answer = await ask(
    session,
    headers,
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  );
  session.destroy();
  return answer;
}

test('GET / returns all addresses', async () => {
  const { fcm_url, apns_url, apns_sandbox_url, webpush_url, ca } = simulator;
  const { body } = await call('GET', '/');
  expect(body).toEqual({ fcm_url, apns_url, apns_sandbox_url, webpush_url, ca });
});

test.each([
  ['compressed', { 'content-encoding': 'gzip' }, gzipSync('{"kind":"fcm"}'), 415, /gzip/],
  ['in UTF-16', { 'content-type': 'a/b; charset=utf-16' }, '{"kind":"fcm"}', 415, /utf-16/],
  ['not UTF-8', {}, Buffer.from('{"kind":"fcm","app_id":"caf\xe9"}', 'latin1'), 400, /UTF-8/],
  ['no JSON', {}, '{"kind"', 400, /JSON/],
] as const)('a body that is %s is refused', async (...given) => {
  const [, headers, body, status, message] = given;
  const response = await fetch(`${simulator.control_url}/devices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.control_token}`, ...headers },
    body,
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringMatching(message) });
});

test('a body may begin with a byte order mark', async () => {
  const response = await fetch(`${simulator.control_url}/devices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.control_token}` },
    body: '\ufeff{"kind":"fcm"}',
  });
  expect(response.status).toBe(200);
});

describe('/devices', () => {
  test('adds, lists, switches off and removes devices', async () => {
    const added = await call('POST', '/devices', { kind: 'fcm', app_id: 'org.example.chat' });
    const device = z.object({ token: z.string(), app_id: z.string() }).parse(added.body);
    expect(device.app_id).toBe('org.example.chat');
    const path = `/devices/${encodeURIComponent(device.token)}`;
    expect((await call('PATCH', path, { online: false })).body).toMatchObject({ online: false });
    expect((await call('DELETE', `${path}?reason=Unregistered`)).body).toMatchObject({
      uninstalled: { reason: 'Unregistered' },
    });
    const { body } = await call('GET', '/devices');
    expect(body).toHaveProperty(
      'devices',
      expect.arrayContaining([expect.objectContaining({ token: device.token })]),
    );
  });

  test('answers 404 for an unknown token', async () => {
    expect((await call('GET', '/devices/abc/notifications')).status).toBe(404);
    expect((await call('DELETE', '/devices/abc')).status).toBe(404);
    expect((await call('PATCH', '/devices/abc', { online: true })).status).toBe(404);
  });
});

describe('/devices/*/notifications', () => {
  const read = (query = '') => call('GET', `/devices/${phone.token}/notifications${query}`);

  test('returns the notifications after a seq', async () => {
    await push({ nr: 1 });
    await push({ nr: 2 });
    expect((await read()).body).toMatchObject({
      notifications: [
        { seq: 1, payload: { nr: 1 } },
        { seq: 2, payload: { nr: 2 } },
      ],
    });
    expect((await read('?after=1')).body).toMatchObject({ notifications: [{ seq: 2 }] });
    expect((await read('?after=2')).body).toEqual({ notifications: [] });
  });

  test.each([
    ['push_account_id', '-9223372036854775808'],
    ['push_account_id', '9223372036854775807'],
    ['push_key_id', '4294967295'],
  ])('keeps the %s %s exact', async (name, id) => {
    await push({ nr: 1 });
    const { seq } = simulator.devices.received(phone.token).at(-1) ?? { seq: 0 };
    await push(`{"${name}":${id},"encrypted_data":"x"}`);
    const response = await fetch(
      `${simulator.control_url}/devices/${phone.token}/notifications?after=${seq}`,
      { headers: { authorization: `Bearer ${simulator.control_token}` } },
    );
    expect(await response.text()).toContain(`"payload":{"${name}":${id},`);
  });

  test('waits for the next notification', async () => {
    const [{ body }] = await Promise.all([read('?wait=20'), push({ nr: 1 })]);
    expect(body).toMatchObject({ notifications: [{ seq: 1, payload: { nr: 1 } }] });
  });

  test('returns an empty list if nothing arrives while it waits', async () => {
    expect((await read('?wait=0.05')).body).toEqual({ notifications: [] });
  });
});

test('/faults switches faults on and off', async () => {
  const fault = { status: 500, reason: 'InternalServerError' };
  const rule = { provider: 'apns', match: { token: phone.token }, fault };
  const { body } = await call('POST', '/faults', rule);
  const { fault_id } = z.object({ fault_id: z.number() }).parse(body);
  expect((await push({})).status).toBe(500);
  expect((await call('GET', '/faults')).body).toEqual({ faults: [{ fault_id, ...rule }] });
  expect((await call('DELETE', `/faults/${fault_id}`)).body).toEqual({ cleared: true });
  expect((await push({})).status).toBe(200);
  await call('POST', '/faults', { provider: 'fcm', fault: 'silent', times: 3 });
  expect((await call('DELETE', '/faults')).body).toEqual({ cleared: true });
  expect((await call('DELETE', '/faults')).body).toEqual({ cleared: false });
});

test('/requests lists requests without credentials', async () => {
  await push({ nr: 1 });
  const { body } = await call('GET', '/requests');
  const { requests } = z.object({ requests: z.array(z.looseObject({})) }).parse(body);
  expect(requests.at(-1)).toEqual({
    seq: expect.any(Number),
    time: expect.any(Number),
    provider: 'apns',
    method: 'POST',
    path: `/3/device/${phone.token}`,
    headers: { authorization: 'bearer (not shown)', 'apns-topic': phone.app_id },
    size: 8,
    body: '{"nr":1}',
    cipher_id: null,
    token: phone.token,
    status: 200,
    answer: '',
    outcome: 'delivered',
  });
  const last = String(requests.at(-1)?.['seq']);
  expect((await call('GET', `/requests?after=${last}`)).body).toEqual({ requests: [] });
});

test('/requests waits for the next request', async () => {
  const seq = simulator.journal.requests().at(-1)?.seq ?? 0;
  const [{ body }] = await Promise.all([call('GET', `/requests?after=${seq}&wait=20`), push({})]);
  expect(body).toMatchObject({ requests: [{ seq: seq + 1, outcome: 'delivered' }] });
  expect((await call('GET', `/requests?after=${seq + 1}&wait=0.05`)).body).toEqual({
    requests: [],
  });
});

test('/clock shifts the clocks of the providers', async () => {
  const hour = { offset_ms: 4 * 3_600_000 };
  expect((await call('PUT', '/clock', hour)).body).toEqual(hour);
  expect((await push({})).body).toEqual({ reason: 'ExpiredProviderToken' });
  await call('PUT', '/clock', { offset_ms: 0 });
  expect((await call('GET', '/clock')).body).toEqual({ offset_ms: 0 });
  expect((await push({})).status).toBe(200);
});

test('/scenario plays, shows and ends a scenario', async () => {
  const rule = { provider: 'fcm', fault: 'silent' };
  const steps = [{ set: [rule] }, { after_requests: 1000, clear: true }];
  await call('POST', '/scenario', { name: 'a', steps });
  const status = { name: 'a', done: 1, steps: 2, running: true };
  expect((await call('GET', '/scenario')).body).toEqual({ scenario: status });
  expect((await call('DELETE', '/scenario')).body).toEqual({ cleared: true });
  expect((await call('GET', '/faults')).body).toEqual({ faults: [] });
});

test('/openapi.json documents every operation without a token', async () => {
  const response = await fetch(`${simulator.control_url}/openapi.json`);
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) })
    .parse(await response.json());
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = controlRoutes.map(({ route }) => route);
  expect(documented.toSorted()).toEqual([...routes, 'GET /events'].toSorted());
});

test('/counters counts outcomes', async () => {
  const count = async () => {
    const { body } = await call('GET', '/counters');
    return z.object({ counters: z.record(z.string(), z.number()) }).parse(body).counters;
  };
  const before = await count();
  await push({}, 'ab'.repeat(32));
  const after = await count();
  expect(after['apns.BadDeviceToken']).toBe((before['apns.BadDeviceToken'] ?? 0) + 1);
});

test('/events reports requests and devices as server-sent events', async () => {
  const stop = new AbortController();
  const response = await fetch(`${simulator.control_url}/events`, {
    headers: { authorization: `Bearer ${simulator.control_token}` },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  await push({ nr: 5 });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('"type":"request"')) break;
  }
  stop.abort();
  expect(text).toMatch(/^data: \{"type":"notification".*"payload":\{"nr":5\}/m);
  expect(text).not.toContain('eyJ');
});

describe('the control server rejects', () => {
  test.each([
    ['POST', '/devices', { kind: 'pager' }, 400],
    ['POST', '/devices', { kind: 'apns', colour: 'red' }, 400],
    ['POST', '/faults', { provider: 'apns', fault: 'earthquake' }, 400],
    ['GET', '/nothing', undefined, 404],
    ['PUT', '/devices', {}, 404],
    ['GET', '/devices/%ff', undefined, 404],
    ['DELETE', '/devices/%ff', undefined, 400],
    ['POST', '/devices', 'x'.repeat(70_000), 413],
  ])('%s %s %o', async (method, path, body, status) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  test.each(['', 'Bearer', 'Bearer wrong', 'Basic abc'])(
    'requests with the authorization "%s"',
    async (authorization) => {
      expect((await call('GET', '/devices', undefined, { authorization })).status).toBe(401);
    },
  );

  test('requests from web pages of other sites, by origin and by host name', async () => {
    const elsewhere = { origin: 'https://example.com' };
    expect((await call('GET', '/devices', undefined, elsewhere)).status).toBe(403);
    const here = { origin: 'http://localhost:4600' };
    expect((await call('GET', '/devices', undefined, here)).status).toBe(200);
    const rebound = await statusOf('/', { host: 'evil.example.com' });
    expect(rebound).toBe(403);
  });

  test.each([
    ['http://localhost/devices', 200],
    ['http://LOCALHOST:4600/devices?x=1', 200],
    ['http://evil.example.com/devices', 403],
    ['//', 404],
    ['//evil.example.com/devices', 404],
  ])('the target %s is answered %i', async (target, status) => {
    expect(await statusOf(target)).toBe(status);
  });
});
