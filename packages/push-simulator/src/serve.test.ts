import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, constants } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Device,
  type FaultRule,
  type PushSimulator,
  startSimulator,
} from './push-simulator.ts';
import { ask, assertion, openSession, providerToken, tokenForm } from './test-clients.fixture.ts';

const body = JSON.stringify({ aps: {} });

let simulator: PushSimulator;
let session: ClientHttp2Session;
let phone: Device;
let authorization: string;

beforeAll(async () => {
  simulator = await startSimulator();
  authorization = `bearer ${providerToken(simulator.credentials.apns, Math.floor(Date.now() / 1000))}`;
});
afterAll(() => simulator.stop());
beforeEach(async () => {
  phone = simulator.addDevice({ kind: 'apns' });
  session = await openSession(simulator.apns_url, simulator.ca);
});
afterEach(() => {
  simulator.faults.clear();
  session.destroy();
});

const send = (on = session, token = phone.token) =>
  ask(on, { ':path': `/3/device/${token}`, authorization, 'apns-topic': phone.app_id }, body);
const received = () => simulator.devices.received(phone.token);
const switchOn = (fault: FaultRule['fault'], times = 1) =>
  simulator.faults.add({ provider: 'apns', match: { token: phone.token }, times, fault });
const lastRequest = () => simulator.journal.requests().at(-1);
const requestLogged = () =>
  new Promise((resolve) => {
    const end = simulator.journal.listen((event) => {
      if (event.type !== 'request') return;
      end();
      resolve(event);
    });
  });

/** Resolves with the code and the last stream of the next GOAWAY. */
async function goAway(on = session) {
  const [code, lastStreamId] = await once(on, 'goaway');
  return { code, lastStreamId };
}

