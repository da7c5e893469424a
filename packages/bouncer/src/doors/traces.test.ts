import { randomBytes, randomUUID } from 'node:crypto';

import type { BouncerTrace } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { afterEach, describe, expect, test } from 'vitest';

import { pushRequests } from '../test-bouncer.fixture.ts';
import { sweepTraces } from '../traces/queries.ts';
import { readTraces } from '../traces/read-traces.ts';
import { TraceLog } from '../traces/trace-log.ts';
import { startPushTest } from './push-test.fixture.ts';

const { bouncer, server, notify, prove, addDevice, retryEnd, requestsTo } = await startPushTest();
const { simulator, clock } = bouncer;
await prove();
afterEach(() => (clock.offsetMs = 0));

const newCiphertext = () => randomBytes(64).toString('base64');
const traceOf = async (ciphertext: string, { v1 } = server): Promise<BouncerTrace | undefined> => {
  const { traces } = await v1.traces.list({ cipher_ids: [cipherId(ciphertext)] });
  expect(traces.length).toBeLessThan(2);
  return traces[0];
};

describe('the trace of a notification at the bouncer', () => {
  test('has the connection, the answer and the sizes of an accepted attempt, and no token', async () => {
    const device = await addDevice('apns');
    const ciphertext = newCiphertext();
    const { outcomes } = await notify(pushRequests.apns(device, ciphertext));
    const trace = await traceOf(ciphertext);
    const [request] = requestsTo(device);
    expect(trace).toMatchObject({
      cipher_id: cipherId(ciphertext),
      push_id: outcomes[0]?.push_id,
      server_uuid: server.serverUuid,
      realm_uuid: server.realmUuid,
      device_id: device.deviceId,
      provider: 'apns',
      priority: '10',
      expires_ms: null,
      outcome: 'accepted',
      explanation: 'The provider accepted it.',
      stages: [
        {
          stage: 'request',
          provider_id: outcomes[0]?.provider_id,
          attempts: [
            {
              number: 1,
              app: device.registration.ios_app_id,
              bytes: request?.size,
              max_bytes: 4096,
              status: 200,
              verdict: 'accepted',
              reason: null,
            },
          ],
        },
      ],
    });
    const [stage] = trace?.stages ?? [];
    const [attempt] = stage?.attempts ?? [];
    expect(attempt?.session).toBeGreaterThan(0);
    const times = [stage?.began_ms, attempt?.started_ms, attempt?.answered_ms, stage?.ended_ms];
    expect(times.toSorted((one, other) => Number(one) - Number(other))).toEqual(times);
    expect(JSON.stringify(trace)).not.toContain(device.token);
    const { devices } = await server.v1.devices.list({ realm_uuid: server.realmUuid });
    const stored = devices.find(({ device_id }) => device_id === device.deviceId);
    expect(trace?.token_hash).toBe(stored?.token_hash);
  });

  test('follows the retries in the queue to their end', async () => {
    const device = await addDevice('fcm');
    const fault = { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 60 };
    simulator.faults.add({ provider: 'fcm', match: { token: device.token }, times: 1, fault });
    const ciphertext = newCiphertext();
    await notify(pushRequests.fcm(device, ciphertext));
    const waiting = await traceOf(ciphertext);
    expect(waiting).toMatchObject({ outcome: 'queued', stages: [{ stage: 'request' }] });
    expect(waiting?.stages[0]?.attempts).toMatchObject([
      {
        number: 1,
        status: 429,
        retry_after: 60,
        reason: expect.stringMatching(/^QUOTA_EXCEEDED: /),
        verdict: 'retry',
      },
    ]);
    clock.offsetMs += 75_000;
    await retryEnd(device);
    expect(await traceOf(ciphertext)).toMatchObject({
      outcome: 'accepted',
      stages: [
        { stage: 'request', outcome: 'queued' },
        { stage: 'retry', attempts: [{ number: 2, status: 200 }], outcome: 'accepted' },
      ],
    });
  });

  test('says why a notification was refused before it was sent', async () => {
    const device = await addDevice('fcm');
    const ciphertext = `${newCiphertext()}${'x'.repeat(4_100)}`;
    await notify(pushRequests.fcm(device, ciphertext));
    const trace = await traceOf(ciphertext);
    expect(trace?.explanation).toBe(
      'This notification cannot be sent; the device is fine. Reason: message too large',
    );
    expect(trace?.stages[0]?.attempts).toMatchObject([{ status: null, max_bytes: 4096 }]);
    expect(trace?.stages[0]?.attempts[0]?.bytes).toBeGreaterThan(4_100);
  });

  test('names a device that the realm does not have, and a repeated request', async () => {
    const ciphertext = newCiphertext();
    const call = {
      realm_uuid: server.realmUuid,
      push_requests: [pushRequests.fcm({ deviceId: 999_999, pushAccountId: 1n }, ciphertext)],
    };
    const idempotencyKey = randomUUID();
    for (const _time of [1, 2]) await server.client.push.notify(call, { idempotencyKey });
    expect(await traceOf(ciphertext)).toMatchObject({
      provider: null,
      token_hash: null,
      outcome: 'dead',
      stages: [{ stage: 'request', attempts: [] }, { stage: 'repetition' }],
    });
  });

  test('of a browser has the urgency, the time to live and the answer of its push service', async () => {
    const device = await addDevice('webpush');
    const ciphertext = newCiphertext();
    await notify(pushRequests.webpush(device, ciphertext));
    const trace = await traceOf(ciphertext);
    expect(trace).toMatchObject({ provider: 'webpush', priority: 'high', outcome: 'accepted' });
    expect(trace?.stages[0]?.attempts).toMatchObject([{ status: 201, session: null }]);
    expect((trace?.expires_ms ?? 0) - bouncer.now()).toBeGreaterThan(3_000_000);
  });
});

