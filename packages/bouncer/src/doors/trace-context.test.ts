import { randomBytes } from 'node:crypto';

import { stringifyJson } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { expect, test } from 'vitest';

import { pushRequests } from '../test-bouncer.fixture.ts';
import { startPushTest, type TestDevice } from './push-test.fixture.ts';

const { bouncer, server, addDevice, arrival, received } = await startPushTest();

/** Sends a notification as a chat server with a trace does. Returns the answered `traceparent`. */
async function notifyIn(device: TestDevice, traceparent?: string) {
  const credentials = Buffer.from(`${server.serverUuid}:${server.key}`).toString('base64');
  const response = await fetch(`${bouncer.url}/api/v1/remotes/push/e2ee/notify`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/json',
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body: stringifyJson({
      realm_uuid: server.realmUuid,
      push_requests: [pushRequests.fcm(device)],
    }),
  });
  expect(response.status).toBe(200);
  return response.headers.get('traceparent') ?? '';
}

interface LogLine {
  readonly msg: string;
  readonly device_id?: number;
  readonly trace_id?: string;
}
const linesOf = ({ deviceId }: TestDevice) =>
  bouncer
    .logged()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ device_id, msg }) => device_id === deviceId && msg.startsWith('notification'));

test('the trace ID of the caller is in the answer, in the log of each attempt, also of queued ones, and in the trace', async () => {
  const device = await addDevice('fcm');
  const traceId = randomBytes(16).toString('hex');
  const fault = { status: 503, reason: 'UNAVAILABLE', retry_after: 60 };
  bouncer.simulator.faults.add({ provider: 'fcm', times: 1, fault });
  const answered = await notifyIn(device, `00-${traceId}-00f067aa0ba902b7-01`);
  expect(answered).toMatch(new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
  const arrived = arrival(device);
  bouncer.clock.offsetMs += 75_000;
  await arrived;
  await expect
    .poll(() => linesOf(device))
    .toMatchObject([
      { msg: 'notification not accepted', trace_id: traceId },
      { msg: 'notification accepted', trace_id: traceId },
    ]);
  const { traces } = await server.v1.traces.list({ cipher_ids: [cipherId('c2VjcmV0')] });
  const own = traces.find(({ device_id }) => device_id === device.deviceId);
  expect(own?.stages).toMatchObject([
    { stage: 'request', trace_id: traceId },
    { stage: 'retry', trace_id: traceId },
  ]);
});

test('a request without a trace gets a new one', async () => {
  const device = await addDevice('fcm');
  const answered = await notifyIn(device);
  expect(answered).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(received(device)).toHaveLength(1);
  expect(linesOf(device)).toMatchObject([{ trace_id: answered.slice(3, 35) }]);
});