describe('the fault goaway', () => {
  test('rejects the request, finishes earlier ones and ends the connection', async () => {
    simulator.faults.add({ provider: 'apns', times: 1, fault: { slow_ms: 50 } });
    const before = send();
    switchOn('goaway');
    const [frame, answer] = await Promise.all([
      goAway(),
      before,
      expect(send()).rejects.toThrow('NGHTTP2_REFUSED_STREAM'),
    ]);
    expect(frame).toEqual({ code: constants.NGHTTP2_NO_ERROR, lastStreamId: 1 });
    expect(answer.status).toBe(200);
    if (!session.closed) await once(session, 'close');
    expect(received()).toHaveLength(1);
  });

  test('rejects the first request of a connection too', async () => {
    switchOn('goaway');
    await Promise.all([goAway(), expect(send()).rejects.toThrow('NGHTTP2_REFUSED_STREAM')]);
    expect(received()).toEqual([]);
    const fresh = await openSession(simulator.apns_url, simulator.ca);
    expect((await send(fresh)).status).toBe(200);
    fresh.destroy();
  });

  test('rejects the requests under way after it, and delivers none of them', async () => {
    await send();
    switchOn('goaway');
    const sent = await Promise.allSettled([send(), send(), send()]);
    expect(sent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(received()).toHaveLength(1);
  });

  test('can carry a reason', async () => {
    switchOn({ goaway_reason: 'IdleTimeout' });
    const frame = once(session, 'goaway');
    await expect(send()).rejects.toThrow('NGHTTP2_REFUSED_STREAM');
    const [, , data] = await frame;
    expect(JSON.parse(String(data))).toEqual({ reason: 'IdleTimeout' });
  });

  test('loses no request if it comes after the answer', async () => {
    switchOn('goaway_after_answer');
    const [frame, answer] = await Promise.all([goAway(), send()]);
    expect(frame).toEqual({ code: constants.NGHTTP2_NO_ERROR, lastStreamId: 1 });
    expect(answer.status).toBe(200);
    expect(received()).toHaveLength(1);
  });
});

describe('a fault of one stream', () => {
  test('rejects the stream; the connection stays open', async () => {
    switchOn('refuse_stream', 2);
    await expect(send()).rejects.toThrow('NGHTTP2_REFUSED_STREAM');
    await expect(send()).rejects.toThrow('NGHTTP2_REFUSED_STREAM');
    expect((await send()).status).toBe(200);
    expect(received()).toHaveLength(1);
  });

  test('resets the stream; the connection stays open', async () => {
    switchOn('reset');
    await expect(send()).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    expect(received()).toEqual([]);
    expect(lastRequest()).toMatchObject({ outcome: 'fault: reset', status: null });
    expect((await send()).status).toBe(200);
  });

  test('resets the stream although the notification arrives', async () => {
    switchOn('lost_answer');
    await expect(send()).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    expect(received()).toHaveLength(1);
  });
});

describe('a silent fault', () => {
  test('leaves pings and other requests answered if it is of one stream', async () => {
    switchOn('silent');
    const logged = requestLogged();
    const outcome = send().then(
      () => 'answered',
      () => 'ended',
    );
    await logged;
    await new Promise<void>((resolve) => session.ping(() => resolve()));
    expect((await send()).status).toBe(200);
    const other = Promise.resolve('still waiting');
    expect(await Promise.race([outcome, other])).toBe('still waiting');
    session.destroy();
    expect(await outcome).toBe('ended');
  });

  test('leaves pings unanswered if it is of a connection, but not on other connections', async () => {
    switchOn('freeze');
    const logged = requestLogged();
    const outcome = send().catch(() => 'ended');
    await logged;
    const pong = new Promise((resolve) => session.ping(() => resolve('pong')));
    const fresh = await openSession(simulator.apns_url, simulator.ca);
    await new Promise<void>((resolve) => fresh.ping(() => resolve()));
    expect((await send(fresh)).status).toBe(200);
    fresh.destroy();
    expect(await Promise.race([pong, outcome, Promise.resolve('nothing')])).toBe('nothing');
    session.destroy();
    expect(await outcome).toBe('ended');
  });
});

test('the fault disconnect drops the connection', async () => {
  switchOn('disconnect');
  const closed = once(session, 'close');
  await expect(send()).rejects.toThrow();
  await closed;
  expect(received()).toEqual([]);
});

test('the fault slow delays the answer', async () => {
  switchOn({ slow_ms: 80 });
  const startedAt = performance.now();
  expect((await send()).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(75);
});

describe('a fault', () => {
  test('affects a device as often as it says', async () => {
    const id = switchOn({ status: 429, reason: 'TooManyRequests' }, 2);
    const other = simulator.addDevice({ kind: 'apns' });
    expect((await send(session, other.token)).status).toBe(200);
    expect((await send()).status).toBe(429);
    expect(simulator.faults.list()).toMatchObject([{ fault_id: id, times: 1 }]);
    expect((await send()).status).toBe(429);
    expect(simulator.faults.list()).toEqual([]);
    expect((await send()).status).toBe(200);
  });

  test('lasts until it is cleared if it has no number', async () => {
    const fault = { status: 503, reason: 'ServiceUnavailable' };
    const id = simulator.faults.add({ provider: 'apns', fault });
    for (let nr = 0; nr < 3; nr++) expect((await send()).status).toBe(503);
    expect(simulator.faults.clear(id)).toBe(true);
    expect(simulator.faults.clear(id)).toBe(false);
    expect((await send()).status).toBe(200);
  });
});

test('the simulated FCM has the same faults over HTTP/2 as the simulated APNs', async () => {
  const fcm = await openSession(simulator.fcm_url, simulator.ca);
  const exchange = () =>
    ask(
      fcm,
      { ':path': '/token' },
      tokenForm(assertion(simulator.credentials.fcm, Math.floor(Date.now() / 1000))),
    );
  simulator.faults.add({ provider: 'oauth', times: 1, fault: 'refuse_stream' });
  await expect(exchange()).rejects.toThrow('NGHTTP2_REFUSED_STREAM');
  simulator.faults.add({ provider: 'oauth', times: 1, fault: 'goaway_after_answer' });
  const [frame, answer] = await Promise.all([goAway(fcm), exchange()]);
  expect(frame.code).toBe(constants.NGHTTP2_NO_ERROR);
  expect(answer.status).toBe(200);
});

describe('faults over HTTP/1.1', () => {
  const exchange = () => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { method: 'POST', ca: simulator.ca, agent: new Agent({ keepAlive: true }) };
    const request = httpsRequest(`${simulator.fcm_url}/token`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response));
    });
    request.on('error', reject);
    request.end();
    return promise;
  };
  const switchOnOauth = (fault: FaultRule['fault']) =>
    simulator.faults.add({ provider: 'oauth', times: 1, fault });

  test.each(['goaway', 'refuse_stream', 'reset', 'disconnect', 'lost_answer'] as const)(
    '%s drops the connection',
    async (fault) => {
      switchOnOauth(fault);
      await expect(exchange()).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect((await exchange()).statusCode).toBe(400);
    },
  );

  test('goaway_after_answer answers with connection: close', async () => {
    expect((await exchange()).headers.connection).toBe('keep-alive');
    switchOnOauth('goaway_after_answer');
    const { statusCode, headers } = await exchange();
    expect(statusCode).toBe(400);
    expect(headers.connection).toBe('close');
  });
});

test('many concurrent requests over one connection arrive once each', async () => {
  const answers = await Promise.all(Array.from({ length: 900 }, () => send()));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(new Set(received().map(({ seq }) => seq)).size).toBe(900);
});