describe('GET /v1/traces', () => {
  test("does not show another chat server's notifications; the operator sees all", async () => {
    const device = await addDevice('fcm');
    const ciphertext = newCiphertext();
    await notify(pushRequests.fcm(device, ciphertext));
    expect(await traceOf(ciphertext)).toBeDefined();
    const other = await bouncer.addServer();
    expect(await traceOf(ciphertext, other)).toBeUndefined();
    const cipherIds = [cipherId(ciphertext)];
    expect(await readTraces(bouncer.kysely, { cipherIds })).toHaveLength(1);
    const { serverUuid } = other;
    expect(await readTraces(bouncer.kysely, { cipherIds, serverUuid })).toEqual([]);
  });

  test('forgets the oldest of too many traces, and those that are too old', async () => {
    const device = await addDevice('fcm');
    const ciphertexts = [newCiphertext(), newCiphertext(), newCiphertext()];
    for (const one of ciphertexts) await notify(pushRequests.fcm(device, one));
    const known = () =>
      Promise.all(ciphertexts.map(async (one) => (await traceOf(one)) !== undefined));
    expect(await known()).toEqual([true, true, true]);
    await bouncer.sweep(sweepTraces, 3 * 86_400_000 - 60_000, { traces: 2 });
    expect(await known()).toEqual([false, true, true]);
    await bouncer.sweep(sweepTraces, 3 * 86_400_000 + 1_000, { traces: 2 });
    expect(await known()).toEqual([false, false, false]);
  });

  test('returns no trace with BELLHOP_BOUNCER_TRACES=0', async () => {
    const device = await addDevice('fcm');
    const ciphertext = newCiphertext();
    await bouncer.reload({ traces: 0 });
    await notify(pushRequests.fcm(device, ciphertext));
    await bouncer.reload({});
    expect(await traceOf(ciphertext)).toBeUndefined();
  });
});

test('traces that the database does not take are dropped and counted, and later ones are written', async () => {
  const device = await addDevice('fcm');
  const ciphertext = newCiphertext();
  await notify(pushRequests.fcm(device, ciphertext));
  await traceOf(ciphertext);
  const [row] = await bouncer.kysely.selectFrom('push_trace').selectAll().limit(1).execute();
  if (!row) throw new Error('no trace');
  let dropped = 0;
  const warnings: string[] = [];
  const log = new TraceLog({
    kysely: bouncer.kysely,
    limit: () => 10,
    metrics: { tracesDropped: { inc: (count = 1) => void (dropped += count) } as never },
    log: { warn: (_facts: object, message: string) => warnings.push(message) } as never,
    now: bouncer.now,
  });
  const [bad, good] = [newCiphertext(), newCiphertext()];
  log.add([{ ...row, push_id: 'not a UUID', encrypted_data: bad }]);
  await log.flush();
  expect([dropped, warnings]).toEqual([1, ['traces of notifications were not written']]);
  log.add(Array.from({ length: 20_001 }, () => ({ ...row, encrypted_data: bad })));
  expect(dropped).toBe(20_002);
  log.add([{ ...row, push_id: randomUUID(), encrypted_data: good }]);
  await log.flush();
  expect(await traceOf(good)).toBeDefined();
});
